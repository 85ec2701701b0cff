"""What an agent is to look at when it is woken without a question: the open items of HEARTBEAT.md (IW-75)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from clawvault.context.cutting import Line
from clawvault.context.sources import Shelf, read_source
from clawvault.vault.prompt_files import HEARTBEAT

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MARK = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
_BOX = re.compile(r"\[(?P<sign>[^\]\n])\](?:[ \t]+|$)")
_NOTHING = re.compile(r"[ \t]{0,3}(?:#{1,6}(?:[ \t]|$)|(?:[-*_=][ \t]*){3,}$|(?:`{3,}|~{3,}))")
# A box with one of these is done, or was given up.
DONE = frozenset("xX-")


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """What there is to do.

    Attributes:
        items: Each open item on one line, in order.
        n_flagged: Lines that are left out, since they may steer a model.
    """

    items: tuple[str, ...] = ()
    n_flagged: int = 0

    @property
    def has_work(self) -> bool:
        """Say whether there is anything to do."""
        return bool(self.items)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"has_work": self.has_work, "items": list(self.items), "flagged_lines": self.n_flagged}


def read_heartbeat(shelf: Shelf) -> Heartbeat:
    """Return the open items of the list; none when there is no such note.

    Raises:
        ClawvaultError: It is there and cannot be given.
    """
    source = read_source(shelf, "heartbeat", HEARTBEAT)
    if source is None:
        return Heartbeat()
    return Heartbeat(find_open_items(source.lines), source.n_flagged)


def find_open_items(lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the open items of a list of things to look at.

    Headings, comments, rules, code, empty boxes and what is ticked off are nothing; every other item of a list, and
    every other paragraph, is open. Lines that go on with an item belong to it.

    Args:
        lines: In order.
    """
    return tuple(item for item in _items(lines) if item)


def _items(lines: Iterable[Line]) -> Iterator[str]:
    # A comment keeps the ends of its lines, so that nothing before and after it is joined.
    joined = "\n".join(text for _, text in lines)
    text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), joined)
    open_item, is_done, after_blank, in_list, fence = "", False, True, False, ""
    for line in text.split("\n"):
        shown = line.strip()
        if fence:
            fence = "" if shown.startswith(fence) and not shown.strip(fence[0]) else fence
            continue
        if not shown:
            after_blank = True
            continue
        mark = _MARK.match(line)
        if _NOTHING.match(line):
            yield open_item
            open_item, is_done, in_list = "", False, False
            fence = shown[:3] if shown.startswith(("```", "~~~")) else ""
        elif mark:
            yield open_item
            open_item, is_done = _read_item(line[mark.end() :].strip())
            in_list = True
        elif after_blank and not (in_list and line[0] in " \t"):
            yield open_item
            open_item, is_done, in_list = shown.lstrip("> "), False, False
        elif not is_done:
            open_item = f"{open_item} {shown.lstrip('> ')}".strip()
        after_blank = False
    yield open_item


def _read_item(said: str) -> tuple[str, bool]:
    """Return what an item says, and whether it is done."""
    box = _BOX.match(said)
    if box is None:
        return said, False
    if box["sign"] in DONE:
        return "", True
    return said[box.end() :].strip(), False
