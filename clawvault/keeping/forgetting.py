"""Remove what a person asks to be forgotten, line by line, and show it first (MN-33)."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from clawvault.errors import ClawvaultError, ConflictError, UsageError
from clawvault.guard.identity import find_protected, is_prompt_file, is_reserved
from clawvault.keeping.entries import Entry, Wanted, find_entries
from clawvault.keeping.likeness import plain
from clawvault.keeping.means import Means, rewrite
from clawvault.vault.listing import list_notes
from clawvault.vault.notes import read_note
from clawvault.vault.paths import visible
from clawvault.vault.writing import new_group

MIN_CHARS = 2
MORE = "Give more of the line."
# Whoever means more lines than this looks at them first.
MOST_UNSEEN = 20


@dataclass(frozen=True, slots=True)
class ForgottenLine:
    """One line that says what is to be forgotten.

    Attributes:
        path: Its note.
        line: 1-based, before anything is removed.
        text: The line as it is.
        kept: Why it stays; empty when it goes.
        whole: It says that and no more. Other lines that go with it, such as those below the item of a list, are never
            whole.
    """

    path: str
    line: int
    text: str
    kept: str = ""
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was, or would be, forgotten.

    Attributes:
        lines: In order of path and line; those with ``kept`` stay.
        applied: The others are removed.
        undo_ids: One for each note that changed.
        warnings: What a person should know, one sentence each.
    """

    lines: tuple[ForgottenLine, ...]
    applied: bool
    undo_ids: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def going(self) -> tuple[ForgottenLine, ...]:
        """Return the lines that go."""
        return tuple(line for line in self.lines if not line.kept)

    @property
    def n_more(self) -> int:
        """Return how many of the lines that go say more than was asked for."""
        return sum(not line.whole for line in self.going)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return {**asdict(self), "n_removed": len(self.going) if self.applied else 0}


def plan_forget(means: Means, text: str) -> Forgotten:
    """Find the lines that say something, and change nothing.

    Args:
        means: What to work with.
        text: Whole words and numbers as they stand in one item, paragraph or row; case, signs, the width of spaces and
            the ends of lines do not count.

    Raises:
        UsageError: The text is so short that it stands nearly everywhere.
    """
    short = plain(text)
    if not short:
        raise UsageError("There is nothing to forget in that text.", "Give the words of the line that is meant.")
    if len(short) < MIN_CHARS or (short.isascii() and len(short) <= MIN_CHARS):
        raise UsageError(f'"{visible(text.strip())}" is too short: it would stand in too many lines.', MORE)
    wanted = Wanted(text)
    found: list[ForgottenLine] = []
    warnings: list[str] = []
    listing = list_notes(means.root, means.ignore_rules(), means.config)
    for file in listing.files.values():
        try:
            note = read_note(means.root, file, max_bytes=means.config.index.max_note_bytes)
        except ClawvaultError as error:
            warnings.append(f"{error.message} It was not looked into.")
            continue
        if wanted.may_be_in(note.text):
            kept = _reason_to_keep(means, file.path)
            lines = note.text.split("\n")
            entries = find_entries(note.text, wanted)
            found.extend(line for entry in entries for line in _lines_of(file.path, lines, entry, kept))
    return Forgotten(tuple(found), False, (), tuple(warnings))


def forget(
    means: Means, text: str, *, dry_run: bool = False, shown: Collection[ForgottenLine] | None = None
) -> Forgotten:
    """Remove all that says something; an undo copy of each note is kept.

    Args:
        means: What to work with.
        text: See ``plan_forget``.
        dry_run: Only find the lines.
        shown: Lines a person has agreed to; no other is removed. ``None`` agrees to a few unseen, which say that text
            and no more.

    Raises:
        ConflictError: There are more lines than may go unseen, or they say more than that text.
        UsageError: The text is too short.

    Source: MN-33, TC-31.
    """
    plan = plan_forget(means, text)
    if dry_run or not plan.going:
        return plan
    if shown is None:
        _refuse_unseen(plan)
    agreed = None if shown is None else {(line.path, line.text) for line in shown}
    wanted = Wanted(text)
    undo_ids, group = [], new_group()
    removed: list[ForgottenLine] = []
    for path in dict.fromkeys(line.path for line in plan.going):
        gone: list[ForgottenLine] = []

        def edit(old: str, _: str, path: str = path, gone: list[ForgottenLine] = gone) -> str:
            gone.clear()
            lines, numbers = old.split("\n"), set[int]()
            for entry in find_entries(old, wanted):
                going = _lines_of(path, lines, entry, "") if entry.is_text else []
                if going and _is_agreed(going, agreed):
                    gone.extend(going)
                    numbers.update(entry.lines)
            return "".join(part for number, part in enumerate(_by_line_feed(old), 1) if number not in numbers)

        written = rewrite(means, path, edit, operation="forget", must_exist=True, group=group)
        undo_ids += [written.undo_id] if written.changed else []
        removed += gone
    stays = [line for line in plan.lines if line.kept]
    lines = tuple(sorted([*removed, *stays], key=lambda line: (line.path, line.line)))
    said = "What was removed stays in undo copies outside the vault for about 7 days (clawvault undo)."
    return Forgotten(lines, True, tuple(undo_ids), (*plan.warnings, said))


def _refuse_unseen(plan: Forgotten) -> None:
    if len(plan.going) > MOST_UNSEEN:
        raise ConflictError(
            f"{len(plan.going)} lines say that, more than may go unseen.",
            "Look at them with a dry run, or say more of it.",
        )
    if line := next((line for line in plan.going if not line.whole), None):
        raise ConflictError(
            f'"{visible(line.path)}" says more than that in line {line.line}, which may not go unseen.',
            "Give the whole line, or look at it with a dry run and agree to what that shows.",
        )


def _is_agreed(going: list[ForgottenLine], agreed: set[tuple[str, str]] | None) -> bool:
    """Say whether an entry may go; where nothing was shown, one that came meanwhile may only when it says no more."""
    if agreed is None:
        return all(line.whole for line in going)
    return all((line.path, line.text) in agreed for line in going)


def _reason_to_keep(means: Means, path: str) -> str:
    if name := find_protected(means.root, path, _seen(means.root / path)):
        return f"{name} is changed by people alone"
    if is_prompt_file(path):
        return "agents take orders from files of that name; edit it yourself"
    return "a recorded conversation" if is_reserved(path) else ""


def _seen(place: Path) -> os.stat_result | None:
    try:
        return place.lstat()
    except OSError:
        return None  # reading it says why


def _lines_of(path: str, lines: list[str], entry: Entry, kept: str) -> list[ForgottenLine]:
    why = kept or ("" if entry.is_text else "a heading, code or front matter; edit it yourself")
    shown = [(number, lines[number - 1].removesuffix("\r")) for number in entry.lines]
    return [ForgottenLine(path, number, text, why, entry.whole) for number, text in shown if text.strip()]


def _by_line_feed(text: str) -> list[str]:
    pieces = text.split("\n")
    return [*(piece + "\n" for piece in pieces[:-1]), *([pieces[-1]] if pieces[-1] else [])]
