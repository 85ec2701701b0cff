"""Which lines of a note say a text, each with all that belongs to it: pure (MN-33)."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from clawvault.index.lexical import DENSE, fold
from clawvault.keeping.likeness import SAYING, plain, without_mark
from clawvault.vault.markdown import Block, parse_note

_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?=\s)")
_COMMENT = re.compile(r"\s*<!--.{0,1200}?-->")
# What a line has besides what it says: when it was logged, and what it is linked to by.
_TIME = re.compile(r"\A\d{1,2}:\d{2}(?:\s+|\Z)")
_BLOCK_ID = re.compile(r"\s+\^[\w-]{1,64}\s*\Z")
_BETWEEN_DENSE = re.compile(f"(?<=[{DENSE}]) (?=[{DENSE}])")
_DENSE = re.compile(f"[{DENSE}]")
# Signs that make it another text: of a number, of a language's name.
_NUMBER = re.compile(r"(?<!\w)[-+\u2212]?\d+(?:[.,:/]\d+)*%?|\b[A-Za-z](?:\+\+|#)")
_PICTURES = frozenset({"So", "Sc"})
_ENDS = (".", "!", "?", ":", ";", "…", "。", "！", "？", "；", "：", "  ", "\\", "<br>")


@dataclass(frozen=True, slots=True)
class Entry:
    """What goes together when a text is forgotten.

    Attributes:
        lines: 1-based, in order; blank ones between the others are among them.
        whole: It says the text and nothing more.
        is_text: It is neither heading nor code nor front matter.
    """

    lines: tuple[int, ...]
    whole: bool
    is_text: bool = True


class Wanted:
    """A text that is looked for, at the borders of words and numbers.

    Scripts written without spaces have no such borders. Case, signs and the width of spaces do not count.

    Args:
        text: Words as they stand in a note.
    """

    def __init__(self, text: str) -> None:
        self.plain = _squeeze(plain(text))
        self.is_empty = not self.plain
        self._signs = _signs(_said(text))
        self._said = _squeeze(plain(_said(text)))

    def places(self, said: str) -> Iterator[tuple[int, int]]:
        """Find the text in a plain one: where it begins and ends, without overlap."""
        start = 0
        while not self.is_empty and (start := said.find(self.plain, start)) >= 0:
            end = start + len(self.plain)
            if _is_border(said, start) and _is_border(said, end):
                yield start, end
                start = end
            else:
                start += 1

    def is_in(self, text: str) -> bool:
        """Say whether a line or an item holds it."""
        return any(self.places(_squeeze(plain(text))))

    def may_be_in(self, note: str) -> bool:
        """Say whether a note may say it; told in a fraction of the time that reading its blocks takes."""
        texts = (note, _COMMENT.sub("", note)) if "<!--" in note else (note,)
        return any(self.plain in _squeeze(plain(text)) for text in texts)

    def is_all_of(self, text: str) -> bool:
        """Say whether a text says this and no more, whatever mark or time it begins with."""
        said = _said(text)
        return _squeeze(plain(said)) == self._said and _signs(said) == self._signs


def find_entries(text: str, wanted: Wanted) -> Iterator[Entry]:
    """Find what says a text: the whole item of a list, the lines of a paragraph or quote, the row of a table.

    Args:
        text: The note.
        wanted: What is looked for.

    Returns:
        In order, without overlap.
    """
    lines = text.split("\n")
    blocks = [block for block in parse_note(text).blocks if block.kind in SAYING]
    saying = {number: block for block in blocks for number in range(block.line_start, block.line_end + 1)}
    done = 0
    for number in range(1, len(lines) + 1):
        if number <= done:
            continue
        block = saying.get(number)
        if block is None or block.kind == "table":
            found = [Entry((number,), wanted.is_all_of(lines[number - 1]), block is not None)]
            found = found if wanted.is_in(lines[number - 1]) else []
        elif block.kind == "list_item":
            found, done = _of_item(lines, number, block, wanted)
        else:
            found, done = list(_of_paragraph(lines, number, block.line_end, wanted)), block.line_end
        yield from found


def _of_item(lines: list[str], first: int, block: Block, wanted: Wanted) -> tuple[list[Entry], int]:
    """Look at one item of a list; the second value is the last line that was looked at."""
    inner = (number for number in range(first + 1, block.line_end + 1) if _ITEM.match(lines[number - 1]))
    own_end = next(inner, block.line_end + 1) - 1
    own = range(first, own_end + 1)
    said = " ".join(lines[number - 1].rstrip() for number in own)
    if not wanted.is_in(said) and not wanted.is_in(_COMMENT.sub("", said)):
        return [], own_end
    last = _end_of_item(lines, first, block.line_end)
    return [Entry(tuple(range(first, last + 1)), last == own_end and wanted.is_all_of(said))], last


def _end_of_item(lines: list[str], first: int, block_end: int) -> int:
    """Return the last line of an item: all that is indented below its mark, and what carries its text on."""
    indent = _indent(lines[first - 1])
    last = first
    for number in range(first + 1, len(lines) + 1):
        line = lines[number - 1]
        if not line.strip():
            continue
        carries_on = number <= block_end and number == last + 1 and not _ITEM.match(line)
        if _indent(line) <= indent and not carries_on:
            break
        last = number
    return last


def _of_paragraph(lines: list[str], first: int, last: int, wanted: Wanted) -> Iterator[Entry]:
    """Find the lines over which a text goes in lines that are read as one; a match begins and ends in some of them."""
    said, starts = "", []
    for number in range(first, last + 1):
        more = plain(lines[number - 1])
        glue = " " if said and more and not (_DENSE.match(said[-1]) and _DENSE.match(more[0])) else ""
        starts.append(len(said) + len(glue))
        said += glue + _squeeze(more)
    covered: list[list[int]] = []
    for start, end in wanted.places(said):
        at = list(range(first + bisect_right(starts, start) - 1, first + bisect_left(starts, end)))
        if covered and at[0] <= covered[-1][-1]:
            covered[-1].extend(number for number in at if number > covered[-1][-1])
        else:
            covered.append(at)
    for at in covered:
        is_alone = _is_break(lines, at[0] - 1, first, last) and _is_break(lines, at[-1], first, last)
        yield Entry(tuple(at), is_alone and wanted.is_all_of(" ".join(lines[number - 1] for number in at)))


def _is_break(lines: list[str], number: int, first: int, last: int) -> bool:
    """Say whether what is read as one ends with a line, or a sentence does."""
    return number < first or number >= last or lines[number - 1].removesuffix("\r").endswith(_ENDS)


def _is_border(said: str, at: int) -> bool:
    if at in {0, len(said)}:
        return True
    before, after = said[at - 1], said[at]
    return " " in {before, after} or bool(_DENSE.match(before) or _DENSE.match(after))


def _said(text: str) -> str:
    bare = without_mark(_BLOCK_ID.sub("", _COMMENT.sub("", text)))
    return _TIME.sub("", bare.lstrip("> \t"), count=1) or bare


def _signs(text: str) -> list[str]:
    folded = fold(text)
    return [*_NUMBER.findall(folded), *(sign for sign in folded if unicodedata.category(sign) in _PICTURES)]


def _squeeze(said: str) -> str:
    """Take out the spaces of a plain text between characters that are written without any."""
    return said if said.isascii() else _BETWEEN_DENSE.sub("", said)


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
