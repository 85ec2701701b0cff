"""Have the state of a vault follow it to another path, and keep it from another vault at the same path."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import filelock

from clawvault.errors import LockedError
from clawvault.vault.paths import WINDOWS, make_private, make_private_folder, visible
from clawvault.vault.private_file import write_private_file
from clawvault.vault.state_place import ID_PATH, PLACE_NAME, read_place, read_vault_id

SETTLING = ".settling.lock"
SETTLING_S = 30.0
# As the daemon calls its lock and the file that names its holder.
WRITER_LOCK, WRITER_NAME = "writer.lock", "writer.json"
_ASIDE = ".aside-"
IN_USE = frozenset({5, 32, 33})  # what Windows answers to the renaming of a folder with open files


def settle_state(folder: Path, vault_id: str, place: str) -> None:
    """Make the state folder of a path the one of the vault that is there now.

    The state of another vault is put aside in the folder beside. Where there is none then, that of this vault is
    brought from the path where it was, unless the vault is still there too: a copy begins with a state of its own.

    Args:
        folder: The state folder of the path; its parent exists and is private.
        vault_id: Of the vault.
        place: Its real path, in the case that its system compares by.

    Raises:
        LockedError: A process still writes in a state folder that had to be moved, or settles it for 30 s.
        OSError: What had to be moved cannot be.

    Source: I41, F12, T10.
    """
    with ExitStack() as held:
        try:
            held.enter_context(_settling(folder.parent))
        except OSError:
            # A disk that knows no locks or takes no files: all that is lost is that the state follows its vault.
            if read_place(folder)[0] not in {"", vault_id}:
                raise
            return
        known = read_place(folder)[0]
        if known not in {"", vault_id}:
            _put_aside(folder, known)
        if not os.path.lexists(folder):
            _bring(folder, vault_id, place)
        make_private_folder(folder)
        # Not to be written down costs no more than to be asked again.
        with suppress(OSError):
            write_private_file(folder / PLACE_NAME, f"{vault_id}\n".encode() + os.fsencode(place), lasting=True)


def list_put_aside(folder: Path) -> list[Path]:
    """List the states of other vaults that were at the path of this state folder, by name."""
    return sorted(path for path in folder.parent.iterdir() if path.name.startswith(f"{folder.name}{_ASIDE}"))


def _put_aside(folder: Path, vault_id: str) -> None:
    """Give the state of another vault a name that no path has; it is found again by the id."""
    make_private(folder)
    aside = folder.with_name(f"{folder.name}{_ASIDE}{vault_id}")
    number = 1
    while os.path.lexists(aside):
        number += 1
        aside = folder.with_name(f"{folder.name}{_ASIDE}{vault_id}-{number}")
    _rename(
        folder,
        aside,
        "Cannot begin the state of this vault: {who} still works for another vault that was at its path.",
        "Try again in a few seconds; if it is still so, stop it.",
    )


def _bring(folder: Path, vault_id: str, place: str) -> None:
    found = [state for state in folder.parent.iterdir() if state != folder and _is_left(state, vault_id, place)]
    if found:
        # A copy that had a state of its own may be gone as well; what was used last is what is missed.
        newest = max(found, key=lambda state: state.lstat().st_mtime_ns)
        _rename(
            newest,
            folder,
            "Cannot take along the state of this vault: {who} still works for its former place, {former}.",
            "It ends within a minute; or stop it, then try again.",
        )


def _is_left(state: Path, vault_id: str, place: str) -> bool:
    """Tell whether a state folder belongs to this vault, and no vault of that id is where it was."""
    known, former = read_place(state)
    if known != vault_id:
        return False
    # Where one cannot look, as on a disk that fails, the vault is taken to be still there.
    with suppress(OSError):
        make_private(state)
        # A link that leads from the former path to the present one is not the vault itself.
        return former == place or os.path.normcase(os.path.realpath(former)) != former or _has_left(former, vault_id)
    return False


def _has_left(former: str, vault_id: str) -> bool:
    try:
        os.lstat(os.path.join(former, ID_PATH))  # noqa: PTH118 - a Path would fold the exact name
    except (FileNotFoundError, NotADirectoryError):
        return True
    return read_vault_id(former) not in {"", vault_id}


def _rename(state: Path, target: Path, message: str, hint: str) -> None:
    refusal = LockedError(message.format(who=_holder(state), former=f'"{visible(read_place(state)[1])}"'), hint)
    try:
        with _all_locks(state) as release:
            if WINDOWS:
                release.close()  # a folder with open files cannot be renamed there
            os.rename(state, target)  # noqa: PTH104 - Path.rename would hide that this is the atomic step
    except filelock.Timeout as error:
        raise refusal from error
    except OSError as error:
        if getattr(error, "winerror", None) in IN_USE:
            raise refusal from error
        raise


@contextmanager
def _all_locks(state: Path) -> Iterator[ExitStack]:
    """Hold every lock in a state folder, so that nobody writes in it while it is moved.

    Raises:
        filelock.Timeout: Somebody does.
    """
    with ExitStack() as held:
        for path in sorted(state.glob("*.lock")):
            held.enter_context(_lock(path).acquire(timeout=0))
        yield held


@contextmanager
def _settling(vaults: Path) -> Iterator[None]:
    try:
        with _lock(vaults / SETTLING).acquire(timeout=SETTLING_S, poll_interval=0.01):
            yield
    except filelock.Timeout as error:
        raise LockedError(
            f'Cannot look for the state of this vault: another process has held "{SETTLING}" for {SETTLING_S:.0f} s.',
            "End the process that hangs, then try again.",
        ) from error


def _lock(path: Path) -> filelock.BaseFileLock:
    # A soft fallback would make the mere existence of a file a lock, on file systems without flock.
    return filelock.FileLock(path, thread_local=False, mode=0o600, fallback_to_soft=False)


def _holder(state: Path) -> str:
    """Name who wrote down last that it writes there; only a hint for people."""
    try:
        raw = json.loads((state / WRITER_NAME).read_bytes())
        return f"{'a daemon' if raw['kind'] == 'daemon' else 'a process'} ({int(raw['pid'])})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
