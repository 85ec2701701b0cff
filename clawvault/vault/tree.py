"""Folders and notes as an outline: pure, from a listing (IW-92, MN-35)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from clawvault.vault.note_file import NoteFile

# The note of a folder that says what the folder is for.
FOLDER_NOTES = ("README.md", "index.md", "_index.md")


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One folder or note.

    Attributes:
        path: Vault path; a folder's ends with ``/``.
        level: 0 for what is directly below the prefix.
        n_notes: Notes at or below it.
        size_bytes: Their bytes.
        modified_at: When the newest of them changed, ISO 8601 in UTC.
        description: Title of the note, or of the note that describes the folder; empty when not known.
    """

    path: str
    level: int
    n_notes: int
    size_bytes: int
    modified_at: str
    description: str

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class _Sum:
    n_notes: int = 0
    size_bytes: int = 0
    mtime_ns: int = 0

    def add(self, file: NoteFile) -> None:
        self.n_notes += 1
        self.size_bytes += file.size
        self.mtime_ns = max(self.mtime_ns, file.mtime_ns)


def build_tree(files: Mapping[str, NoteFile], titles: Mapping[str, str], *, prefix: str, depth: int) -> list[TreeEntry]:
    """Outline the notes below a folder.

    Args:
        files: Notes by vault path.
        titles: Titles by vault path, as far as they are known.
        prefix: A folder without a ``/`` at its end; empty is the vault.
        depth: Levels to show, 1 or more; what lies deeper is only counted.

    Returns:
        Entries in order of path, a folder before what is in it; empty when no note is below the prefix.
    """
    start = f"{prefix}/" if prefix else ""
    sums: dict[str, _Sum] = {}
    for path, file in files.items():
        if not path.startswith(start):
            continue
        parts = path[len(start) :].split("/")
        for level in range(min(len(parts), depth)):
            is_note = level == len(parts) - 1
            name = start + "/".join(parts[: level + 1]) + ("" if is_note else "/")
            sums.setdefault(name, _Sum()).add(file)
    return [_entry(path, found, start, titles) for path, found in sorted(sums.items())]


def _entry(path: str, found: _Sum, start: str, titles: Mapping[str, str]) -> TreeEntry:
    if path.endswith("/"):
        description = next((titles[path + name] for name in FOLDER_NOTES if titles.get(path + name)), "")
    else:
        description = titles.get(path, "")
    modified_at = datetime.fromtimestamp(found.mtime_ns // 1_000_000_000, UTC).isoformat()
    level = path[len(start) :].rstrip("/").count("/")
    return TreeEntry(path, level, found.n_notes, found.size_bytes, modified_at, description)
