"""A range of a note's lines, exactly as they are on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawvault.config import Config
from clawvault.errors import UsageError
from clawvault.vault.ignoring import read_ignore_rules
from clawvault.vault.lookup import look_up, refusal
from clawvault.vault.note_file import Skip
from clawvault.vault.notes import read_note
from clawvault.vault.paths import parse_note_path


@dataclass(frozen=True, slots=True)
class NoteLines:
    """A range of a note: ``text`` is the exact slice of lines ``line_start``..``line_end`` (1-based, inclusive)."""

    path: str
    line_start: int
    line_end: int
    n_lines: int
    text: str
    sha256: str
    encoding: str

    def to_dict(self) -> dict[str, Any]:
        """Return the range as JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


def read_lines(
    root: Path, state: Path, config: Config, path: str, line_start: int = 1, line_end: int | None = None
) -> NoteLines:
    """Return a note, or a range of its lines.

    Args:
        root: The vault.
        state: Its state folder.
        config: Its settings.
        path: Vault path of the note; the ending of the file may be missing.
        line_start: First line, 1 or more.
        line_end: Last line, inclusive; ``None`` is the end of the note.

    Raises:
        NotFoundError: There is no such note, or it stays out of the search.
        UsageError: The path leaves the vault, or the range is empty.
    """
    file = look_up(root, parse_note_path(path), read_ignore_rules(root, config, state), config)
    if isinstance(file, Skip):
        raise refusal(file)
    path = file.path
    note = read_note(root, file, max_bytes=config.index.max_note_bytes)
    lines = note.text.split("\n")
    n_lines = len(lines) - (1 if lines[-1] == "" and len(lines) > 1 else 0)
    last = n_lines if line_end is None else min(line_end, n_lines)
    if line_start < 1 or line_start > last:
        raise UsageError(
            f'Lines {line_start} to {line_end or "the end"} are not in "{path}".', f"It has {n_lines} lines."
        )
    text = "\n".join(lines[line_start - 1 : last])
    text += "\n" if last < len(lines) else ""
    return NoteLines(path, line_start, last, n_lines, text, note.sha256.hex(), note.encoding)
