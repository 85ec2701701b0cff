"""One promotion at a time, over all processes and machines that share a vault (OC-57..60, L24)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

import filelock

from clawvault.dream.machines.machine import host_name, machine_id
from clawvault.dream.machines.processes import is_running, start_of
from clawvault.dream.machines.state_files import FOLDER_PATH, create_state, read_bytes, remove_state
from clawvault.errors import ClawvaultError, LockedError
from clawvault.vault.paths import visible

LOCK_NAME = "dream.lock"
STALE_S = 60.0


@dataclass(frozen=True, slots=True)
class Owner:
    """Who promotes.

    Attributes:
        pid: Number of the process.
        started: When that process began; see ``processes.start_of``.
        host: Name of its machine.
        machine: Id of its machine.
        at: Seconds since 1970 when it took the lock.
    """

    pid: int
    started: str
    host: str
    machine: str
    at: float


class DreamLock:
    """Hold the right to promote.

    The file in the vault is what other machines see; among the processes of one machine a lock of the operating system
    comes first, so that two that find a dead owner never both take its place.

    Args:
        root: The vault.
        state: Its state folder.
        now: Seconds since 1970.
    """

    def __init__(self, root: Path, state: Path, now: Callable[[], float] = time.time) -> None:
        self._root = root
        self._state = state
        self._now = now
        self._here = filelock.FileLock(state / LOCK_NAME, thread_local=False, mode=0o600, fallback_to_soft=False)
        self._mine = b""

    def acquire(self) -> None:
        """Take the lock.

        Raises:
            LockedError: Another process holds it, or another machine does; what that one holds is never taken.
            ClawvaultError: The disk refused.
        """
        try:
            self._here.acquire(timeout=0)
        except filelock.Timeout as error:
            raise LockedError("Another process promotes just now.", "Wait until it is done.") from error
        except OSError as error:
            raise ClawvaultError(
                f'Cannot lock "{LOCK_NAME}" in the state folder: {error.strerror or error}.', "Check its permissions."
            ) from error
        try:
            self._take()
        except BaseException:
            self._here.release()
            raise

    def release(self) -> None:
        """Give the lock back; only our own file is removed."""
        if self._mine and read_bytes(self._root, LOCK_NAME) == self._mine:
            remove_state(self._root, LOCK_NAME)
        self._mine = b""
        self._here.release()

    def _take(self) -> None:
        pid = os.getpid()
        owner = Owner(pid, start_of(pid), host_name(), machine_id(self._state), round(self._now(), 3))
        mine = json.dumps(asdict(owner)).encode() + b"\n"
        for _ in range(2):
            if create_state(self._root, mine, LOCK_NAME):
                self._mine = mine
                return
            self._refuse_living(owner)
            remove_state(self._root, LOCK_NAME)
        raise LockedError("Another process promotes just now.", "Wait until it is done.")

    def _refuse_living(self, mine: Owner) -> None:
        if read_bytes(self._root, LOCK_NAME) is None:
            return  # given back this moment
        held = find_owner(self._root)
        path = f"{FOLDER_PATH}/{LOCK_NAME}"
        if held is None:
            # Nobody of ours leaves a lock without a name, since it gets its name with its content.
            raise LockedError(f'"{path}" does not say who made it.', "If no other machine promotes, delete that file.")
        if held.machine != mine.machine:
            raise LockedError(
                f'"{visible(held.host)}" promotes for this vault since {_said(held.at)}, or ended without a word.',
                f'If that machine no longer does, delete "{path}".',
            )
        # A clock that was set back must not make a dead owner young for ever.
        is_old = abs(self._now() - held.at) > STALE_S
        if not is_old or is_running(held.pid, held.started):
            raise LockedError(f"Process {held.pid} promotes since {_said(held.at)}.", "Wait until it is done.")

    def __enter__(self) -> DreamLock:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def find_owner(root: Path) -> Owner | None:
    """Return who holds the lock; ``None`` when nobody does or the file makes no sense."""
    data = read_bytes(root, LOCK_NAME)
    try:
        raw = json.loads(data or b"")
        return Owner(int(raw["pid"]), str(raw["started"]), str(raw["host"]), str(raw["machine"]), float(raw["at"]))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def _said(at: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))
    except (OverflowError, ValueError, OSError):
        return "an unknown time"
