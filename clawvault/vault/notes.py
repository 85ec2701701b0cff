"""The text of one note, read in one piece or not at all."""

from __future__ import annotations

import hashlib
import os
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from pathlib import Path
from typing import NamedTuple

from clawvault.vault.note_file import NoteFile, note_of
from clawvault.vault.paths import NoteUnreadableError, open_inside, read_fault, visible

__all__ = ["NoteChangedError", "NoteText", "NoteUnreadableError", "decode_note", "read_note"]

# The mark of UTF-32-LE starts with the mark of UTF-16-LE, so the longer ones come first.
MARKS = (
    (BOM_UTF8, "utf-8-sig", "utf-8"),
    (BOM_UTF32_LE, "utf-32-le", "utf-32-le"),
    (BOM_UTF32_BE, "utf-32-be", "utf-32-be"),
    (BOM_UTF16_LE, "utf-16-le", "utf-16-le"),
    (BOM_UTF16_BE, "utf-16-be", "utf-16-be"),
)


class NoteChangedError(NoteUnreadableError):
    """Say that a note changed while it was read; it is read again later (I06)."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f'"{visible(path)}" changed while it was read.',
            "It is read again by itself.",
            reason="changed",
            deferred=True,
        )


class NoteText(NamedTuple):
    """The content of a note at one moment.

    Attributes:
        text: Decoded, line ends as they are, without a byte order mark.
        sha256: Of the bytes on disk.
        encoding: The encoding they are in.
        guessed: Nothing in the bytes says so; some characters may be wrong (B051).
        file: What the disk said of the file while it was open.
    """

    text: str
    sha256: bytes
    encoding: str
    guessed: bool
    file: NoteFile


def read_note(root: Path, file: NoteFile, *, max_bytes: int) -> NoteText:
    """Read a note.

    Args:
        root: The vault.
        file: The note as it was listed; only its names are relied on.
        max_bytes: A larger note is refused.

    Raises:
        NotFoundError: It is gone.
        NoteChangedError: It changed under the read.
        NoteUnreadableError: It cannot be read, now or at all.

    Source: I06, B039, B051.
    """
    with open_inside(root, file.disk_path) as handle:
        try:
            before = os.fstat(handle.fileno())
            if before.st_size > max_bytes:
                raise NoteUnreadableError(
                    f'"{visible(file.path)}" has {before.st_size} bytes, more than {max_bytes}.',
                    "Split the note, or raise index.max_note_bytes.",
                    reason="too-large",
                )
            data = handle.read(before.st_size + 1)
            after = os.fstat(handle.fileno())
        except OSError as error:
            raise read_fault(file.path, error) from error
    if len(data) != before.st_size or _moves(before) != _moves(after):
        raise NoteChangedError(file.path)
    text, encoding, guessed = decode_note(data)
    seen = note_of(file.path, file.disk_path, after)
    return NoteText(text, hashlib.sha256(data).digest(), encoding, guessed, seen)


def _moves(seen: os.stat_result) -> tuple[int, int, int]:
    return seen.st_size, seen.st_mtime_ns, seen.st_ino


def decode_note(data: bytes) -> tuple[str, str, bool]:
    """Turn the bytes of a note into text; never fails.

    Returns:
        The text, the name of the encoding, and whether it is a guess. The system's locale has no say.

    Source: B051.
    """
    for mark, name, codec in MARKS:
        if data.startswith(mark):
            body = data[len(mark) :]
            try:
                return body.decode(codec), name, False
            except UnicodeDecodeError:
                return body.decode(codec, "replace"), name, True
    for codec, guessed in (("utf-8", False), ("cp1252", True)):
        try:
            return data.decode(codec), codec, guessed
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1", True
