"""Tags, links, block ids and pins in the lines of a note, found by scanners that look at each character once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from urllib.parse import unquote

MAX_TARGET = 1000
MAX_MARKS = 10_000
MAX_TAG = 200
TAG = re.compile(
    r"(?:^|(?<=[\s(\[,;、，。；（「]))#([^\s#!-,.:-@\[-^`{-~\u2000-\u206f\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]+)"
)
TAG_NUMBER = re.compile(r"[0-9/_-]+")
BLOCK_ID = re.compile(r"(?:^|[ \t])\^([A-Za-z0-9-]{1,100})[ \t]*\r?$")
ID_TAIL = 130
BACKTICKS = re.compile("`+")
PIN_COMMENT = re.compile(r"<!--\s{0,8}pin\s{0,8}-->")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
NOTE_ENDS = (".md", ".markdown")
TITLE_MARKS = frozenset("*`_^[]")
EMPHASIS = str.maketrans("", "", "*`")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another note.

    Attributes:
        target: As written, without heading and alias; empty for a link within the note.
        heading: What follows ``#``; ``^id`` for a block.
        line: 1-based.
    """

    target: str
    heading: str
    line: int


@dataclass(slots=True)
class Marks:
    """What the lines of one note hold."""

    tags: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    block_ids: list[tuple[str, int]] = field(default_factory=list)
    pinned_lines: list[int] = field(default_factory=list)

    @property
    def full(self) -> bool:
        """Tell whether there are as many marks as one note may have (T15)."""
        return len(self.tags) + len(self.links) + len(self.block_ids) >= MAX_MARKS


def scan_lines(lines: Sequence[str], first: int, code_lines: AbstractSet[int]) -> Marks:
    """Collect the marks of a note.

    Args:
        lines: All its lines.
        first: 1-based number of the first line to look at.
        code_lines: 1-based numbers of lines in which nothing is a mark.
    """
    marks = Marks()
    for number in range(first, len(lines) + 1):
        line = lines[number - 1]
        if number in code_lines or not line:
            continue
        if "^" in line and "^" in line[-ID_TAIL:] and (found := BLOCK_ID.search(line, max(0, len(line) - ID_TAIL))):
            marks.block_ids.append((found[1], number))
        pinned = "<!--" in line and PIN_COMMENT.search(line) is not None
        may_hold = "#" in line or "[" in line
        if may_hold:
            shown = without_code_spans(line) if "`" in line else line
            tags = [tag for tag in _tags(shown) if tag] if "#" in shown else []
            marks.tags.extend(tags)
            pinned = pinned or "pin" in tags
            if "[" in shown:
                marks.links.extend(_links(shown, number))
        if pinned:
            marks.pinned_lines.append(number)
        if (may_hold or "^" in line) and marks.full:
            break
    return marks


def front_matter_links(lines: Sequence[str], body_line: int) -> list[Link]:
    """Collect the wikilinks of properties, such as ``related: "[[Alpha]]"``."""
    numbered = enumerate(lines[: body_line - 1], 1)
    return [link for number, line in numbered if "[[" in line for _, link in _wiki_links(line, number)]


def without_code_spans(line: str) -> str:
    """Blank out what stands between runs of equally many backticks, keeping the length of the line."""
    runs = [(found.start(), found.end()) for found in BACKTICKS.finditer(line)]
    later: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[index][1] - runs[index][0], []).append(index)
    pieces: list[str] = []
    done, index = 0, 0
    while index < len(runs):
        start, end = runs[index]
        closers = later[end - start]
        while closers and closers[-1] <= index:
            closers.pop()
        if closers:
            index = closers.pop()
            pieces.extend((line[done:start], " " * (runs[index][1] - start)))
            done = runs[index][1]
        index += 1
    return "".join((*pieces, line[done:])) if pieces else line


def _tags(line: str) -> Iterator[str]:
    for found in TAG.finditer(line):
        tag = found[1].strip("/")
        if len(tag) <= MAX_TAG and not TAG_NUMBER.fullmatch(tag):
            yield tag


def _links(line: str, number: int) -> list[Link]:
    found = [*_wiki_links(line, number), *(_note_links(line, number) if "](" in line else ())]
    return [link for _, link in sorted(found, key=lambda pair: pair[0])]


def _wiki_links(line: str, number: int) -> Iterator[tuple[int, Link]]:
    here = line.find("[[")
    while here >= 0:
        end = line.find("]]", here + 2)
        if end < 0:
            return
        start = line.rfind("[[", here, end) + 2
        inner = line[start:end]
        if inner.strip() and len(inner) <= MAX_TARGET:
            target, _, heading = inner.partition("|")[0].rstrip("\\").partition("#")
            yield start, Link(target.strip(), heading.strip(), number)
        here = line.find("[[", end + 2)


def _note_links(line: str, number: int) -> Iterator[tuple[int, Link]]:
    here = line.find("](")
    while here >= 0:
        start = here + 2
        closing = ">" if line.startswith("<", start) else ")"
        end = line.find(closing, start, start + MAX_TARGET)
        if end >= 0:
            written = line[start:end].lstrip("<").strip()
            if closing == ")" and not written.startswith(('"', "'")):
                written = written.partition(" ")[0]
            target, _, heading = unquote(written).partition("#")
            relative = not SCHEME.match(written) and not target.startswith("/") and "\0" not in target
            if relative and target.lower().endswith(NOTE_ENDS):
                yield start, Link(target, heading, number)
        here = line.find("](", start)


def plain_title(text: str) -> str:
    """Take the marks out of a heading: emphasis, code, links, a block id."""
    title = text.strip()
    if TITLE_MARKS.isdisjoint(title):
        return title
    found = BLOCK_ID.search(title, max(0, len(title) - ID_TAIL))
    if found and found.start():
        title = title[: found.start()].rstrip()
    if "[[" in title:
        title = _unlink(title, "[[", "]]")
    if "](" in title:
        title = _unlink_notes(title)
    return title.translate(EMPHASIS).replace("__", "").strip()


def _unlink(text: str, opening: str, closing: str) -> str:
    pieces: list[str] = []
    done = 0
    here = text.find(opening)
    while here >= 0:
        end = text.find(closing, here)
        if end < 0:
            break
        start = text.rfind(opening, here, end)
        inner = text[start + 2 : end]
        pieces.extend((text[done:start].removesuffix("!"), inner.rpartition("|")[2]))
        done = end + 2
        here = text.find(opening, done)
    return "".join((*pieces, text[done:]))


def _unlink_notes(text: str) -> str:
    pieces: list[str] = []
    done = 0
    here = text.find("](")
    while here >= 0:
        start = text.rfind("[", max(done, here - MAX_TARGET), here)
        end = text.find(")", here, here + MAX_TARGET)
        if start >= 0 and end >= 0:
            pieces.extend((text[done:start].removesuffix("!"), text[start + 1 : here]))
            done = end + 1
        here = text.find("](", max(done, here + 2))
    return "".join((*pieces, text[done:]))
