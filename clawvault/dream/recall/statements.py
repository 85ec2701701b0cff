"""The statements of a note, the unit that is recalled and promoted: pure.

A passage of the index holds many lines and is cut anew whenever its note grows. A statement, one item of a list or one
short paragraph, keeps its identity by the hash of its text, wherever it moves.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clawvault.index.sentences import split_sentences
from clawvault.search.asking.query import STOP_WORDS
from clawvault.search.passages.diversity import token_set
from clawvault.vault.plain_blocks import Block, plain_blocks

# A longer paragraph is told apart by its sentences.
MAX_CHARS = 400
MAX_QUERY_CHARS = 2000
# A passage of more statements than this is about none of them.
MOST_MEANT = 8
HASH_CHARS = 16
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+")
_TASK = re.compile(r"\[[ xX/-]\]\s+")
_CLOCK = re.compile(r"(?:\*\*|`)?\d{1,2}:\d{2}(?::\d{2})?(?:\*\*|`)?\s*[-–—:]?\s+")
_COMMENT = re.compile(r"<!--.{0,2000}?-->|%%.{0,2000}?%%", re.DOTALL)
_BLOCK_ID = re.compile(r"\s\^[A-Za-z0-9-]{1,64}$")
# What is a paragraph only to somebody who looks at the beginnings of lines.
_NO_PARAGRAPHS = {
    "fence": re.compile(r"\A(?: {4}|\t)"),
    "html": re.compile(r"\A {0,3}</?[A-Za-z][^:>]{0,200}>"),
    "table": re.compile(r"^[ |:-]*-{3,}[ |:-]*\|[ |:-]*$", re.MULTILINE),
}
_OWN_BEGIN = re.compile(r"<!-- clawvault:([a-z-]{1,40}):begin -->")


class Statement(NamedTuple):
    """One thing a note says.

    Attributes:
        line_start: 1-based, of the note.
        line_end: Inclusive.
        text: One line without the marks of its list, time, comments and block id.
        kind: Kind of its block: ``list_item``, ``paragraph``, ``quote``, ``heading``, ``table``, ``fence``, ``html``,
            ``rule``, ``drawing``.
        heading: Titles of the headings it stands under, outermost first.
        is_task: It has a box to tick.
        is_generated: It stands in a part of the note that a program keeps.
    """

    line_start: int
    line_end: int
    text: str
    kind: str
    heading: tuple[str, ...] = ()
    is_task: bool = False
    is_generated: bool = False

    @property
    def key(self) -> str:
        """Return the hash that is its identity; see ``claim_hash``."""
        return claim_hash(self.text)


def claim_hash(text: str) -> str:
    """Return the identity of a statement: 16 hexadecimal digits of the SHA-256 of its words in NFC.

    Source: L23, I38.
    """
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_CHARS]


def list_statements(text: str, *, body_line: int = 1) -> list[Statement]:
    """Return what a note, or a passage of one, says.

    Blocks are told by what each line starts with: that takes a tenth of the time of full Markdown, and every search
    reads the passages it found this way.

    Args:
        text: The note with its own line ends; secrets are masked by the caller, or not at all.
        body_line: First line after the front matter, 1-based.

    Returns:
        In order of place, each line that is not blank in at least one of them.

    Cost: Linear in the length of the text.
    """
    lines = text.split("\n")
    found: list[Statement] = []
    headings: list[tuple[int, str]] = []
    generated = _generated_lines(lines)
    for told in plain_blocks(lines[body_line - 1 :])[0]:
        shift = body_line - 1
        block = Block(told.kind, told.line_start + shift, told.line_end + shift, told.level, told.title)
        if block.kind == "heading":
            headings = [item for item in headings if item[0] < block.level]
            headings.append((block.level, block.title))
        path = tuple(title for _, title in headings)
        found.extend(
            said._replace(heading=path, is_generated=said.line_start in generated)
            for said in _statements_of(block, lines)
        )
    return found


def find_meant(text: str, query: str) -> tuple[list[Statement], bool]:
    """Return the statements of a passage that a question is about.

    Args:
        text: The passage; its first line counts as line 1.
        query: The question.

    Returns:
        Those that share most of its words; where no word tells, as with a question in another language, all of a
        passage of at most ``MOST_MEANT``, else none. Then whether they share words with it.
    """
    said = [item for item in list_statements(text) if item.kind in {"list_item", "paragraph"} and item.text]
    stems = sorted(map(_stem, token_set(query[:MAX_QUERY_CHARS]) - STOP_WORDS))
    shared = [sum(any(word.startswith(stem) for word in token_set(item.text)) for stem in stems) for item in said]
    most = max(shared, default=0)
    meant = [item for item, count in zip(said, shared, strict=True) if count == most]
    return meant if len(meant) <= MOST_MEANT else [], most > 0


def _stem(word: str) -> str:
    # Other forms of a word differ at its end.
    return word[: max(4, len(word) - 2)] if word.isascii() else word


def _generated_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the lines between the marks of a program, the marks included."""
    found: set[int] = set()
    owner = ""
    for number, line in enumerate(lines, 1):
        begin = _OWN_BEGIN.search(line) if "<!--" in line else None
        owner = begin[1] if begin else owner
        if owner:
            found.add(number)
            owner = "" if f"<!-- clawvault:{owner}:end -->" in line else owner
    return frozenset(found)


