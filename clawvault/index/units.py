"""Where a note may be cut: its lines, the stretches that are chunked, and how strong each boundary is."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate

from clawvault.vault.markdown import Block, ParsedNote

# Strength of a boundary; a stronger one is cut first. Heading levels 1 to 6 are HEADING + 5 down to HEADING.
HEADING = 20
RULE = 12
BLOCK = 11
ITEM = 10
NESTED_ITEM = 6
PAUSE_LINE = 5
LINE = 4
SENTENCE = 3
CLAUSE = 2
WORD = 1
NONE = 0

LOOK_AHEAD_CHARS = 32
# Lines of notes that are added to, of which all but the last ones are hashed again otherwise.
MOST_HASHES = 16_384
LONGEST_HASHED = 400
NOT_CHUNKED = frozenset({"front_matter", "drawing"})

_NESTED_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_PAUSE_ENDS = frozenset('.!?…。！？:："”’)」』')
_WIDE_ENDS = "。！？…｡"
# Each pattern has one bounded middle, so a long run of marks costs linear time (B073).
_SENTENCE_END = re.compile(rf"[.!?][\"'”’)\]]{{0,3}}\s+|[{_WIDE_ENDS}][{_WIDE_ENDS}”’」』）\"]{{0,3}}\s*")
_CLAUSE_END = re.compile(r"[,;:]\s+|[，、；：]\s*|\s[–—-]\s+")
_WORD_END = re.compile(r"\s+|[\u3000]")


@dataclass(frozen=True, slots=True)
class Lines:
    """Hold a text with CRLF read as LF, and the way back to offsets of the text itself (B053).

    Args:
        flat: The text with every CRLF as LF; all cutting happens here, so both forms are cut alike.
        starts: Offset in ``flat`` of each line.
        raw_starts: Offset in the text of each line.
    """

    flat: str
    starts: tuple[int, ...]
    raw_starts: tuple[int, ...]

    def line_at(self, offset: int) -> int:
        """Return the 0-based line that holds an offset of ``flat``."""
        return bisect_right(self.starts, offset) - 1

    def raw(self, offset: int) -> int:
        """Return the offset in the text of an offset of ``flat``."""
        line = self.line_at(offset)
        return self.raw_starts[line] + offset - self.starts[line]

    def start_of(self, line: int) -> int:
        """Return the offset in ``flat`` of a line; one past the last line gives the end."""
        return self.starts[line] if line < len(self.starts) else len(self.flat)


@dataclass(frozen=True, slots=True)
class Marks:
    """Hold the boundaries of a stretch, in order.

    Args:
        at: Offsets in ``Lines.flat``, ascending.
        strength: Of each.
        places: Offsets of each strength, the strongest first, each with the hashes of what follows that were looked at;
            for ``strongest`` alone.
    """

    at: Sequence[int]
    strength: Sequence[int]
    places: dict[int, tuple[list[int], list[bytes]]] = field(default_factory=dict, compare=False, repr=False)

    def strongest(self, flat: str, low: int, high: int, middle: int) -> tuple[int, int] | None:
        """Return offset and strength of the boundary to cut in ``low..high``.

        Of equally strong ones it is the one with the greatest hash of the text that follows, and of those the one
        nearest the middle. The choice depends on the text near by alone, so an edit far away moves no cut.
        """
        if not self.places:
            self._sort()
        for strength, (at, hashes) in self.places.items():
            first, last = bisect_left(at, low), bisect_right(at, high)
            if last - first == 1:
                return at[first], strength
            if first < last:
                # Two looks at one stretch, and the looks at its parts, share most of their places.
                if b"" in hashes[first:last]:
                    hashes[first:last] = [hashes[i] or _hash_at(flat, at[i], strength) for i in range(first, last)]
                found = hashes[first:last]
                most = max(found)
                if found.count(most) == 1:
                    return at[first + found.index(most)], strength
                equal = [at[first + i] for i, value in enumerate(found) if value == most]
                return min(equal, key=lambda place: abs(place - middle)), strength
        return None

    def _sort(self) -> None:
        for strength in sorted(set(self.strength), reverse=True):
            at = [place for place, own in zip(self.at, self.strength, strict=True) if own == strength]
            self.places[strength] = at, [b""] * len(at)


def read_lines(text: str) -> Lines:
    """Split a text at LF alone, as editors number lines."""
    pieces = text.split("\n")
    raw_starts = tuple(accumulate((len(piece) + 1 for piece in pieces[:-1]), initial=0))
    if "\r\n" not in text:
        return Lines(text, raw_starts, raw_starts)
    parts = [piece.removesuffix("\r") for piece in pieces[:-1]]
    starts = tuple(accumulate((len(part) + 1 for part in parts), initial=0))
    return Lines("\n".join([*parts, pieces[-1]]), starts, raw_starts)


def list_stretches(lines: Lines, parsed: ParsedNote) -> list[tuple[int, int]]:
    """List the runs of lines that are chunked: all but front matter and drawings.

    Returns:
        Pairs of 0-based first line and line after the last, in order.
    """
    n_lines = len(lines.starts)
    stretches: list[tuple[int, int]] = []
    first = max(parsed.body_line - 1, 0)
    for block in sorted(parsed.blocks, key=lambda block: block.line_start):
        if block.kind in NOT_CHUNKED:
            if first < block.line_start - 1:
                stretches.append((first, block.line_start - 1))
            first = max(first, block.line_end)
    if first < n_lines:
        stretches.append((first, n_lines))
    return stretches


def mark_lines(lines: Lines, parsed: ParsedNote, first: int, last: int) -> Marks:
    """Mark the boundaries at line starts of one stretch.

    Args:
        lines: The note's lines.
        parsed: Its blocks.
        first: 0-based first line of the stretch.
        last: Line after its last.
    """
    strengths = _plain_strengths(lines, first, last)
    inside = [block for block in parsed.blocks if first < block.line_end and block.line_start <= last]
    before = ""
    for block in inside:
        if block.kind == before == "list_item" and block.line_start == block.line_end > first:
            strengths[block.line_start - 1 - first] = ITEM  # So are nearly all lines of a long note.
        else:
            _lay_block(strengths, lines, block, first, last, before)
        before = block.kind
    for block in inside:
        if block.kind == "heading":
            _glue(strengths, block.line_end - first)
    strengths[0] = NONE
    at = [lines.starts[first + i] for i, strength in enumerate(strengths) if strength]
    return Marks(at, [strength for strength in strengths if strength])


def refine_marks(flat: str, start: int, end: int, marks: Marks, level: int) -> Marks:
    """Add the boundaries inside lines to those of ``start..end``, for a stretch no stronger boundary cuts.

    Args:
        flat: The text.
        start: First offset.
        end: Offset after the last.
        marks: Boundaries so far.
        level: 1 adds sentences and clauses, 2 adds words.
    """
    first, last = bisect_right(marks.at, start), bisect_left(marks.at, end)
    found = dict(zip(marks.at[first:last], marks.strength[first:last], strict=True))
    finer = [(_SENTENCE_END, SENTENCE), (_CLAUSE_END, CLAUSE)] if level == 1 else [(_WORD_END, WORD)]
    for pattern, strength in finer:
        for match in pattern.finditer(flat, start, end):
            place = match.end()
            if start < place < end and place not in found:
                found[place] = strength
    at = sorted(found)
    return Marks(at, [found[place] for place in at])


def _plain_strengths(lines: Lines, first: int, last: int) -> list[int]:
    strengths: list[int] = []
    before = ""
    for written in lines.flat[lines.starts[first] : lines.start_of(last)].split("\n")[: last - first]:
        text = written.strip()
        if not text:
            strengths.append(NONE)
        elif not before:
            strengths.append(BLOCK)
        else:
            strengths.append(PAUSE_LINE if before[-1] in _PAUSE_ENDS else LINE)
        before = text
    return strengths


def _lay_block(strengths: list[int], lines: Lines, block: Block, first: int, last: int, before: str) -> None:
    start, end = max(block.line_start - 1, first) - first, min(block.line_end, last) - first
    for i in range(start + 1, end):
        if strengths[i] == BLOCK:
            strengths[i] = PAUSE_LINE  # A blank line inside a fence or a loose item parts it no more than a pause.
        if strengths[i] and block.kind == "list_item" and _NESTED_ITEM.match(lines.flat, lines.starts[first + i]):
            strengths[i] = NESTED_ITEM
    if block.kind == "heading":
        strengths[start] = HEADING + 6 - min(max(block.level, 1), 6)
        strengths[start + 1 : end] = [NONE] * (end - start - 1)
    elif block.kind == "list_item":
        begins = before != "list_item" and not _introduced(lines, first + start)
        strengths[start] = BLOCK if begins else ITEM
    else:
        strengths[start] = RULE if block.kind == "rule" and before != "heading" else BLOCK
    if block.kind == "table":
        strengths[start + 1 : min(start + 3, end)] = [NONE] * len(strengths[start + 1 : min(start + 3, end)])
    if block.kind == "fence" and end - start > 2:
        strengths[start + 1] = strengths[end - 1] = NONE


def _introduced(lines: Lines, line: int) -> bool:
    place = lines.starts[line] - 1
    while place >= 0 and lines.flat[place].isspace():
        place -= 1
    return place >= 0 and lines.flat[place] in ":："


def _glue(strengths: list[int], after: int) -> None:
    """Take away the boundary between a heading and what follows it; a heading alone says nothing."""
    for i in range(max(after, 0), len(strengths)):
        if strengths[i]:
            strengths[i] = NONE
            return


def _hash_at(flat: str, place: int, strength: int) -> bytes:
    """Hash the line that begins at a boundary, or what follows a boundary inside a line."""
    end = flat.find("\n", place) if strength >= LINE else place + LOOK_AHEAD_CHARS
    text = flat[place : len(flat) if end < 0 else end]
    return _hash_text(text) if len(text) <= LONGEST_HASHED else _hash_text.__wrapped__(text)


@lru_cache(MOST_HASHES)
def _hash_text(text: str) -> bytes:
    return blake2b(text.strip().encode("utf-8", "surrogatepass"), digest_size=4).digest()
