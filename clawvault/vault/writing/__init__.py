"""The only place that writes notes, so that one set of rules holds for every writer (I01, I02)."""

from clawvault.vault.writing.creating import create_note
from clawvault.vault.writing.form import change_text, line_end_of, sha256_of, with_line_ends
from clawvault.vault.writing.leftovers import remove_leftovers
from clawvault.vault.writing.undo_copies import UndoCopies, UndoCopy, new_group
from clawvault.vault.writing.writer import Change, NoteWriter

__all__ = [
    "Change",
    "NoteWriter",
    "UndoCopies",
    "UndoCopy",
    "change_text",
    "create_note",
    "line_end_of",
    "new_group",
    "remove_leftovers",
    "sha256_of",
    "with_line_ends",
]