def _statements_of(block: Block, lines: Sequence[str]) -> Iterator[Statement]:
    if block.kind == "list_item":
        for first, last in _items(block, lines):
            yield _item(first, last, lines)
    elif block.kind == "paragraph":
        yield from _paragraph(block, lines)
    else:
        said = "\n".join(lines[block.line_start - 1 : block.line_end])
        yield Statement(block.line_start, block.line_end, _clean(said) if block.kind != "fence" else "", block.kind)


def _items(block: Block, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the lines of an item and of each item below it, blank lines and what follows them left out."""
    first = block.line_start
    for number in range(block.line_start + 1, block.line_end + 2):
        if number > block.line_end or _ITEM.match(lines[number - 1]):
            ends = (at - 1 for at in range(first + 1, number) if _ends_item(lines[at - 1]))
            last = next(ends, number - 1)
            yield first, last
            first = number


def _ends_item(line: str) -> bool:
    shown = line.strip()
    return not shown or (shown.startswith("<!--") and shown.endswith("-->"))


def _item(first: int, last: int, lines: Sequence[str]) -> Statement:
    said = _ITEM.sub("", lines[first - 1], count=1)
    task = _TASK.match(said)
    said = _TASK.sub("", said, count=1) if task else said
    said = "\n".join([_CLOCK.sub("", said, count=1) if _CLOCK.match(said) else said, *lines[first:last]])
    return Statement(first, last, _clean(said), "list_item", is_task=task is not None)


def _paragraph(block: Block, lines: Sequence[str]) -> Iterator[Statement]:
    said = "\n".join(lines[block.line_start - 1 : block.line_end])
    kind = next((kind for kind, mark in _NO_PARAGRAPHS.items() if mark.search(said)), "paragraph")
    if len(said) <= MAX_CHARS or kind != "paragraph":
        text = _clean(said)
        yield Statement(block.line_start, block.line_end, text, kind if text else "html")
        return
    for start, end in split_sentences(said):
        first = block.line_start + said.count("\n", 0, start)
        piece = said[start:end].rstrip()
        yield Statement(first, first + piece.count("\n"), _clean(piece), "paragraph")


def _clean(said: str) -> str:
    said = _COMMENT.sub(" ", said)
    lines = [_BLOCK_ID.sub("", line.rstrip()).strip() for line in said.split("\n")]
    return " ".join(" ".join(lines).split())
