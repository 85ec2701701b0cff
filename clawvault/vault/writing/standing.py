"""A note as it stands while a change of it is made: read once, and looked at again before it is replaced."""

from __future__ import annotations

import errno
import os
import stat
import time
from dataclasses import dataclass

from clawvault.errors import ClawvaultError, ConflictError
from clawvault.vault.note_file import DATALESS, RECALL
from clawvault.vault.paths import is_link, visible
from clawvault.vault.writing.folder import Folder
from clawvault.vault.writing.openness import await_closed

# Windows lets nobody replace a file that is held open, and tells whoever tries.
HOLDS_OPEN = os.name != "nt"
# Data this small may be kept in the file's own record, which takes no block (ext4, NTFS).
MAX_INLINE_BYTES = 4096
# An editor that empties a file writes into it at once; one that was empty before is not waited for.
EMPTY_S = 2.0
LOOK_S = 0.05


@dataclass
class StandingNote:
    """A note that is there, with the bytes it has.

    Attributes:
        name: As the disk has it.
        seen: What the disk said of it when it was opened.
        data: Its bytes.
        descriptor: The open file, -1 where none is held.
    """

    folder: Folder
    name: str
    seen: os.stat_result
    data: bytes
    descriptor: int

    def is_still(self) -> bool:
        """Say whether the name still stands for the same file with the same bytes."""
        try:
            now = self.folder.stat(self.name)
        except OSError:
            return False
        return _marks(now) == _marks(self.seen) and self.bytes_now() == self.data

    def bytes_now(self) -> bytes:
        """Read the file that was opened once more, also when its name stands for another by now."""
        if self.descriptor >= 0:
            return _read_all(self.descriptor)
        descriptor = self.folder.open(self.name)
        try:
            return _read_all(descriptor)
        finally:
            os.close(descriptor)

    def refuse_open(self, relative: str) -> None:
        """Refuse to replace a file that another program keeps open: whatever it writes later would be lost.

        Raises:
            ConflictError: It does, and the system can tell.
        """
        if self.descriptor >= 0 and not await_closed(self.descriptor):
            raise ConflictError(
                f'"{visible(relative)}" is open for writing in another program.', "Close it there, then try again."
            )

    def late_bytes(self) -> bytes | None:
        """Return what somebody wrote into the file after it was read for the last time; ``None`` when nobody did.

        An editor may have opened it before it was replaced. Who is still writing is waited for.
        """
        if self.descriptor < 0:
            return None
        await_closed(self.descriptor)
        found = self.bytes_now()
        if found == self.data:
            return None
        until = time.monotonic() + EMPTY_S
        while time.monotonic() < until:
            time.sleep(LOOK_S)
            before, found = found, self.bytes_now()
            if found == before and found:
                break
        return found

    def close(self) -> None:
        """Let go of the file; safe to call twice."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def find_standing(folder: Folder, name: str, relative: str, *, max_bytes: int) -> StandingNote | None:
    """Open and read a note in an open folder.

    Args:
        folder: Where it is.
        name: Its name in NFC.
        relative: Its path, for people.
        max_bytes: A larger one is refused.

    Returns:
        The note, or ``None`` when nothing has that name.

    Raises:
        ConflictError: Its content is still in the cloud (F28).
        ClawvaultError: It is too large, or read-only.
        OSError: It is a link or no regular file, or cannot be read.
    """
    name = folder.name_on_disk(name)
    try:
        seen = folder.stat(name)
    except FileNotFoundError:
        return None
    _insist(seen, relative, max_bytes)
    descriptor = folder.open(name)
    try:
        opened = os.fstat(descriptor)
        if (opened.st_ino, opened.st_dev) != (seen.st_ino, seen.st_dev):
            raise OSError(errno.EAGAIN, "the file changed while it was opened")
        data = _read_unless_emptied(descriptor)
        seen = os.fstat(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    note = StandingNote(folder, name, seen, data, descriptor)
    if not HOLDS_OPEN:
        note.close()
    return note


def _insist(seen: os.stat_result, relative: str, max_bytes: int) -> None:
    if is_link(seen):
        raise OSError(errno.ELOOP, "it is a link, and links are not followed")
    if not stat.S_ISREG(seen.st_mode):
        raise OSError(errno.EISDIR, "it is not a regular file")
    blocks = getattr(seen, "st_blocks", 1)
    away = getattr(seen, "st_flags", 0) & DATALESS or getattr(seen, "st_file_attributes", 0) & RECALL
    if away or (not blocks and seen.st_size > MAX_INLINE_BYTES):
        raise ConflictError(
            f'"{visible(relative)}" is not downloaded: its content is only in the cloud.',
            "Open it once so that it is downloaded, then try again.",
        )
    if seen.st_size > max_bytes:
        raise ClawvaultError(
            f'"{visible(relative)}" has {seen.st_size} bytes, more than {max_bytes}.',
            "Split the note, or raise index.max_note_bytes.",
        )
    if not seen.st_mode & 0o222:
        raise ClawvaultError(f'"{visible(relative)}" is read-only.', "Make the file writable, or choose another note.")


def _read_unless_emptied(descriptor: int) -> bytes:
    """Read a file; one that was emptied a moment ago is given time to be filled (B009, I06)."""
    data = _read_all(descriptor)
    while not data.strip(b"\0") and time.time() - os.fstat(descriptor).st_mtime < EMPTY_S:
        time.sleep(LOOK_S)
        data = _read_all(descriptor)
    return data


def _read_all(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    pieces = []
    while piece := os.read(descriptor, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def _marks(seen: os.stat_result) -> tuple[int, int, int, int]:
    return seen.st_ino, seen.st_dev, seen.st_size, seen.st_mtime_ns
