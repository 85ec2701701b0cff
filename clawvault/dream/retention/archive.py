"""Put old notes away and bring them back; nothing is ever deleted (decisions "Retention", CB-39)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from clawvault.dream.retention.archive_plan import ArchivePlan, OldNote, Staying, plan_archiving
from clawvault.errors import ClawvaultError, NotFoundError, UsageError
from clawvault.guard.identity import find_protected, is_reserved
from clawvault.keeping.means import Means
from clawvault.vault.archived import is_archived, original_path
from clawvault.vault.listing import NoteFile, list_notes
from clawvault.vault.markdown import parse_note
from clawvault.vault.notes import read_note
from clawvault.vault.paths import parse_note_path, visible
from clawvault.vault.private_file import write_private_file
from clawvault.vault.writing.moving import Move, move_note

LIST_NAME = "archived.jsonl"
MOST_DIGITS = 6
KEPT_LISTS = 50


@dataclass(frozen=True, slots=True)
class Moved:
    """What was moved.

    Attributes:
        notes: Each with where it was and where it is.
        failed: What stays where it was, and why.
    """

    notes: tuple[Move, ...]
    failed: tuple[Staying, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**asdict(self), "n_bytes": sum(note.n_bytes for note in self.notes)}


def parse_age(text: str, today: date) -> date:
    """Turn a number of days, or a day, into the day before which notes are old.

    Raises:
        UsageError: It is neither.
    """
    if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS:
        return today - timedelta(days=min(int(text), today.toordinal() - 1))
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f'"{visible(text)}" is neither days nor a day.', "Such as 365, or 2025-12-31.") from error


def plan_archive(means: Means, before: date, *, even_linked: bool = False) -> ArchivePlan:
    """Say what would be put away, and change nothing.

    Args:
        means: What to work with.
        before: Notes of earlier days may go.
        even_linked: Also notes that one which never fades links to.

    Cost: Reads every note, for the links in it.
    """
    listing = list_notes(means.root, means.ignore_rules(), means.config)
    return plan_archiving(
        {path: _look_at(means, file) for path, file in listing.files.items()}, before, even_linked=even_linked
    )


def apply_archive(means: Means, plan: ArchivePlan) -> Moved:
    """Put notes away: each is copied, read back, and then taken from where it was.

    What is to be moved is written down first, so that ``undo_archive`` knows it whatever happens on the way.
    """
    pairs = [(note.path, note.target) for note in plan.notes]
    if pairs:
        _note_down(means.writer.state, pairs)
    return _move_all(means, pairs)


def undo_archive(means: Means) -> Moved:
    """Bring back what was put away last.

    Raises:
        NotFoundError: Nothing of what is remembered is in the archive.
    """
    for moves in reversed(_read_list(means.writer.state)):
        pairs = [(target, path) for path, target in moves if os.path.lexists(means.root / target)]
        if pairs:
            return _move_all(means, pairs)
    raise NotFoundError("Nothing that was put away is still there.", "Bring back single notes with --restore PATH.")


def restore(means: Means, paths: Iterable[str]) -> Moved:
    """Bring single notes back to where they came from.

    Args:
        means: What to work with.
        paths: Each in the archive, or as it was before.

    Raises:
        NotFoundError: One is not in the archive; then nothing is moved.
    """
    archived = {path for path in list_notes(means.root, means.ignore_rules(), means.config).files if is_archived(path)}
    by_origin = {original_path(path): path for path in sorted(archived)}
    pairs = []
    for asked in map(parse_note_path, paths):
        found = asked if asked in archived else by_origin.get(asked)
        if found is None:
            raise NotFoundError(f'"{visible(asked)}" is not in the archive.', 'See "clawvault tree archive".')
        pairs.append((found, original_path(found) or found))
    return _move_all(means, pairs)


def _move_all(means: Means, pairs: Sequence[tuple[str, str]]) -> Moved:
    moved: list[Move] = []
    failed: list[Staying] = []
    for source, target in pairs:
        try:
            moved.append(move_note(means.writer, source, target))
        except ClawvaultError as error:
            failed.append(Staying(source, error.message))
        # What failed half-way may have left a copy.
        for path in (source, target):
            _tell(means.on_written, path)
    return Moved(tuple(moved), tuple(failed))


def _tell(on_written: Callable[[str], None], path: str) -> None:
    try:
        on_written(path)
    except (ClawvaultError, OSError):
        return  # The next look at the disk sees the move; it is done, whether the index can be told or not (MN-19).


def _look_at(means: Means, file: NoteFile) -> OldNote:
    try:
        text = read_note(means.root, file, max_bytes=means.config.index.max_note_bytes).text
    except ClawvaultError as error:
        return OldNote(file.path, None, (), file.size, error.message)
    return OldNote(file.path, parse_note(text), text.split("\n"), file.size, _refusal(means, file))


def _refusal(means: Means, file: NoteFile) -> str:
    if file.path == means.config.memory_file:
        return "it is the long-term memory note"
    if is_reserved(file.path):
        return "a recorded conversation"
    seen = os.lstat(means.root / file.disk_path) if os.path.lexists(means.root / file.disk_path) else None
    name = find_protected(means.root, file.path, seen)
    return f"it is {name}, which says who an agent is" if name else ""


def _note_down(state: Path, moves: Sequence[tuple[str, str]]) -> None:
    known = [*_read_list(state), moves][-KEPT_LISTS:]
    write_private_file(state / LIST_NAME, b"".join(json.dumps(item).encode() + b"\n" for item in known))


def _read_list(state: Path) -> list[Sequence[tuple[str, str]]]:
    """Return what was put away at a time, the newest last; a line that makes no sense is passed over."""
    try:
        lines = (state / LIST_NAME).read_bytes().splitlines()
    except FileNotFoundError:
        return []
    found: list[Sequence[tuple[str, str]]] = []
    for line in lines:
        try:
            found.append([(str(path), str(target)) for path, target in json.loads(line)])
        except (ValueError, TypeError):
            continue
    return found
