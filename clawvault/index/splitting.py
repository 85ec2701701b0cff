"""Content-defined cutting: the strongest boundary first, so that an edit moves only the cuts beside it.

A stretch that is too long is cut at its strongest boundary, and each side again. Cutting from the top down,
rather than walking from the start, keeps the effect of an edit on its own side of every cut above it. A walk
from the start needs several chunks to fall back into step after a line is inserted.
"""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from clawvault.index.known_cuts import KnownCuts
from clawvault.index.units import HEADING, ITEM, LOOK_AHEAD_CHARS, WORD, Marks, refine_marks

TokenCounter = Callable[[Sequence[str]], list[int]]


class LengthMemory(Protocol):
    """Remembers which texts have no more than ``max_tokens``."""

    def fits(self, text: str) -> bool | None:
        """Say whether a text fits; ``None`` when that is not known."""

    def add_long(self, texts: Iterable[str]) -> None:
        """Take in texts that were found not to fit."""


# A stretch of up to so many of the longest chunks is remembered, with all that it is cut into.
REMEMBERED_CHUNKS = 8
# Where a structural boundary (heading, block, item) lies this near an end, cutting there still beats
# cutting inside a block.
NEAR = 4
# Both sides of a cut get at least this share of the stretch, when the wanted minimum is more.
SMALLEST_SHARE = 0.4
WORDS_LEVEL = 2
MAX_CLUSTER_CHARS = 32


@dataclass(frozen=True, slots=True)
class Piece:
    """Hold a stretch of the text and the boundaries known inside it.

    Args:
        start: First offset.
        end: Offset after the last.
        marks: Boundaries, which may reach beyond the stretch.
        level: 0 knows line starts, 1 sentences and clauses, 2 words.
    """

    start: int
    end: int
    marks: Marks
    level: int = 0

    def key(self, flat: str) -> bytes:
        """Return a hash of the boundaries and of the text, so far as a look ahead from its last words goes."""
        first, last = bisect_left(self.marks.at, self.start), bisect_right(self.marks.at, self.end)
        at = array("q", [place - self.start for place in self.marks.at[first:last]])
        digest = blake2b(
            flat[self.start : self.end + LOOK_AHEAD_CHARS].encode("utf-8", "surrogatepass"), digest_size=16
        )
        digest.update(array("q", [len(at), *self.marks.strength[first:last]]).tobytes() + at.tobytes())
        return digest.digest()


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the bounds of a chunk.

    Args:
        max_chars: Most characters.
        min_chars: Fewest characters wanted.
        max_tokens: Most tokens; 0 sets no limit.
        each_from: A stretch that fits is cut further at boundaries of at least this strength.
        lengths: What was found of texts before, which spares counting their tokens.
        cuts: How stretches were cut before, within the same bounds.
    """

    max_chars: int
    min_chars: int
    max_tokens: int
    each_from: int = HEADING
    lengths: LengthMemory | None = None
    cuts: KnownCuts | None = None


def split_pieces(flat: str, pieces: Iterable[Piece], limits: Limits, count_tokens: TokenCounter) -> list[Piece]:
    """Cut pieces until each fits the limits and every section that is long enough stands alone.

    Args:
        flat: The text the offsets belong to.
        pieces: Stretches to cut.
        limits: Bounds of a chunk.
        count_tokens: The model's own count, marks included.

    Returns:
        Pieces in order, without white space at their ends, none empty.

    Cost: O(n log n) characters; each chunk's tokens are counted once.
    """
    todo = [trimmed for piece in pieces if (trimmed := trim_piece(flat, piece))]
    most = REMEMBERED_CHUNKS * limits.max_chars
    if limits.cuts is None or all(piece.end - piece.start <= most for piece in todo):
        return _split(flat, todo, limits, count_tokens)
    return _split_long(flat, todo, limits, count_tokens, limits.cuts)


def _split(flat: str, todo: list[Piece], limits: Limits, count_tokens: TokenCounter) -> list[Piece]:
    done: list[Piece] = []
    while todo:
        parted: list[Piece] = []
        fitting: list[Piece] = []
        for piece in todo:
            cut = _section_cut(flat, piece, limits) if piece.end - piece.start <= limits.max_chars else None
            if cut is not None:
                parted += _part(flat, piece, cut)
            elif piece.end - piece.start > limits.max_chars:
                parted += _part_long(flat, piece, limits)
            else:
                fitting.append(piece)
        for piece, fits in zip(fitting, _fits(flat, fitting, limits, count_tokens), strict=True):
            if fits or piece.end - piece.start <= 1:
                done.append(piece)
            else:
                parted += _part_long(flat, piece, limits)
        todo = parted
    return sorted(done, key=lambda piece: piece.start)


def _split_long(
    flat: str, todo: list[Piece], limits: Limits, count_tokens: TokenCounter, cuts: KnownCuts
) -> list[Piece]:
    """Cut as ``_split`` does; what was cut before is not cut again.

    How a piece is cut depends on its own text and boundaries, not on how those beside it are cut.
    """
    done: list[Piece] = []
    new: list[tuple[bytes, Piece]] = []
    while todo:
        piece = todo.pop()
        if piece.end - piece.start > REMEMBERED_CHUNKS * limits.max_chars:
            todo += _part_long(flat, piece, limits)
            continue
        # One that begins within a line is part of a line without end.
        key = piece.key(flat) if piece.level == 0 else b""
        known = cuts.find(key) if key else None
        if known is None:
            new.append((key, piece))
        else:
            done += [Piece(piece.start + start, piece.start + end, piece.marks) for start, end in known]
    found = _split(flat, [piece for _, piece in new], limits, count_tokens)
    starts = [piece.start for piece in found]
    for key, piece in new:
        inside = found[bisect_left(starts, piece.start) : bisect_left(starts, piece.end)]
        if key:
            cuts.add(key, [(each.start - piece.start, each.end - piece.start) for each in inside])
    return sorted(done + found, key=lambda piece: piece.start)


def trim_piece(flat: str, piece: Piece) -> Piece | None:
    """Take white space off a piece's ends, but not the indentation of its first line; ``None`` if nothing is left."""
    start, end = piece.start, piece.end
    while end > start and flat[end - 1].isspace():
        end -= 1
    first = start
    while first < end and flat[first].isspace():
        first += 1
    if first >= end:
        return None
    line = flat.rfind("\n", 0, first) + 1
    return Piece(line if line >= start else first, end, piece.marks, piece.level)


