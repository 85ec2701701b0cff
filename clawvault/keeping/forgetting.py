"""Remove what a person asks to be forgotten, line by line, and show it first (MN-33)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from clawvault.errors import ClawvaultError, ConflictError, UsageError
from clawvault.guard.identity import find_protected, is_prompt_file, is_reserved
from clawvault.keeping.likeness import SAYING, plain
from clawvault.keeping.means import Means, rewrite
from clawvault.vault.listing import list_notes
from clawvault.vault.markdown import parse_note
from clawvault.vault.notes import read_note
from clawvault.vault.writing import new_group

MIN_CHARS = 2
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
    """

    path: str
    line: int
    text: str
    kept: str = ""


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

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return {**asdict(self), "n_removed": len(self.going) if self.applied else 0}


def plan_forget(means: Means, text: str) -> Forgotten:
    """Find the lines that say something, and change nothing.

    Args:
        means: What to work with.
        text: Words as they stand in one line; case, signs and the width of spaces do not count.

    Raises:
        UsageError: The text is so short that it stands nearly everywhere.
    """
    wanted = plain(text)
    if len(wanted) < MIN_CHARS or (wanted.isascii() and len(wanted) <= MIN_CHARS):
        raise UsageError(f'"{text}" is too short: it would stand in too many lines.', "Give more of the line.")
    found: list[ForgottenLine] = []
    warnings: list[str] = []
    listing = list_notes(means.root, means.ignore_rules(), means.config)
    for file in listing.files.values():
        try:
            note = read_note(means.root, file, max_bytes=means.config.index.max_note_bytes)
        except ClawvaultError as error:
            warnings.append(f"{error.message} It was not looked into.")
            continue
        if wanted in plain(note.text):
            kept = _reason_to_keep(means, file.path)
            found.extend(_lines_in(file.path, note.text, wanted, kept))
    return Forgotten(tuple(found), False, (), tuple(warnings))


def forget(
    means: Means, text: str, *, dry_run: bool = False, shown: Collection[ForgottenLine] | None = None
) -> Forgotten:
    """Remove every line that says something; an undo copy of each note is kept.

    Args:
        means: What to work with.
        text: See ``plan_forget``.
        dry_run: Only find them.
        shown: Lines a person has agreed to; no other is removed. ``None`` agrees to a few unseen.

    Raises:
        ConflictError: There are more lines than may go unseen.
        UsageError: The text is too short.

    Source: MN-33, TC-31.
    """
    plan = plan_forget(means, text)
    if dry_run or not plan.going:
        return plan
    if shown is None and len(plan.going) > MOST_UNSEEN:
        raise ConflictError(
            f"{len(plan.going)} lines say that, more than may go unseen.",
            "Look at them with a dry run, or say more of it.",
        )
    agreed = None if shown is None else {(line.path, line.text) for line in shown}
    wanted = plain(text)
    undo_ids, group = [], new_group()
    removed: list[ForgottenLine] = []
    for path in dict.fromkeys(line.path for line in plan.going):
        gone: list[ForgottenLine] = []

        def edit(old: str, _: str, path: str = path, gone: list[ForgottenLine] = gone) -> str:
            lines = [line for line in _lines_in(path, old, wanted, "") if not line.kept]
            gone[:] = [line for line in lines if agreed is None or (path, line.text) in agreed]
            numbers = {line.line for line in gone}
            return "".join(part for number, part in enumerate(_by_line_feed(old), 1) if number not in numbers)

        written = rewrite(means, path, edit, operation="forget", must_exist=True, group=group)
        undo_ids += [written.undo_id] if written.changed else []
        removed += gone
    stays = [line for line in plan.lines if line.kept]
    lines = tuple(sorted([*removed, *stays], key=lambda line: (line.path, line.line)))
    said = "What was removed stays in undo copies outside the vault for about 7 days (clawvault undo)."
    return Forgotten(lines, True, tuple(undo_ids), (*plan.warnings, said))


def _reason_to_keep(means: Means, path: str) -> str:
    seen = (means.root / path).lstat() if (means.root / path).exists() else None
    if name := find_protected(means.root, path, seen):
        return f"{name} is changed by people alone"
    if is_prompt_file(path):
        return "agents take orders from files of that name; edit it yourself"
    return "a recorded conversation" if is_reserved(path) else ""


def _lines_in(path: str, text: str, wanted: str, kept: str) -> Iterator[ForgottenLine]:
    lines = text.split("\n")
    saying = {
        number
        for block in parse_note(text).blocks
        if block.kind in SAYING
        for number in range(block.line_start, block.line_end + 1)
    }
    for number, line in enumerate(lines, 1):
        if wanted in plain(line):
            why = kept or ("" if number in saying else "a heading, code or front matter; edit it yourself")
            yield ForgottenLine(path, number, line.removesuffix("\r"), why)


def _by_line_feed(text: str) -> list[str]:
    pieces = text.split("\n")
    return [*(piece + "\n" for piece in pieces[:-1]), *([pieces[-1]] if pieces[-1] else [])]
