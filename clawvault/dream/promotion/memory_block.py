"""The part of a note that promotion keeps, between two marks: pure. Every other byte is a person's (L5, B131).

    ## Kept from daily notes

    <!-- clawvault:promoted:begin -->
    - The port is 5433. <!-- clawvault: memory/2026-03-04.md:3 0b9fe40101e3b7bd 2026-03-09 -->
    <!-- clawvault:promoted:end -->

The heading stands before the marks, so that what is remembered under the section above never lands between them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import unquote

from clawvault.guard.prose import prose_lines
from clawvault.keeping.routing import Category

BEGIN = "<!-- clawvault:promoted:begin -->"
END = "<!-- clawvault:promoted:end -->"
KEPT = Category("promoted", "Kept from daily notes", "从每日笔记保留")
TOPIC = "topics/promoted-{year}"
COMMENT = re.compile(
    r"[ \t]*<!-- clawvault: ([^\s<>]{1,1000}):(\d{1,9})(?:-(\d{1,9}))? ([0-9a-f]{16}) (\d{4}-\d{2}-\d{2}) -->"
)
# What a comment must not hold, and what would end the path in it.
_UNSAFE = re.compile(r"[\s<>%\x00-\x1f]|--")


class Entry(NamedTuple):
    """One promoted statement.

    Attributes:
        claim: Its hash.
        text: The line as it is written.
        path: The note it comes from.
        line_start: 1-based line there.
        line_end: Inclusive.
        day: The local day it was promoted.
    """

    claim: str
    text: str
    path: str
    line_start: int
    line_end: int
    day: date

    def render(self) -> str:
        """Return its line: the text, then where it comes from in a comment (I38, L23)."""
        lines = f"{self.line_start}" + (f"-{self.line_end}" if self.line_end > self.line_start else "")
        path = _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), self.path)
        return f"- {self.text} <!-- clawvault: {path}:{lines} {self.claim} {self.day.isoformat()} -->"

    @property
    def topic(self) -> str:
        """Return the note it goes to when the long-term memory note is full, without its ending."""
        return TOPIC.format(year=self.day.year)


def known_claims(text: str) -> dict[str, str]:
    """Return the claims a note holds already, wherever a person moved them, each with the path it came from."""
    return {found[4]: unquote(found[1]) for found in COMMENT.finditer(text)}


def find_block(text: str) -> tuple[int, int] | None:
    """Return the lines of the two marks, 0-based; ``None`` when there is no whole pair outside of code."""
    begin: int | None = None
    for number, _, line in prose_lines(text):
        if line.strip() == BEGIN:
            begin = number - 1
        elif line.strip() == END and begin is not None:
            return begin, number - 1
    return None


def add_lines(text: str, lines: Sequence[str], title: str, newline: str) -> str:
    """Put lines at the end of the block, which is made at the end of the note when there is none.

    Args:
        text: The note.
        lines: Whole lines without their ends.
        title: The heading of a new block; of level 1 in an empty note.
        newline: The line end of the note.

    Returns:
        The note with every former byte in its place.
    """
    if not lines:
        return text
    ending = newline.removesuffix("\n")
    put = [line + ending for line in lines]
    place = find_block(text)
    if place is not None:
        there = text.split("\n")
        return "\n".join([*there[: place[1]], *put, *there[place[1] :]])
    heading = [f"## {title}", ""] if text.strip() else [f"# {title}", ""]
    made = newline.join([*heading, BEGIN, *lines, END, ""])
    if not text.strip():
        return text + made
    return text + ("" if text.endswith("\n") else newline) + newline + made


def remove_lines(text: str, lines: Collection[str]) -> str:
    """Take lines out of the block as they were put in; what a person changed stays."""
    place = find_block(text)
    if place is None:
        return text
    there = text.split("\n")
    inside = [line for line in there[place[0] + 1 : place[1]] if line.removesuffix("\r") not in lines]
    return "\n".join([*there[: place[0] + 1], *inside, *there[place[1] :]])


def pointer_to(topic: str, title: str) -> str:
    """Return the line that leads to a topic note."""
    return f"- {title}: [[{topic}]]"


class Placing(NamedTuple):
    """Where entries go.

    Attributes:
        memory: Lines for the long-term memory note: entries, and pointers to topic notes.
        topics: Entries by topic note, its path without its ending.
        unpointed: Topic notes for which no pointer fits any more.
    """

    memory: tuple[str, ...]
    topics: dict[str, tuple[Entry, ...]]
    unpointed: tuple[str, ...] = ()


def place_entries(text: str, entries: Sequence[Entry], title: str, *, limit: int) -> Placing:
    """Decide which entries fit into the long-term memory note; the rest goes to topic notes (L5, I37).

    Args:
        text: The note as it is.
        entries: In order; when one does not fit, those after it stay together with it.
        title: Heading of a new block.
        limit: The most bytes the note may have afterwards, as UTF-8.
    """
    memory: list[str] = []
    topics: dict[str, list[Entry]] = {}
    unpointed: list[str] = []
    for entry in entries:
        pointer = pointer_to(entry.topic, title)
        # A pointer must fit as well, once nothing else does.
        reserved = [] if f"[[{entry.topic}]]" in text else [pointer]
        if not topics and _size(add_lines(text, [*memory, entry.render(), *reserved], title, "\n")) <= limit:
            memory.append(entry.render())
            continue
        if entry.topic not in topics and reserved:
            if _size(add_lines(text, [*memory, pointer], title, "\n")) <= limit:
                memory.append(pointer)
            else:
                unpointed.append(entry.topic)
        topics.setdefault(entry.topic, []).append(entry)
    return Placing(tuple(memory), {topic: tuple(found) for topic, found in topics.items()}, tuple(unpointed))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
