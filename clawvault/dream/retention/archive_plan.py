"""Which old notes may be put away, which stay and why, and which links would lead nowhere then: pure.

Only notes of a day are ever put away, and of these none that somebody meant to keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from clawvault.dream.retention.link_targets import NoteNames, means_note
from clawvault.vault.archived import archived_path, is_archived
from clawvault.vault.dating import importance, note_date
from clawvault.vault.inline_marks import Link
from clawvault.vault.markdown import ParsedNote


@dataclass(frozen=True, slots=True)
class OldNote:
    """What is known of a note that may be linked or put away.

    Attributes:
        path: The note.
        parsed: What its text says; ``None`` when it cannot be read.
        lines: Its lines, to tell one kind of link from the other.
        n_bytes: Its size on disk.
        refusal: Why it must stay, whatever it says; empty for most.
    """

    path: str
    parsed: ParsedNote | None
    lines: Sequence[str]
    n_bytes: int
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Archiving:
    """One note to be put away.

    Attributes:
        path: Where it is.
        target: Where it goes.
        n_bytes: Its size.
        linked_from: Places in notes that never fade which link to it, as ``path:line``.
    """

    path: str
    target: str
    n_bytes: int
    linked_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Staying:
    """A note that is old enough and stays, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class LostLink:
    """A link that leads to a note now and would not when notes were put away.

    Attributes:
        path: The note it stands in, where that is now.
        line: 1-based.
        target: As written.
        leads_to: The note it means, where that would be.
    """

    path: str
    line: int
    target: str
    leads_to: str


@dataclass(frozen=True, slots=True)
class ArchivePlan:
    """What putting notes away would do; all in order of path."""

    notes: tuple[Archiving, ...]
    staying: tuple[Staying, ...]
    lost_links: tuple[LostLink, ...]

    @property
    def n_bytes(self) -> int:
        """Return how much would be moved."""
        return sum(note.n_bytes for note in self.notes)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as JSON values."""
        return {**asdict(self), "n_bytes": self.n_bytes}


def plan_archiving(notes: Mapping[str, OldNote], before: date, *, even_linked: bool = False) -> ArchivePlan:
    """Decide what is put away.

    Args:
        notes: Every note of the vault by its path.
        before: Notes of earlier days may go.
        even_linked: Also notes that one which never fades links to.

    Returns:
        What goes, what stays and why, and the links that would lead nowhere.
    """
    names = NoteNames(notes)
    linked = _linked_from_lasting(notes, names)
    going: list[Archiving] = []
    staying: list[Staying] = []
    for path, note in sorted(notes.items()):
        day = note_date(path)
        if day is None or day >= before or is_archived(path):
            continue
        target = archived_path(path, day)
        reason = note.refusal or _reason_to_stay(note)
        if not reason and target in notes:
            reason = f'"{target}" is there already'
        if not reason and linked.get(path) and not even_linked:
            reason = f"{linked[path][0]} links to it, which never fades"
        if reason:
            staying.append(Staying(path, reason))
        else:
            going.append(Archiving(path, target, note.n_bytes, tuple(linked.get(path, ()))))
    lost = _lost_links(notes, names, {note.path: note.target for note in going})
    return ArchivePlan(tuple(going), tuple(staying), tuple(lost))


def _reason_to_stay(note: OldNote) -> str:
    if note.parsed is None:
        return "it cannot be read"
    front_matter = note.parsed.front_matter
    if note.parsed.warnings and not front_matter:
        return note.parsed.warnings[0]
    if front_matter.get("evergreen") is True:
        return "evergreen: true"
    if (weight := importance(front_matter)) is not None:
        return f"importance: {weight}"
    if note.parsed.pinned_lines:
        return f"line {note.parsed.pinned_lines[0]} is pinned"
    return ""


def _is_lasting(note: OldNote) -> bool:
    return note.parsed is not None and (note_date(note.path) is None or bool(_reason_to_stay(note)))


def _linked_from_lasting(notes: Mapping[str, OldNote], names: NoteNames) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, note in sorted(notes.items()):
        if not is_archived(path) and _is_lasting(note):
            for link in _links_of(note):
                target = names.find(link.target, path)
                if target is not None and target != path:
                    found.setdefault(target, []).append(f"{path}:{link.line}")
    return found


def _lost_links(notes: Mapping[str, OldNote], names: NoteNames, moves: Mapping[str, str]) -> Iterator[LostLink]:
    if not moves:
        return
    after = NoteNames(moves.get(path, path) for path in notes)
    for path, note in sorted(notes.items()):
        for link in _links_of(note):
            meant = _follow(names, link, path, note)
            if meant is None or (path not in moves and meant not in moves):
                continue
            goal = moves.get(meant, meant)
            if _follow(after, link, moves.get(path, path), note) != goal:
                yield LostLink(path, link.line, link.target, goal)


def _follow(names: NoteNames, link: Link, origin: str, note: OldNote) -> str | None:
    """Follow a link as its kind is followed: one of Markdown by place alone, a wikilink by name as well."""
    is_wiki = f"[[{link.target}" in note.lines[link.line - 1]
    return names.find(link.target, origin) if is_wiki else names.find_by_place(link.target, origin)


def _links_of(note: OldNote) -> Iterator[Link]:
    for link in note.parsed.links if note.parsed else ():
        if link.target and means_note(link.target):
            yield link
