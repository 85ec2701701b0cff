"""One writer of notes at a time, by a lock of the operating system that ends with its process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clawvault.errors import ClawvaultError, LockedError

LOCK_NAME = "notes.lock"
# A write takes milliseconds, so whoever waits this long waits for a process that hangs.
WAIT_S = 30.0
POLL_S = 0.005


@contextmanager
def notes_lock(state: Path, *, wait_s: float = WAIT_S) -> Iterator[None]:
    """Hold the right to change the notes of one vault, for as long as one change takes.

    Nothing slow may happen inside: no question to a person, no model, no index.

    Args:
        state: The state folder of the vault.
        wait_s: Longest wait for another process, in seconds.

    Raises:
        LockedError: Another process held it all that time.
        ClawvaultError: The state folder cannot be written, or its disk knows no locks.

    Source: I03, B137, F24.
    """
    # It takes as long as a short command may to import, and most of those write no note.
    import filelock

    # A soft fallback would make the mere existence of a file a lock, on file systems without flock.
    lock = filelock.FileLock(state / LOCK_NAME, thread_local=False, mode=0o600, fallback_to_soft=False)
    try:
        lock.acquire(timeout=wait_s, poll_interval=POLL_S)
    except filelock.Timeout as error:
        raise LockedError(
            f'Cannot change notes: another process has held "{LOCK_NAME}" for {wait_s:.0f} s.',
            "End the process that hangs, then try again.",
        ) from error
    except OSError as error:
        raise ClawvaultError(
            f'Cannot lock "{LOCK_NAME}" in the state folder: {error.strerror or error}.',
            "Check its permissions, or choose another (state_dir in .clawvault/config.toml).",
        ) from error
    try:
        yield
    finally:
        lock.release()
