"""One writer per vault, by a lock of the operating system that ends with its process (I18, F23)."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import filelock

from clawvault.errors import IndexFaultError, LockedError
from clawvault.vault.private_file import write_private_file

LOCK_NAME = "writer.lock"
HOLDER_NAME = "writer.json"
REFUSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC})


@dataclass(frozen=True, slots=True)
class Holder:
    """Who wrote down last that it holds the lock; only a hint for people, never the lock itself."""

    pid: int
    host: str
    started_at: str
    kind: str


class WriterLock:
    """Hold the right to write one vault's index.

    The lock is the kernel's lock on ``writer.lock``. The file stays behind when the process ends and means nothing
    by being there; ``writer.json`` only serves to name the holder in an error.

    Args:
        state: The state folder of the vault.
        kind: What holds it, in one word for people: ``daemon``, ``index``, ``init``.

    Source: I18, F23, B117.
    """

    def __init__(self, state: Path, *, kind: str) -> None:
        self.state = state
        self._kind = kind
        self._path = state / LOCK_NAME
        # A soft fallback would make the mere existence of a file a lock, on file systems without flock.
        self._lock = filelock.FileLock(self._path, thread_local=False, mode=0o600, fallback_to_soft=False)
        self._identity: tuple[int, int] | None = None

    def acquire(self, *, timeout_s: float = 0.0) -> None:
        """Take the lock or say who has it.

        Args:
            timeout_s: Seconds to wait for the holder to end, 0 or more.

        Raises:
            LockedError: Another process holds it, or the file system knows no locks.
            IndexFaultError: The state folder cannot be written.
        """
        try:
            self._lock.acquire(timeout=timeout_s, poll_interval=0.05)
        except filelock.Timeout as error:
            raise self._locked_error() from error
        except OSError as error:
            if error.errno in REFUSED:
                raise IndexFaultError(
                    f'Cannot write in the state folder "{self.state.name}": {error.strerror}.',
                    "Check its permissions, or choose another (state_dir in .clawvault/config.toml).",
                ) from error
            raise LockedError(
                f'Cannot lock "{LOCK_NAME}": {error.strerror}.',
                "Put the state folder on a local disk (state_dir in .clawvault/config.toml).",
            ) from error
        try:
            found = os.stat(self._path)  # noqa: PTH116 - the pair of numbers is what is wanted
        except OSError as error:
            self._lock.release()
            raise IndexFaultError(f'The file "{LOCK_NAME}" was removed.', "Try again.") from error
        self._identity = (found.st_dev, found.st_ino)
        holder = Holder(os.getpid(), socket.gethostname(), datetime.now(UTC).isoformat(timespec="seconds"), self._kind)
        # It only names the holder to people; a full disk must not keep the lock from its owner.
        with contextlib.suppress(OSError):
            write_private_file(self.state / HOLDER_NAME, json.dumps(asdict(holder)).encode())

    def release(self) -> None:
        """Give the lock back; without the lock nothing happens."""
        self._identity = None
        self._lock.release()

    def is_held(self) -> bool:
        """Say whether the lock is still ours and still the one that others would ask for.

        Returns:
            False once the lock file was removed or replaced: another process could then lock the new file, so the
            holder must stop writing (B123).
        """
        if self._identity is None:
            return False
        try:
            found = os.stat(self._path)  # noqa: PTH116
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self._identity

    def _locked_error(self) -> LockedError:
        holder = find_holder(self.state)
        if holder is None:
            who = "another process"
        else:
            who = f"{holder.kind} (process {holder.pid} on {holder.host}, since {holder.started_at})"
        return LockedError(
            f'Cannot write the index of "{self.state.name}": {who} holds its lock.',
            "Wait until it is done, or end that process.",
        )

    def __enter__(self) -> WriterLock:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def find_holder(state: Path) -> Holder | None:
    """Read who wrote down last that it holds the lock.

    Args:
        state: The state folder of the vault.

    Returns:
        The holder, perhaps one that has ended meanwhile; ``None`` when there is none or the file makes no sense.
    """
    try:
        raw = json.loads((state / HOLDER_NAME).read_bytes())
        return Holder(int(raw["pid"]), str(raw["host"]), str(raw["started_at"]), str(raw["kind"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