def _fits(flat: str, pieces: Sequence[Piece], limits: Limits, count_tokens: TokenCounter) -> list[bool]:
    if not limits.max_tokens or not pieces:
        return [True] * len(pieces)
    texts = [flat[piece.start : piece.end] for piece in pieces]
    known = [None if limits.lengths is None else limits.lengths.fits(text) for text in texts]
    unknown = [text for text, fits in zip(texts, known, strict=True) if fits is None]
    counted = dict(zip(unknown, count_tokens(unknown), strict=True)) if unknown else {}
    too_long = [text for text, count in counted.items() if count > limits.max_tokens]
    if too_long and limits.lengths is not None:
        limits.lengths.add_long(too_long)
    return [
        counted[text] <= limits.max_tokens if fits is None else fits for text, fits in zip(texts, known, strict=True)
    ]


def _section_cut(flat: str, piece: Piece, limits: Limits) -> int | None:
    found = piece.marks.strongest(flat, piece.start + limits.min_chars, piece.end - limits.min_chars, _middle(piece))
    return found[0] if found is not None and found[1] >= limits.each_from else None


def _part_long(flat: str, piece: Piece, limits: Limits) -> list[Piece]:
    size = piece.end - piece.start
    far = max(1, min(limits.min_chars, int(size * SMALLEST_SHARE)))
    near = max(1, far // NEAR)
    while True:
        inner = piece.marks.strongest(flat, piece.start + far, piece.end - far, _middle(piece))
        outer = piece.marks.strongest(flat, piece.start + near, piece.end - near, _middle(piece))
        if outer is not None:
            return _part(flat, piece, _preferred(inner, outer))
        if piece.level == WORDS_LEVEL:
            return _part(flat, piece, _cluster_start(flat, _middle(piece), piece))
        level = piece.level + 1
        marks = refine_marks(flat, piece.start, piece.end, piece.marks, level)
        piece = Piece(piece.start, piece.end, marks, level)


def _preferred(inner: tuple[int, int] | None, outer: tuple[int, int]) -> int:
    for floor in (HEADING, ITEM, WORD):
        for found in (inner, outer):
            if found is not None and found[1] >= floor:
                return found[0]
    return outer[0]


def _part(flat: str, piece: Piece, cut: int) -> list[Piece]:
    sides = (Piece(piece.start, cut, piece.marks, piece.level), Piece(cut, piece.end, piece.marks, piece.level))
    return [trimmed for side in sides if (trimmed := trim_piece(flat, side))]


def _middle(piece: Piece) -> int:
    return (piece.start + piece.end) // 2


def _cluster_start(flat: str, place: int, piece: Piece) -> int:
    """Move a cut forward so that it parts no letter from its marks and no emoji from what is joined to it."""
    for shifted in range(place, min(place + MAX_CLUSTER_CHARS, piece.end)):
        joined = shifted > piece.start and flat[shifted - 1] == "\u200d"
        mark = flat[shifted]
        if not joined and mark != "\u200d" and unicodedata.category(mark) not in {"Mn", "Mc", "Me"}:
            return max(shifted, piece.start + 1)
    return max(place, piece.start + 1)
