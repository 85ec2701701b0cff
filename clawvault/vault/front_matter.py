"""The YAML at the top of a note, read without letting it do anything (T12)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Imported for the first note that has front matter: it takes as long as a short command may.
    import yaml

MAX_CHARS = 64 * 1024
MAX_DEPTH = 20
MAX_VALUES = 4000
OPENING = re.compile(r"---[ \t]*\r?\n")
CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
FLOAT = re.compile(r"[-+]?[0-9]{1,18}\.[0-9]{1,18}")
CONSTANTS: Mapping[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
CORE_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("map", "seq", "str", "int", "float", "bool", "null"))


class _RefusedError(Exception):
    pass


def parse_front_matter(text: str) -> tuple[Mapping[str, object], str, int]:
    """Read the front matter of a note.

    Values are text, whole numbers, decimal numbers, true, false, nothing, lists and mappings. A date
    stays text, and so do ``yes``, ``12:30`` and ``0x1F``: a title is never turned into something else.

    Args:
        text: The whole note, LF or CRLF.

    Returns:
        The mapping (empty when there is none or it cannot be read), a warning (empty when all is well),
        and the number of the first line after it, 1 when the note has no front matter.

    Source: B053, B055, B057, B061, T12.
    """
    opening = OPENING.match(text)
    closing = CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return {}, "", 1
    body_line = text.count("\n", 0, closing.end()) + 2
    source = text[opening.end() : closing.start()]
    if len(source) > MAX_CHARS:
        return {}, f"front matter is longer than {MAX_CHARS // 1024} kB and was not read", body_line
    import yaml

    try:
        value = _build(source)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 2
        return {}, f"front matter cannot be read: {error.problem} (line {line})", body_line
    except (yaml.YAMLError, ValueError, _RefusedError, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else "it is not YAML"
        return {}, f"front matter cannot be read: {reason}", body_line
    if isinstance(value, dict):
        return value, "", body_line
    if value is None and not source.strip():
        return {}, "", body_line
    # Text between two rules at the top of a note is text, not metadata: it must stay searchable.
    return {}, "", 1


def _build(source: str) -> object:
    import yaml

    # Only the parser of this loader runs: what it makes are events, never objects.
    events = yaml.parse(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    root: list[object] = []
    open_values: list[list[object] | dict[str, object]] = [root]
    keys: list[str | None] = [None]
    for value, closes in _values(events):
        if closes:
            open_values.pop()
            keys.pop()
            continue
        holder = open_values[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif keys[-1] is None:
            if isinstance(value, (list, dict)):
                raise _RefusedError("a key is a list or mapping")
            keys[-1] = _key(value)
            continue
        else:
            holder[keys[-1]] = value
            keys[-1] = None
        if isinstance(value, (list, dict)):
            if len(open_values) > MAX_DEPTH:
                raise _RefusedError(f"it is nested more than {MAX_DEPTH} deep")
            open_values.append(value)
            keys.append(None)
    return root[0] if root else None


def _key(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _values(events: Iterator[yaml.Event]) -> Iterator[tuple[object, bool]]:
    import yaml

    for count, event in enumerate(events):
        if count > MAX_VALUES * 2:
            raise _RefusedError(f"it has more than {MAX_VALUES} values")
        if isinstance(event, yaml.AliasEvent):
            raise _RefusedError("it uses aliases")
        tag = getattr(event, "tag", None)
        if tag is not None and tag not in CORE_TAGS and tag != "!":
            raise _RefusedError(f"it uses the tag {tag[:80]!r}")
        if isinstance(event, yaml.ScalarEvent):
            yield _scalar(event), False
        elif isinstance(event, yaml.SequenceStartEvent):
            yield [], False
        elif isinstance(event, yaml.MappingStartEvent):
            yield {}, False
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            yield None, True
        elif isinstance(event, yaml.DocumentEndEvent):
            return


def _scalar(event: yaml.ScalarEvent) -> object:
    text: str = event.value
    if not event.implicit[0]:
        return text
    if text in CONSTANTS:
        return CONSTANTS[text]
    if INTEGER.fullmatch(text):
        return int(text)
    if FLOAT.fullmatch(text):
        return float(text)
    return text
