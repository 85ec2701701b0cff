"""Set and take away one property in the front matter of a note, every other byte as it was: pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from clawvault.vault.front_matter import CLOSING, OPENING, parse_front_matter

Value = int | bool
_COMMENT = re.compile(r"[ \t]#[^\n]*$")


class PropertyError(ValueError):
    """Say why a property cannot be changed, as the end of a sentence."""


def set_property(text: str, key: str, value: Value, newline: str) -> str:
    """Give a property of a note a value.

    Args:
        text: The whole note, without a byte order mark.
        key: A plain word.
        value: A whole number, true or false.
        newline: The line end of the note.

    Returns:
        The note with that line of its front matter changed, or added as the last one; a note without front matter gets
        one. The same text when the property has the value already.

    Raises:
        PropertyError: The front matter cannot be read, or has a form in which a line cannot be changed.

    Source: B059, L2a.
    """
    before, _ = _parse(text)
    if _is_same(before.get(key), value):
        return text
    shown = str(value).lower()
    span = _source_span(text)
    if span is None:
        changed = f"---{newline}{key}: {shown}{newline}---{newline}{text}"
    else:
        start, end = span
        source, found = text[start:end], list(_line_of(key).finditer(text[start:end]))
        if found:
            at, end_of_value = found[-1].span("value")
            apart = " " if source[at - 1] == ":" else ""
            source = source[:at] + apart + shown + source[end_of_value:]
        else:
            ending = "\r\n" if text[:start].endswith("\r\n") else "\n"
            source = f"{source}{key}: {shown}{ending}"
        changed = text[:start] + source + text[end:]
    return _checked(text, changed, {**before, key: value})


def remove_property(text: str, key: str) -> str:
    """Take a property of a note away; front matter that holds nothing else goes with it.

    Raises:
        PropertyError: The front matter cannot be read, or has a form in which a line cannot be taken away.
    """
    before, body_line = _parse(text)
    span = _source_span(text)
    if key not in before or span is None:
        return text
    start, end = span
    source = _whole_line_of(key).sub("", text[start:end])
    left = {name: value for name, value in before.items() if name != key}
    if not source.strip():
        return _body(text, body_line)
    return _checked(text, text[:start] + source + text[end:], left)


def line_of_property(text: str, key: str) -> str | None:
    """Return the line that gives a property its value, without its line end; ``None`` when there is none."""
    span = _source_span(text)
    found = list(_whole_line_of(key).finditer(text, *span)) if span else []
    return found[-1][0].rstrip("\r\n") if found else None


def put_line_back(text: str, key: str, line: str) -> str:
    """Put another line in the place of the one that gives a property its value; a comment alone takes it away.

    Raises:
        PropertyError: The front matter cannot be read, or reads otherwise afterwards than it should.
    """
    before, _ = _parse(text)
    span = _source_span(text)
    found = list(_whole_line_of(key).finditer(text, *span)) if span else []
    if not found:
        return text
    at, end = found[-1].span()
    ending = text[at + len(text[at:end].rstrip("\r\n")) : end]
    changed = text[:at] + line + ending + text[end:]
    others = {name: value for name, value in before.items() if name != key}
    now, warning, _ = parse_front_matter(changed)
    return _checked(text, changed, others if warning or key not in now else {**others, key: now[key]})


def comment_of(line: str) -> str:
    """Return the comment at the end of a line of front matter, with its sign; empty when there is none."""
    found = _COMMENT.search(line)
    return found[0].strip() if found else ""


def _checked(old: str, new: str, wanted: Mapping[str, object]) -> str:
    """Read a changed note back; whatever was not to be changed must read as before (B059)."""
    found, warning, body_line = parse_front_matter(new)
    if warning or dict(found) != dict(wanted) or _body(new, body_line) != _body(old, parse_front_matter(old)[2]):
        raise PropertyError("its front matter has a form that only an editor can change safely")
    return new


def _body(text: str, body_line: int) -> str:
    return "".join(text.split("\n", body_line - 1)[body_line - 1 :])


def _parse(text: str) -> tuple[Mapping[str, object], int]:
    found, warning, body_line = parse_front_matter(text)
    if warning:
        raise PropertyError(warning)
    return found, body_line


def _source_span(text: str) -> tuple[int, int] | None:
    """Return where the lines between both rules begin and end; ``None`` when the note has no front matter."""
    if parse_front_matter(text)[2] == 1:
        return None
    opening = OPENING.match(text)
    closing = CLOSING.search(text, opening.end()) if opening else None
    return None if opening is None or closing is None else (opening.end(), closing.start())


def _line_of(key: str) -> re.Pattern[str]:
    return re.compile(
        rf"^(?P<quote>[\"']?){key}(?P=quote)[ \t]*:[ \t]*(?P<value>[^#\r\n]*?)(?=[ \t]*(?:[ \t]#[^\n]*)?\r?$)",
        re.MULTILINE,
    )


def _whole_line_of(key: str) -> re.Pattern[str]:
    return re.compile(rf"^(?P<quote>[\"']?){key}(?P=quote)[ \t]*:[^\n]*(?:\n|$)", re.MULTILINE)


def _is_same(found: object, value: Value) -> bool:
    return found == value and isinstance(found, bool) == isinstance(value, bool)
