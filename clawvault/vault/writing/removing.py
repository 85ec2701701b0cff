"""Take away a note that a change made, when that change is taken back; its bytes stay in an undo copy."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from clawvault.errors import ConflictError
from clawvault.vault.paths import visible
from clawvault.vault.writing.creating import disk_faults, parse_parts
from clawvault.vault.writing.folder import Folder
from clawvault.vault.writing.form import sha256_of
from clawvault.vault.writing.locking import notes_lock
from clawvault.vault.writing.moving import refuse_protected, take_away
from clawvault.vault.writing.standing import find_standing
from clawvault.vault.writing.undo_copies import UndoCopy
from clawvault.vault.writing.writer import Change

if TYPE_CHECKING:
    from clawvault.vault.writing.writer import NoteWriter


def remove_made_note(writer: NoteWriter, made: UndoCopy) -> Change | None:
    """Remove the note that a change made, as long as it holds what that change wrote and nothing else.

    Args:
        writer: The writer of the vault.
        made: The change; there was no such note before it.

    Returns:
        What was removed, and the undo copy that brings it back; ``None`` when there is no such note any more.

    Raises:
        ConflictError: Somebody wrote it since, or has it open.
        UsageError: The note is not for tools to write.
        ClawvaultError: A link is in the way, or the disk refused.

    Source: I02, I03, I04, F25, decisions "Every write".
    """
    parts = parse_parts(made.path)
    with notes_lock(writer.state), disk_faults("remove", made.path):
        try:
            folder = Folder.reach(writer.root, parts[:-1], make=False)
        except FileNotFoundError:
            return None
        with closing(folder):
            note = find_standing(folder, parts[-1], made.path, max_bytes=writer.max_bytes)
            if note is None:
                return None
            with closing(note):
                refuse_protected(writer, made.path, note, "removed")
                if sha256_of(note.data) != made.sha256_after:
                    raise _written_since(made)
                note.refuse_open(made.path)
                undo_id = writer.undo_copies.keep(
                    made.path, note.data, b"", operation="undo", now=writer.now(), undoes=made.id
                )
                # Only now: until its bytes are kept, nothing is taken away.
                if not take_away(writer, made.path, note):
                    writer.undo_copies.drop(undo_id)
                    raise _written_since(made)
                return Change(made.path, note.data, b"", undo_id)


def _written_since(made: UndoCopy) -> ConflictError:
    return ConflictError(
        f'"{visible(made.path)}" was changed after that change made it, so it stays.',
        "Take back later changes first, or remove the note yourself.",
    )
