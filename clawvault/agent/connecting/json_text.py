"""Change one member of a JSON text and leave every other byte as it is: comments, order, spaces (pure).

Agents read JSON with comments and trailing commas, and JSON5; a parser that writes a file anew would lose what a person
put there. So the text is read only as far as to know where members begin and end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clawvault.errors import ClawvaultError

BLANK = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', re.DOTALL)
# What stands behind a value on its line speaks of that value.
REMARK = re.compile(r"(?P<space>[ \t]*)(?P<comma>,?)(?P<said>[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/))")
BARE = re.compile(r"[^\s,:{}\[\]\"'/]+")
DEEPEST = 200


class JsonTextError(ClawvaultError):
    """Say that a text is not JSON, with or without comments."""


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object: where it begins, where its value begins, and where it ends."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """One value: ``[start, end)``, and its members when it is an object; ``items`` are the places of an array's."""

    start: int
    end: int
    members: tuple[Member, ...] | None = None
    items: tuple[tuple[int, int], ...] | None = None


def set_member(text: str, keys: tuple[str, ...], value: Any) -> str:
    """Put a member into an object of a text, in place of one of its name.

    Args:
        text: JSON; empty text is an empty object.
        keys: The way to the member; objects on the way are made.
        value: Its new value.

    Raises:
        JsonTextError: The text is not JSON, or something on the way is no object.
    """
    if not text.strip("\ufeff \t\r\n"):
        return _render(_nested(keys, value), "") + "\n"
    newline = "\r\n" if "\r\n" in text else "\n"
    at, depth = read_value(text, _skip(text, 0)), 0
    _insist_on_end(text, at.end)
    for key in keys:
        member = _find(_members(at, keys[:depth]), key)
        if member is None:
            return _insert(text, at, key, _nested(keys[depth + 1 :], value), newline)
        at, depth = read_value(text, member.value), depth + 1
    indent = _indent_of(text, at.start)
    return text[: at.start] + _render(value, indent).replace("\n", newline) + text[at.end :]


def remove_member(text: str, keys: tuple[str, ...]) -> str:
    """Take a member out of an object of a text; objects that held nothing else stay.

    Returns:
        The text as it was when there is no such member.

    Raises:
        JsonTextError: The text is not JSON.
    """
    found = _locate(text, keys[:-1])
    if found is None or found.members is None:
        return text
    places = [(member.start, member.end) for member in found.members]
    index = next((at for at, member in enumerate(found.members) if member.key == keys[-1]), None)
    return text if index is None else _cut(text, places, index)


def append_item(text: str, keys: tuple[str, ...], value: Any) -> str:
    """Put an item at the end of an array of a text, which is made when missing.

    Raises:
        JsonTextError: The text is not JSON, or there is something else than an array.
    """
    found = _locate(text, keys) if text.strip("\ufeff \t\r\n") else None
    if found is None:
        return set_member(text, keys, [value])
    if found.items is None:
        raise JsonTextError(f'"{".".join(keys)}" is not a list.', "Look at the file.")
    newline = "\r\n" if "\r\n" in text else "\n"
    inner = _indent_of(text, found.start) + "  "
    rendered = newline + inner + _render(value, inner).replace("\n", newline)
    if not found.items:
        return f"{text[: found.start]}[{rendered}{newline}{inner[:-2]}]{text[found.end :]}"
    last = found.items[-1][1]
    return _put_after(text, last, rendered)


def list_items(text: str, keys: tuple[str, ...]) -> list[Any]:
    """Return the items of an array of a text; one that is not strict JSON is a value that equals nothing."""
    found = _locate(text, keys) if text.strip("\ufeff \t\r\n") else None
    places = () if found is None or found.items is None else found.items
    return [_plain(text[start:end]) for start, end in places]


def remove_items(text: str, keys: tuple[str, ...], is_wanted: Callable[[Any], bool]) -> str:
    """Take each item of which that is true out of an array of a text.

    Raises:
        JsonTextError: The text is not JSON.
    """
    while True:
        found = _locate(text, keys)
        places = [] if found is None or found.items is None else list(found.items)
        index = next((at for at, (start, end) in enumerate(places) if is_wanted(_plain(text[start:end]))), None)
        if index is None:
            return text
        text = _cut(text, places, index)


def get_value(text: str, keys: tuple[str, ...]) -> Any:
    """Return the value of a member, or ``None``; texts that are not strict JSON give a value that equals nothing."""
    found = _locate(text, keys) if text.strip("\ufeff \t\r\n") else None
    return None if found is None else _plain(text[found.start : found.end])


def read_value(text: str, at: int, depth: int = 0) -> Span:
    """Return where the value that begins at a place ends, and what it is made of.

    Raises:
        JsonTextError: There is no value.
    """
    if depth > DEEPEST:
        raise JsonTextError("The file is nested too deeply.", "Look at the file.")
    sign = text[at : at + 1]
    if sign == "{":
        return _read_object(text, at, depth)
    if sign == "[":
        return _read_array(text, at, depth)
    found = STRING.match(text, at) or BARE.match(text, at)
    if found is None:
        raise _problem(text, at)
    return Span(at, found.end())


