"""Keep a note, or a place in one, from fading, and let it fade again (L2a).

What is written is what the index reads: ``evergreen: true`` or ``importance: 1..10`` in the front matter, and
``<!-- pin -->`` at the end of a line, which no program shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from clawvault.errors import ClawvaultError, UsageError
from clawvault.keeping.means import Means, Written, rewrite
from clawvault.keeping.pin_records import PinRecord, Records, keep_records, read_records
from clawvault.keeping.properties import (
    PropertyError,
    comment_of,
    line_of_property,
    put_line_back,
    remove_property,
    set_property,
)
from clawvault.keeping.targets import resolve_target
from clawvault.vault.dating import is_evergreen, note_date
from clawvault.vault.inline_marks import PIN_COMMENT
from clawvault.vault.markdown import parse_note
from clawvault.vault.paths import visible

PIN = "<!-- pin -->"
KEYS = ("evergreen", "importance")
# A note that fades unless a property says otherwise.
A_DAY = "memory/2026-01-01.md"
KINDS = frozenset({"list_item", "paragraph", "quote", "table"})
_OTHERS = {
    "heading": "a heading",
    "fence": "code",
    "front_matter": "front matter",
    "rule": "a rule",
    "html": "HTML",
}
# A block id must stay the last thing of its line, and two spaces at the end are a line break.
_TAIL = re.compile(r"(?:[ \t]+\^[A-Za-z0-9-]{1,100})?[ \t]*\r?$")
_ROW_TAIL = re.compile(r"[ \t]*\|[ \t]*\r?$")
_COMMENT = re.compile(rf"[ \t]?{PIN_COMMENT.pattern}")
_TAG = re.compile(r"[ \t]?#pin(?![\w/-])")


def pin(means: Means, path: str, line: int | None = None, importance: int | None = None) -> Written:
    """Keep a note, or one place of it, from fading.

    Args:
        means: What to work with.
        path: The note; see ``resolve_target``.
        line: 1-based; pins the passage this line stands in. ``None`` pins the whole note.
        importance: 1..10, for a whole note: written in place of ``evergreen: true``.

    Returns:
        Where it was written; unchanged when it was pinned already.

    Raises:
        NotFoundError: There is no such note.
        UsageError: There is no such line, or it is none that can carry a pin.
        ClawvaultError: The front matter cannot be read or safely changed.

    Source: L2a.
    """
    if importance is not None and (line is not None or not 1 <= importance <= 10):
        said = "A line has no importance." if line is not None else f"The importance is {importance}."
        raise UsageError(said, "Give a whole note 1 to 10, or pin the line alone.")
    target = resolve_target(means, path)
    warnings = () if note_date(target) else (f'"{target}" has no day in its name, so it does not fade anyway.',)

    if line is not None:
        return rewrite(
            means, target, lambda text, _: pin_line(text, line), operation="pin", must_exist=True, warnings=warnings
        )
    key, value = ("evergreen", True) if importance is None else ("importance", importance)
    lines: dict[str, str | None] = {}

    def edit(text: str, newline: str) -> str:
        with _naming(target):
            changed = set_property(text, key, value, newline)
        lines.update(before=line_of_property(text, key), after=line_of_property(changed, key))
        return changed

    written = rewrite(means, target, edit, operation="pin", must_exist=True, warnings=warnings)
    return _with_record(means, written, key, lines["before"], lines["after"] or "")


def unpin(means: Means, path: str, line: int | None = None) -> Written:
    """Let a note, or one place of it, fade again.

    Args:
        means: What to work with.
        path: The note; see ``resolve_target``.
        line: 1-based; takes the pin off this line. ``None`` gives the properties of the note back the lines they had
            before ``pin``; where it was never pinned so, they stop to say that it stays, and their comments are kept.

    Raises:
        NotFoundError: There is no such note.
        UsageError: There is no such line.
        ClawvaultError: The front matter cannot be read or safely changed.
    """
    target = resolve_target(means, path)

    if line is not None:
        return rewrite(means, target, lambda text, _: unpin_line(text, line), operation="unpin", must_exist=True)
    state = means.writer.state
    records = read_records(state, target)
    still: list[str] = []

    def edit(text: str, _: str) -> str:
        with _naming(target):
            changed = let_fade(text, records)
        front_matter = parse_note(changed).front_matter
        still[:] = [key for key in KEYS if _pins(front_matter, key)]
        return changed

    written = rewrite(means, target, edit, operation="unpin", must_exist=True)
    said = [f'"{target}" had {" and ".join(still)} before it was pinned, so it still does not fade.'] if still else []
    if records:
        try:
            keep_records(state, target, {})
        except OSError as error:
            said.append(f"What is known of the pin could not be let go: {error}")
    return written._replace(warnings=(*written.warnings, *said))


def let_fade(text: str, records: Records) -> str:
    """Take away what pins a note: pure.

    Args:
        text: The note.
        records: What ``pin`` did to it. Where a line is still as it was left then, the one before comes back, and all
            that others wrote stays.

    Raises:
        PropertyError: The front matter cannot be read or safely changed.
    """
    ours = {key: record for key, record in records.items() if line_of_property(text, key) == record.after}
    for key, record in ours.items():
        text = remove_property(text, key) if record.before is None else put_line_back(text, key, record.before)
    for key in () if ours else KEYS:
        if _pins(parse_note(text).front_matter, key):
            text = _without_pin(text, key)
    return text


def _without_pin(text: str, key: str) -> str:
    """Take away what a person may have written, and keep what they said about it."""
    comment = comment_of(line_of_property(text, key) or "")
    if comment and key == "evergreen":
        return set_property(text, key, False, "\n")
    if comment:
        with suppress(PropertyError):  # front matter of nothing but comments would be text
            return put_line_back(text, key, comment)
    return remove_property(text, key)


def _pins(front_matter: Mapping[str, object], key: str) -> bool:
    return is_evergreen(A_DAY, {key: front_matter[key]}) if key in front_matter else False


def _with_record(means: Means, written: Written, key: str, before: str | None, after: str) -> Written:
    """Keep what a pin did, for ``unpin``; a second pin does not hide what stood there before the first."""
    state = means.writer.state
    records = read_records(state, written.path)
    known = records.get(key)
    first = known.before if known is not None and known.after == before else before
    try:
        keep_records(state, written.path, {**records, key: PinRecord(first, after)})
    except OSError as error:
        said = f"The note is pinned; what stood there before could not be kept for unpin: {error}"
        return written._replace(warnings=(*written.warnings, said))
    return written


def pin_line(text: str, line: int) -> str:
    """Put a pin at the end of a line: pure.

    Raises:
        UsageError: There is no such line, or a pin would not be read there: in code, a heading, front matter.
    """
    lines = _lines(text, line)
    parsed = parse_note(text)
    if line in parsed.pinned_lines:
        return text
    kind = next((block.kind for block in parsed.blocks if block.line_start <= line <= block.line_end), "")
    if kind in KINDS and lines[line - 1].strip():
        tail = (_ROW_TAIL.search(lines[line - 1]) if kind == "table" else None) or _TAIL.search(lines[line - 1])
        at = tail.start() if tail else len(lines[line - 1])
        lines[line - 1] = f"{lines[line - 1][:at]} {PIN}{lines[line - 1][at:]}"
        changed = "\n".join(lines)
        after = parse_note(changed)
        if line in after.pinned_lines and len(after.blocks) == len(parsed.blocks):
            return changed
    raise UsageError(
        f"Line {line} cannot carry a pin: it is {_OTHERS.get(kind, 'no text')}.",
        "Pin a line of its text, or the whole note.",
    )


def unpin_line(text: str, line: int) -> str:
    """Take the pin off a line: pure."""
    lines = _lines(text, line)
    if line not in parse_note(text).pinned_lines:
        return text
    lines[line - 1] = _TAG.sub("", _COMMENT.sub("", lines[line - 1]))
    return "\n".join(lines)


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Name the note whose front matter stands in the way."""
    try:
        yield
    except PropertyError as error:
        raise ClawvaultError(
            f'Cannot change "{visible(path)}": {error}.', "Change the front matter in an editor."
        ) from error


def _lines(text: str, line: int) -> list[str]:
    lines = text.split("\n")
    n_lines = len(lines) - (lines[-1] == "" and len(lines) > 1)
    if not 1 <= line <= n_lines:
        raise UsageError(f"There is no line {line}.", f"The note has {n_lines} lines.")
    return lines
