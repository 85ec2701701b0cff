"""Which notes an agent is given at the start of a conversation, and their lines as a model may see them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from clawvault.config import Config
from clawvault.context.cutting import Line
from clawvault.context.naming import is_nameable, left_out, quote
from clawvault.errors import ClawvaultError
from clawvault.guard.findings import Finding, Severity
from clawvault.guard.identity import fold_name
from clawvault.guard.injections import scan
from clawvault.guard.presenting import clean_line
from clawvault.guard.prose import after_front_matter
from clawvault.guard.screening import NOTE, OWNER, show_text
from clawvault.guard.secret_text import find_secrets
from clawvault.vault.dating import DAILY_FOLDERS, note_date
from clawvault.vault.identity_baseline import RESTORED, notice_edits
from clawvault.vault.ignoring import IgnoreRules, read_ignore_rules
from clawvault.vault.lookup import describe
from clawvault.vault.note_file import Skip, find_note, note_extensions
from clawvault.vault.notes import read_note
from clawvault.vault.prompt_files import IDENTITY_FILES

PASSAGES = "passages"
# Per cent of the budget. Long-term memory at its largest, 10,000 bytes, has room in its share of the usual budget.
SHARES = {
    "AGENTS.md": 12,
    "SOUL.md": 6,
    "USER.md": 6,
    "IDENTITY.md": 4,
    "memory": 33,
    "today": 12,
    "yesterday": 7,
    PASSAGES: 20,
}
MOST_NOTES_OF_A_DAY = 8
MOST_DEPTH = 6
# A note is looked at as far as this or twice the budget: more of it is not shown, and looking takes time.
LOOKED_AT_CHARS = 64_000


@dataclass(frozen=True, slots=True)
class Source:
    """One note, as much of it as a model may see.

    Attributes:
        part: Its key of ``SHARES``.
        path: Where it is.
        trust: ``owner``, or ``note`` for what agents write too and for what nobody has looked at.
        lines: Those that are shown, in order, without blank ones at the ends.
        n_lines: How many the note has.
        n_flagged: How many are left out, since they may steer a model.
        n_secrets: How many secrets are masked.
        outside_edit: ``changed`` or ``appeared``, when a person has not looked at what it says now; else empty.
    """

    part: str
    path: str
    trust: str
    lines: tuple[Line, ...]
    n_lines: int
    n_flagged: int = 0
    n_secrets: int = 0
    outside_edit: str = ""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where notes are read from.

    Attributes:
        root: The vault.
        config: Its settings.
        state: Its state folder.
        rules: What is ignored; it is not given to agents either.
        most_chars: How much of each note is looked at.
    """

    root: Path
    config: Config
    state: Path
    rules: IgnoreRules
    most_chars: int = LOOKED_AT_CHARS


def open_shelf(root: Path, config: Config, state: Path, *, most_chars: int = LOOKED_AT_CHARS) -> Shelf:
    """Return where the notes of a vault are read from."""
    return Shelf(root, config, state, read_ignore_rules(root, config, state), max(most_chars, LOOKED_AT_CHARS))


def read_sources(shelf: Shelf, day: date, *, group: bool = False) -> tuple[list[Source], list[str]]:
    """Read the notes that a conversation starts with, in their order.

    Args:
        shelf: Where they are.
        day: Today, where the person is.
        group: Others read along: leave out what is private.

    Returns:
        Those there are, and a sentence about each that is there and cannot be given.

    Source: IW-76, MN-46, T05, T06.
    """
    found: list[tuple[str, str, str]] = []
    problems: list[str] = []
    for part, path in _places(shelf, day, group=group):
        if not is_nameable(path):
            problems.append(f"{part}: {left_out(1, 'note')}")
            continue
        try:
            text = _read_text(shelf, path)
        except ClawvaultError as error:
            problems.append(clean_line(error.message))
            continue
        if text is not None:
            found.append((part, path, text))
    # Looked at after they are read: what changes in between is called changed, never the other way round.
    edits = find_outside_edits(shelf.root, shelf.state)
    screened = [_screened(shelf, *note, outside_edit=edits.get(fold_name(note[1]), "")) for note in found]
    return [source for source in screened if source is not None], problems


def find_outside_edits(root: Path, state: Path) -> dict[str, str]:
    """Return what became of each identity file that a person has not looked at since it changed.

    Returns:
        ``changed``, ``appeared`` or ``vanished`` by name, as ``fold_name`` gives it.

    Source: T05.
    """
    return {fold_name(edit.path): edit.change for edit in notice_edits(root, state) if edit.change != RESTORED}


