"""What every operation works with, and what it tells of what it did."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from clawvault.config import Config
from clawvault.errors import ClawvaultError, NotFoundError, UsageError
from clawvault.guard.agent_orders import split_clauses
from clawvault.vault.ignoring import IgnoreRules, read_ignore_rules
from clawvault.vault.note_file import match_folders
from clawvault.vault.writing import Change, NoteWriter, change_text
from clawvault.vault.writing.form import Edit, parse_form

HIGH = 3
# What is longer is a text and no fact; there, an order counts at the start of a line.
MOST_CLAUSED_CHARS = 2_000
# Enough of the lines next to a change.
SEAM_LINES = 6
# A note that an editor saves by deleting and making it is back by then (B011).
GONE_S = 5.0
LOOK_S = 0.1


class Flaw(Protocol):
    """One thing a guard finds in a text.

    ``severity`` of 3 and more refuses a write, less warns; ``reason`` is a code word; ``line`` counts from 1.
    """

    @property
    def severity(self) -> int:
        """Return how bad it is."""

    @property
    def reason(self) -> str:
        """Return what it is."""

    @property
    def line(self) -> int:
        """Return where it is."""


class Clause(NamedTuple):
    """A flaw of a clause of a single line; see ``Flaw``."""

    severity: int
    reason: str
    line: int = 1


Guard = Callable[[str], Sequence[Flaw]]


class Means(NamedTuple):
    """What an operation works with.

    Attributes:
        root: The vault.
        config: Its settings.
        writer: The one writer of its notes.
        guard: Finds what must not be written where a model reads it.
        now: The clock, in the zone of the person.
        on_written: Told the path of each note that was written.
        is_known: Says whether a note was there a moment ago.
    """

    root: Path
    config: Config
    writer: NoteWriter
    now: Callable[[], datetime]
    guard: Guard = lambda _: ()
    on_written: Callable[[str], None] = lambda _: None
    is_known: Callable[[str], bool] = lambda _: False

    def ignore_rules(self) -> IgnoreRules:
        """Return what is never a note."""
        return read_ignore_rules(self.root, self.config, self.writer.state)


class Written(NamedTuple):
    """What an operation did to a note.

    Attributes:
        path: The note.
        operation: What was done: ``write``, ``append``, ``patch``, ``remember``, ``log``, ``profile``, ``undo``.
        line_start: First line that is new or changed, 1-based; where some were removed, the next.
        line_end: Last such line, inclusive.
        sha256: Of the note as it is now.
        undo_id: Takes it back; empty when nothing was written.
        created: There was no such note before.
        warnings: What a person should know, one sentence each.
        removed: There is no such note any more.
    """

    path: str
    operation: str
    line_start: int
    line_end: int
    sha256: str
    undo_id: str
    created: bool = False
    warnings: tuple[str, ...] = ()
    removed: bool = False

    @property
    def changed(self) -> bool:
        """Say whether the note is another than before."""
        return bool(self.undo_id)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        found = {**self._asdict(), "changed": self.changed, "warnings": list(self.warnings)}
        return found if self.removed else {name: value for name, value in found.items() if name != "removed"}


def check_text(means: Means, text: str, *, what: str = "The text") -> tuple[str, ...]:
    """Refuse a text that must not reach a model.

    Args:
        means: Its ``guard`` looks at the text.
        text: What is to be written.
        what: How a message names it.

    Returns:
        Warnings about what is doubtful and let through.

    Raises:
        UsageError: It holds an instruction to a model, or a secret; the message has the reason and never the text.

    Source: MN-24, MN-31, decisions "Guard".
    """
    flaws = means.guard(text)
    bad = [flaw for flaw in (*flaws, *_flaws_of_clauses(means, text)) if flaw.severity >= HIGH]
    if bad:
        raise UsageError(
            f"{what} is refused: {_reasons(bad)}.",
            "Memory takes facts, never orders to a model and never secrets. Rephrase it, or edit the note yourself.",
        )
    return (f"{what} is doubtful: {_reasons(flaws)}.",) if flaws else ()


def check_name(means: Means, name: str, *, what: str) -> None:
    """Refuse a name that must not be seen: it stands in every answer that has to do with what is called so.

    Args:
        means: Its ``guard`` looks at the name.
        name: A path, or what one is made of.
        what: How the message, which never holds the name, calls it.

    Raises:
        UsageError: It holds a secret, or an instruction to a model.

    Source: T03, T07, MN-31.
    """
    *folders, last = name.split("/")
    stem, _, ending = last.rpartition(".")
    bad = [flaw for flaw in means.guard("\n".join((*folders, stem or ending))) if flaw.severity >= HIGH]
    if bad:
        raise UsageError(
            f"{what} is refused: {', '.join(dict.fromkeys(flaw.reason for flaw in bad))}.",
            "A name is seen wherever notes are listed or found: choose one without secrets and orders.",
        )


def _check_seams(means: Means, old: str, new: str) -> None:
    """Refuse lines that are an order only together with those next to them."""
    # Imported here: only what writes a text needs it.
    from clawvault.guard.joined_lines import joined_lines

    lines = new.split("\n")
    first, last = changed_lines(old, new)
    above, changed, below = lines[: first - 1], lines[first - 1 : last], lines[last:]
    joined = "\n\n".join(filter(None, (joined_lines(above, changed), joined_lines(changed, below))))
    if not joined:
        return
    known = {flaw.reason for flaw in means.guard("\n\n".join((*above[-SEAM_LINES:], *changed, *below[:SEAM_LINES])))}
    bad = [flaw.reason for flaw in means.guard(joined) if flaw.severity >= HIGH and flaw.reason not in known]
    if bad:
        raise UsageError(
            f"The text is refused: {', '.join(dict.fromkeys(bad))}, together with the lines next to it.",
            "Memory takes facts, never orders to a model and never secrets. Rephrase it, or edit the note yourself.",
        )


def _flaws_of_clauses(means: Means, text: str) -> Sequence[Flaw]:
    """Look at each clause of a single line as at a line: an order may hide behind a fact."""
    line = text.strip()
    if len(line.splitlines()) != 1 or len(line) > MOST_CLAUSED_CHARS:
        return ()
    return [Clause(flaw.severity, flaw.reason) for flaw in means.guard("\n".join(split_clauses(line)))]


def _reasons(flaws: Iterable[Flaw]) -> str:
    return ", ".join(dict.fromkeys(f"{flaw.reason} (line {flaw.line})" for flaw in flaws))


def rewrite(
    means: Means,
    path: str,
    edit: Edit,
    *,
    operation: str,
    must_exist: bool = False,
    warnings: Iterable[str] = (),
    group: str = "",
) -> Written:
    """Change the text of one note and tell where.

    Args:
        means: What to work with.
        path: The note, as ``resolve_target`` gives it.
        edit: Pure; takes its text and its line end, gives the whole new text. Raising refuses the change.
        operation: One word.
        must_exist: A note that is not there is not made.
        warnings: Told along with those of the writer.
        group: Shared by the changes of one operation on several notes, which are taken back together.

    Raises:
        NotFoundError: There is no such note, and it must exist.
        ClawvaultError: Whatever ``NoteWriter.change`` and ``edit`` raise.
    """
    path = match_folders(means.root, path)
    await_return(means, path)

    def remake(data: bytes | None) -> bytes:
        if data is None and must_exist:
            raise NotFoundError(f'There is no note "{path}".', 'See "clawvault tree" for those there are.')
        return change_text(data, checked)

    def checked(text: str, newline: str) -> str:
        changed = edit(text, newline)
        _check_seams(means, text, changed)
        return changed

    change = means.writer.change(path, remake, operation=operation, group=group)
    return report(means, change, operation, warnings)


def report(means: Means, change: Change, operation: str, warnings: Iterable[str] = ()) -> Written:
    """Tell what became of a note, to the caller and to ``on_written``.

    That the latter fails is no failure of the write (MN-19).
    """
    said = [*warnings, *change.warnings]
    if change.is_change:
        try:
            means.on_written(change.path)
        except (ClawvaultError, OSError) as error:
            said.append(f"The note is written; the index could not be told: {error}")
    first, last = changed_lines(_text(change.before), _text(change.after))
    return Written(
        change.path, operation, first, last, change.sha256, change.undo_id, change.before is None, tuple(said)
    )


def _text(data: bytes | None) -> str:
    return parse_form(data)[0] if data else ""


def changed_lines(old: str, new: str) -> tuple[int, int]:
    """Return the first and last line of a new text that differ from the old one, 1-based and inclusive."""
    before, after = old.split("\n"), new.split("\n")
    shorter = min(len(before), len(after))
    start = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    rest = range(1, shorter - start + 1)
    kept = next((back - 1 for back in rest if before[-back] != after[-back]), shorter - start)
    n_lines = max(1, len(after) - (after[-1] == ""))
    first = min(start + 1, n_lines)
    last = max(first, min(len(after) - kept, n_lines))
    # A blank line that sets an entry apart is not what anybody looks for.
    while first < last and not after[first - 1].strip():
        first += 1
    return first, last


def await_return(means: Means, path: str) -> None:
    """Wait for a note that was there a moment ago: an editor that saves it may have deleted it first (B011)."""
    if _may_be_there(means.root / path):
        return
    try:
        if not means.is_known(path):
            return
    except (ClawvaultError, OSError):
        return  # an index that cannot be asked keeps nobody from writing (MN-19)
    until = time.monotonic() + GONE_S
    while not _may_be_there(means.root / path) and time.monotonic() < until:
        time.sleep(LOOK_S)


def _may_be_there(place: Path) -> bool:
    try:
        place.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # whoever writes it says what is in the way
    return True
