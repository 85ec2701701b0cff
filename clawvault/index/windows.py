"""Sliding windows over a text: the presets that repeat part of one chunk in the next."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from clawvault.index.splitting import Limits, Piece, TokenCounter, split_pieces
from clawvault.index.units import Marks

# A wide character is a word of its own: Chinese and Japanese put no space between words.
_WIDE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORDS = re.compile(rf"[{_WIDE}]|[^\s{_WIDE}]+")
_LINES = re.compile(r"[^\n]*\n?")
OPENCLAW_LINE_CHARS = 1600
NO_MARKS = Marks((), ())


@dataclass(frozen=True, slots=True)
class Window:
    """Hold the measures of a sliding window, in units of weight.

    Args:
        size: Most weight of a chunk.
        overlap: Share of a chunk, 0 to 0.9, that the next one repeats.
        tail: A last chunk that adds less weight than this joins the one before.
    """

    size: float
    overlap: float
    tail: float = 0


def word_spans(flat: str, start: int, end: int) -> list[tuple[int, int]]:
    """List the words of a stretch; each Chinese or Japanese character counts as one (IW-22)."""
    return [match.span() for match in _WORDS.finditer(flat, start, end)]


def line_spans(flat: str, start: int, end: int) -> list[tuple[int, int]]:
    """List the lines of a stretch with their line ends, very long ones in several parts (B063)."""
    spans: list[tuple[int, int]] = []
    for match in _LINES.finditer(flat, start, end):
        first, last = match.span()
        spans += [(at, min(at + OPENCLAW_LINE_CHARS, last)) for at in range(first, last, OPENCLAW_LINE_CHARS)]
    return spans


def slide(
    flat: str,
    spans: Sequence[tuple[int, int]],
    weights: Sequence[float],
    window: Window,
    limits: Limits,
    count_tokens: TokenCounter,
) -> list[Piece]:
    """Lay windows over units so that neighbours share text.

    Args:
        flat: The text.
        spans: Units in order, as offsets.
        weights: Weight of each unit.
        window: Measures.
        limits: Bounds no chunk breaks; a window that would is made shorter.
        count_tokens: The model's own count.

    Returns:
        Pieces in order, without white space at their ends, none empty.

    Source: IW-22..26, OC-24.
    """
    sums = list(accumulate(weights, initial=0.0))
    pieces: list[Piece] = []
    first = reached = 0
    while reached < len(spans):
        last = _reach(spans, sums, first, window.size, limits)
        last = _shrunk(flat, spans, first, last, limits, count_tokens)
        if last <= reached:
            first = reached  # The next unit is too long to come after what would be repeated.
            continue
        if last < len(spans) and sums[-1] - sums[last] < window.tail:
            whole = (flat, spans[first][0], spans[-1][1], limits, count_tokens)
            last = len(spans) if _fits(*whole) else last
        pieces.append(Piece(spans[first][0], spans[last - 1][1], NO_MARKS))
        reached = last
        first = _next_start(sums, first, last, window.overlap)
    return split_pieces(flat, pieces, limits, count_tokens)


def _reach(spans: Sequence[tuple[int, int]], sums: Sequence[float], first: int, size: float, limits: Limits) -> int:
    last = first + 1
    while (
        last < len(spans)
        and sums[last + 1] - sums[first] <= size
        and spans[last][1] - spans[first][0] <= limits.max_chars
    ):
        last += 1
    return last


def _shrunk(
    flat: str,
    spans: Sequence[tuple[int, int]],
    first: int,
    last: int,
    limits: Limits,
    count_tokens: TokenCounter,
) -> int:
    while limits.max_tokens and last - first > 1:
        count = count_tokens([flat[spans[first][0] : spans[last - 1][1]]])[0]
        if count <= limits.max_tokens:
            break
        last = first + max(1, min(last - first - 1, int((last - first) * limits.max_tokens / count)))
    return last


def _fits(flat: str, start: int, end: int, limits: Limits, count_tokens: TokenCounter) -> bool:
    if end - start > limits.max_chars:
        return False
    return not limits.max_tokens or count_tokens([flat[start:end]])[0] <= limits.max_tokens


def _next_start(sums: Sequence[float], first: int, last: int, overlap: float) -> int:
    earliest = sums[last] - (sums[last] - sums[first]) * overlap
    return max(first + 1, bisect_left(sums, earliest, first, last))