def read_source(shelf: Shelf, part: str, path: str) -> Source | None:
    """Read one note; ``None`` when there is none, which is normal, or nothing in it.

    Raises:
        ClawvaultError: It is there and cannot be given.

    Source: MN-44, MN-46, T06, L8.
    """
    text = _read_text(shelf, path)
    return None if text is None else _screened(shelf, part, path, text)


def find_daily_notes(shelf: Shelf, day: date) -> tuple[str, ...]:
    """Return the notes of a day in the folders of daily notes, the plain one first.

    Source: TC-29, decisions "Daily note", B057.
    """
    endings = note_extensions(shelf.config)
    found = [
        path
        for path in _files_of(shelf.root, day.isoformat())
        if note_date(path) == day and path.rpartition(".")[2].lower() in endings
    ]
    plain = len(day.isoformat())
    found.sort(key=lambda path: (len(path.rpartition("/")[2].rpartition(".")[0]) > plain, path))
    return tuple(found[:MOST_NOTES_OF_A_DAY])


def _read_text(shelf: Shelf, path: str) -> str | None:
    file = find_note(shelf.root, path, shelf.rules, shelf.config)
    if file is None:
        return None
    if isinstance(file, Skip):
        raise ClawvaultError(f"{quote(path)} is not given to agents: {describe(file)}.")
    return read_note(shelf.root, file, max_bytes=shelf.config.index.max_note_bytes).text


def _screened(shelf: Shelf, part: str, path: str, text: str, *, outside_edit: str = "") -> Source | None:
    # Whoever changed it from outside may not be the person, so it is their word only once they have looked at it.
    trust = OWNER if part in IDENTITY_FILES and not outside_edit else NOTE
    n_lines = text.count("\n") + (not text.endswith("\n"))
    head = _head(text, shelf.most_chars)
    lines, n_flagged = _visible_lines(head, trust)
    if not lines and not n_flagged:
        return None
    return Source(part, path, trust, lines, n_lines, n_flagged, len(find_secrets(head)), outside_edit)


def _places(shelf: Shelf, day: date, *, group: bool) -> Iterator[tuple[str, str]]:
    yield from ((name, name) for name in IDENTITY_FILES)
    if not group:
        yield "memory", shelf.config.memory_file
        yield from (("today", path) for path in find_daily_notes(shelf, day))
        yield from (("yesterday", path) for path in find_daily_notes(shelf, day - timedelta(days=1)))


def _files_of(root: Path, beginning: str) -> Iterator[str]:
    waiting = [(name, 1) for name in reversed(DAILY_FOLDERS) if name in _entry_names(root)]
    while waiting:
        folder, depth = waiting.pop()
        with suppress(OSError), os.scandir(root / folder) as entries:
            for entry in entries:
                if entry.name.startswith(beginning):
                    yield f"{folder}/{entry.name}"
                elif depth < MOST_DEPTH and not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                    waiting.append((f"{folder}/{entry.name}", depth + 1))


def _entry_names(folder: Path) -> list[str]:
    """Return names in their very case, which a path alone does not tell on every disk."""
    with suppress(OSError), os.scandir(folder) as entries:
        return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    return []


def _head(text: str, most_chars: int) -> str:
    if len(text) <= most_chars:
        return text
    end = text.rfind("\n", 0, most_chars)
    return text[: end + 1 if end > 0 else most_chars]


def _visible_lines(text: str, trust: str) -> tuple[tuple[Line, ...], int]:
    """Return the lines that a model may see, and how many it may not; what is above them does not count as a line."""
    flagged: set[int] = set()
    for finding in scan(text):
        if _is_kept_from_models(finding, trust):
            more = text.count("\n", finding.start, max(finding.start, finding.end - 1))
            flagged.update(range(finding.line, finding.line + more + 1))
    first, _ = after_front_matter(text)
    shown, _ = show_text(text)
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(shown.split("\n"), 1)
        if number >= first and number not in flagged
    ]
    while lines and not lines[0][1]:
        del lines[0]
    while lines and not lines[-1][1]:
        del lines[-1]
    return tuple(lines), len(flagged)


def _is_kept_from_models(finding: Finding, trust: str) -> bool:
    """Say whether a line stays out.

    What a person writes of who their agent is may well begin with "You are now" (IW-77); nobody's own words hide signs
    or tell a model to forget all others.
    """
    if trust == OWNER:
        return finding.severity >= Severity.CRITICAL or finding.reason.startswith("hidden-")
    return finding.severity >= Severity.MEDIUM