def _read_object(text: str, at: int, depth: int) -> Span:
    members: list[Member] = []
    here = _skip(text, at + 1)
    while text[here : here + 1] != "}":
        found = STRING.match(text, here) or BARE.match(text, here)
        if found is None:
            raise _problem(text, here)
        colon = _skip(text, found.end())
        if text[colon : colon + 1] != ":":
            raise _problem(text, colon)
        value = read_value(text, _skip(text, colon + 1), depth + 1)
        members.append(Member(_name(found.group()), here, value.start, value.end))
        here = _next(text, value.end, "}")
    return Span(at, here + 1, members=tuple(members))


def _read_array(text: str, at: int, depth: int) -> Span:
    items: list[tuple[int, int]] = []
    here = _skip(text, at + 1)
    while text[here : here + 1] != "]":
        value = read_value(text, here, depth + 1)
        items.append((value.start, value.end))
        here = _next(text, value.end, "]")
    return Span(at, here + 1, items=tuple(items))


def _next(text: str, at: int, closing: str) -> int:
    here = _skip(text, at)
    sign = text[here : here + 1]
    if sign == ",":
        return _skip(text, here + 1)
    if sign != closing:
        raise _problem(text, here)
    return here


def _locate(text: str, keys: tuple[str, ...]) -> Span | None:
    at = read_value(text, _skip(text, 0))
    _insist_on_end(text, at.end)
    for key in keys:
        member = _find(at.members or (), key)
        if member is None:
            return None
        at = read_value(text, member.value)
    return at


def _insert(text: str, at: Span, key: str, value: Any, newline: str) -> str:
    members = at.members or ()
    outer = _indent_of(text, at.start)
    inner = (
        _indent_of(text, members[0].start) if members and "\n" in text[at.start : members[0].start] else outer + "  "
    )
    rendered = newline + inner + (json.dumps(key) + ": " + _render(value, inner)).replace("\n", newline)
    if members:
        last = members[-1].end
        return _put_after(text, last, rendered)
    body = text[at.start + 1 : at.end - 1].rstrip()
    return f"{text[: at.start]}{{{body}{rendered}{newline}{outer}}}{text[at.end :]}"


def _cut(text: str, places: list[tuple[int, int]], index: int) -> str:
    """Take out one of several parts with the comma it needs no more."""
    start, end = places[index]
    if index > 0:
        # The comma before it goes, and all between; what a person wrote after it stays.
        before = places[index - 1][1]
        gap = text[before:start]
        kept = gap[: gap.index(",")] + gap[gap.index(",") + 1 :].rstrip() if "," in gap else ""
        return text[:before] + kept + text[end:]
    following = BLANK.match(text, end)
    after = following.end() if following else end
    if text[after : after + 1] == ",":
        end = after + 1
    head = text[:start].rstrip(" \t")
    tail = text[end:]
    if len(places) == 1:
        opening = text[:start].rstrip()
        closing = tail.lstrip()
        if opening[-1:] in "{[" and closing[:1] in ("}", "]"):
            return opening + closing
    return head.rstrip("\r\n") + tail if head.endswith("\n") and tail.startswith(("\n", "\r\n")) else head + tail


def _put_after(text: str, last: int, rendered: str) -> str:
    """Put one more part after the last, whose remark stays with it."""
    rest = text[last:]
    remark = REMARK.match(rest)
    if remark is None:
        return f"{text[:last]},{rendered}{_without_comma(rest)}"
    rest = rest[remark.end() :]
    return (
        f"{text[:last]},{remark['space']}{remark['said']}{rendered}{rest if remark['comma'] else _without_comma(rest)}"
    )


def _without_comma(rest: str) -> str:
    """Return what follows the last member without a trailing comma, which now stands before the new one."""
    blank = BLANK.match(rest)
    end = blank.end() if blank else 0
    return rest[:end] + rest[end + 1 :] if rest[end : end + 1] == "," else rest


def _find(members: tuple[Member, ...], key: str) -> Member | None:
    # Of two members with one name, readers take the last.
    return next((member for member in reversed(members) if member.key == key), None)


def _members(at: Span, way: tuple[str, ...]) -> tuple[Member, ...]:
    if at.members is None:
        raise JsonTextError(f'"{".".join(way) or "The file"}" is not an object.', "Look at the file.")
    return at.members


def _nested(keys: tuple[str, ...], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _render(value: Any, indent: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n" + indent)


def _indent_of(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _skip(text: str, at: int) -> int:
    found = BLANK.match(text, at)
    return found.end() if found else at


def _insist_on_end(text: str, at: int) -> None:
    if (here := _skip(text, at)) != len(text):
        raise _problem(text, here)


def _name(token: str) -> str:
    if token[0] == '"':
        try:
            return str(json.loads(token))
        except ValueError:
            return token[1:-1]
    return token[1:-1] if token[0] == "'" else token


def _plain(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return object()


def _problem(text: str, at: int) -> JsonTextError:
    line = text.count("\n", 0, at) + 1
    return JsonTextError(f"The file is not JSON: line {line} cannot be read.", "Mend that line, then try again.")
