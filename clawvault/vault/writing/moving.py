"""Move one note: copied, read back, and only then taken from where it was.

Whatever ends the process on the way, the note is in one of both places, whole. A move that was cut short is finished by
the next one of the same note.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawvault.errors import ConflictError, NotFoundError, UsageError
from clawvault.guard.identity import find_protected, is_reserved
from clawvault.vault.paths import visible
from clawvault.vault.writing.creating import disk_faults, parse_parts
from clawvault.vault.writing.folder import Folder, temporary_name
from clawvault.vault.writing.form import sha256_of
from clawvault.vault.writing.locking import notes_lock
from clawvault.vault.writing.standing import StandingNote, find_standing

if TYPE_CHECKING:
    from clawvault.vault.writing.writer import NoteWriter

ATTEMPTS = 8
LATE = "late-edit"


@dataclass(frozen=True, slots=True)
class Move:
    """Where a note was, where it is, and what it holds."""

    source: str
    target: str
    sha256: str
    n_bytes: int


def move_note(writer: NoteWriter, source: str, target: str) -> Move:
    """Move a note to another place in the vault, over no other note.

    Args:
        writer: The writer of the vault.
        source: Vault path of the note.
        target: Where it goes; folders on the way are made.

    Returns:
        What was moved. Mode, owner and time of the last change are those of the note.

    Raises:
        NotFoundError: There is no such note.
        ConflictError: Another note is at the target, or somebody keeps writing the note.
        UsageError: A path is not one inside the vault, or is not for tools.
        ClawvaultError: The disk refused, or gave back something else than was written.

    Source: decisions "Retention", I02, F01, F25.
    """
    parts, goal = parse_parts(source), parse_parts(target)
    with notes_lock(writer.state), disk_faults("move", source):
        for _ in range(ATTEMPTS):
            try:
                folder = Folder.reach(writer.root, parts[:-1], make=False)
            except FileNotFoundError as error:
                raise _missing(source) from error
            with closing(folder):
                note = find_standing(folder, parts[-1], source, max_bytes=writer.max_bytes)
                if note is None:
                    raise _missing(source)
                with closing(note):
                    refuse_protected(writer, source, note, "moved")
                    note.refuse_open(source)
                    is_ours = _put_copy(writer, goal, note)
                    if take_away(writer, source, note):
                        return Move(source, target, sha256_of(note.data), len(note.data))
                    if is_ours:
                        _take_back_copy(writer, goal, note.data)
    raise ConflictError(f'"{visible(source)}" keeps changing while it is moved.', "Try again when nothing writes it.")


def _missing(path: str) -> NotFoundError:
    return NotFoundError(f'There is no note "{visible(path)}".', 'List notes with "clawvault tree".')


def refuse_protected(writer: NoteWriter, path: str, note: StandingNote, verb: str) -> None:
    """Refuse to take a note away that tools do not write.

    Raises:
        UsageError: It is one.
    """
    name = find_protected(writer.root, path, note.seen)
    if name or is_reserved(path):
        why = f"it is {name}, which says who an agent is" if name else '"threads/" holds recorded conversations'
        raise UsageError(f'"{visible(path)}" is not {verb} by tools: {why}.', "Do that yourself, in any file manager.")


def _put_copy(writer: NoteWriter, goal: list[str], note: StandingNote) -> bool:
    """Write the copy down to the disk and read it back.

    Returns:
        Whether it was made now; one that an earlier move left is taken as it is.
    """
    relative = "/".join(goal)
    with closing(Folder.reach(writer.root, goal[:-1])) as folder:
        folder.refuse_taken(goal[-1], relative)
        temporary = temporary_name()
        folder.write_new(temporary, note.data, like=note.seen)
        try:
            _set_time(folder, temporary, note.seen)
            is_ours = folder.give_name(temporary, goal[-1])
        finally:
            with suppress(FileNotFoundError):
                folder.remove(temporary)
        folder.sync()
        if _read(folder, goal[-1], writer.max_bytes) != note.data:
            raise ConflictError(
                f'"{visible(relative)}" is there already and holds something else.', "Rename one of the two notes."
            )
    for depth in range(len(goal) - 1):
        with closing(Folder.reach(writer.root, goal[:depth], make=False)) as above:
            above.sync()
    return is_ours


def take_away(writer: NoteWriter, source: str, note: StandingNote) -> bool:
    """Remove a note from its place; ``False`` when somebody wrote it meanwhile, who then finds it where it was.

    It is renamed first: what an editor put in its place at the last moment is seen before it is gone.
    """
    if not note.is_still():
        return False
    temporary = temporary_name()
    note.folder.replace(note.name, temporary)
    moved = note.folder.stat(temporary)
    is_same = (moved.st_ino, moved.st_dev) == (note.seen.st_ino, note.seen.st_dev) and note.late_bytes() is None
    there = _read(note.folder, temporary, writer.max_bytes)
    if not is_same or there != note.data:
        if not note.folder.give_name(temporary, note.name):
            writer.undo_copies.keep(source, there, there, operation=LATE, now=writer.now())
        with suppress(FileNotFoundError):
            note.folder.remove(temporary)
        return False
    note.folder.remove(temporary)
    note.folder.sync()
    return True


def _take_back_copy(writer: NoteWriter, goal: list[str], data: bytes) -> None:
    """Remove our own copy of a note that has changed since it was made."""
    with suppress(FileNotFoundError), closing(Folder.reach(writer.root, goal[:-1], make=False)) as folder:
        if _read(folder, goal[-1], writer.max_bytes) == data:
            folder.remove(goal[-1])


def _read(folder: Folder, name: str, max_bytes: int) -> bytes:
    descriptor = folder.open(folder.name_on_disk(name))
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read(max_bytes + 1)


def _set_time(folder: Folder, name: str, seen: os.stat_result) -> None:
    """Give a file the time of another; one that cannot have it is as good a copy."""
    place, at = folder.at(name)
    follows = os.utime not in os.supports_follow_symlinks
    with suppress(OSError):
        os.utime(place, ns=(seen.st_atime_ns, seen.st_mtime_ns), dir_fd=at, follow_symlinks=follows)
