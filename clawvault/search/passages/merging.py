"""Show neighbouring passages of one note as one: pure.

A passage that was cut in two, and both halves of which are good, is one thing to read. Joined passages stay exact
slices of their note (I14): what lies between two chunks is only known where it is line ends and nothing else, so only
then are they joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

MOST_CHUNKS = 3
MOST_CHARS = 3000
# How many places apart two chunks may stand; a far one would take the room of hits that are better than it.
NEAR_PLACES = 2
# In a small vault every chunk is near in rank; one that hardly matches is no part of the answer.
LEAST_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of one note: ``text`` is its characters ``start`` to ``end``, lines are 1-based and inclusive.

    ``copies`` are the other notes that hold the same text, ``score`` how good it is.
    """

    path: str
    start: int
    end: int
    line_start: int
    line_end: int
    text: str
    copies: tuple[str, ...] = ()
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Merged:
    """One passage: where its best chunk stood in the list, from 0, and how many chunks it is made of."""

    place: int
    stretch: Stretch
    chunks: tuple[int, ...]


def merge_neighbours(stretches: Iterable[Stretch], limit: int) -> list[Merged]:
    """Join chunks that follow each other and are near in rank and score, until there are enough passages.

    A chunk that repeats part of a passage above it, and cannot be joined with it, keeps what is new. Each decision
    looks at chunks up to ``NEAR_PLACES`` further down and never at ``limit``, so that more hits only lengthen the list.

    Args:
        stretches: Chunks, best first; read no further than needed.
        limit: The most passages, 1 or more.

    Returns:
        At most ``limit`` passages in order of their best chunk, no two of which overlap; ``chunks`` are places in the
        list, the best first. A chunk that is shown whole by passages above it has none.
    """
    shown: list[Merged] = []
    for place, stretch in enumerate(stretches):
        if sum(place - item.place > NEAR_PLACES for item in shown) >= limit:
            break
        _place(shown, Merged(place, stretch, (place,)))
    return shown[:limit]


def _place(shown: list[Merged], new: Merged) -> None:
    for at in _near(shown, new, new.place):
        rest = _unseen(new.stretch, shown[:at] + shown[at + 1 :])
        joined = rest and _join_passages(shown[at], replace(new, stretch=rest))
        if joined:
            shown[at] = joined
            _bridge(shown, at, new.place)
            return
    rest = _unseen(new.stretch, shown)
    if rest:
        shown.append(replace(new, stretch=rest))


def _bridge(shown: list[Merged], at: int, place: int) -> None:
    """Join a passage that has grown with the one it now touches."""
    for other in _near(shown, shown[at], place):
        joined = other != at and _join_passages(shown[min(at, other)], shown[max(at, other)])
        if joined:
            shown[min(at, other)] = joined
            del shown[max(at, other)]
            return


def _near(shown: list[Merged], new: Merged, place: int) -> Iterator[int]:
    for at, item in enumerate(shown):
        if item.stretch.path == new.stretch.path and place - item.place <= NEAR_PLACES:
            yield at


def _join_passages(better: Merged, other: Merged) -> Merged | None:
    chunks = (*better.chunks, *other.chunks)
    if len(chunks) > MOST_CHUNKS or other.stretch.score < LEAST_SHARE * better.stretch.score:
        return None
    stretch = join(better.stretch, other.stretch)
    if stretch is None or len(stretch.text) > MOST_CHARS:
        return None
    return Merged(better.place, stretch, chunks)


def join(one: Stretch, other: Stretch) -> Stretch | None:
    """Return the stretch that two make together; ``None`` when its exact text is not known from theirs."""
    first, second = sorted((one, other), key=lambda item: (item.start, item.end))
    if (one.path, one.copies) != (other.path, other.copies):
        return None
    gap = second.start - first.end
    if gap >= 0:
        line_ends = second.line_start - first.line_end - first.text.endswith("\n")
        text = first.text + "\n" * gap + second.text if gap == line_ends else None
    else:
        repeated = min(-gap, len(second.text))
        agrees = first.text.startswith(second.text[:repeated], second.start - first.start)
        text = first.text + second.text[repeated:] if agrees else None
    if text is None:
        return None
    end, line_end = first.start + len(text), max(first.line_end, second.line_end)
    return replace(first, end=end, line_end=line_end, text=text, score=max(one.score, other.score))


def _unseen(stretch: Stretch, shown: Iterable[Merged]) -> Stretch | None:
    """Return the part of a chunk that no passage shows yet, without white space at its ends."""
    start, end = stretch.start, stretch.end
    for item in shown:
        above = item.stretch
        if above.path != stretch.path or above.end <= start or end <= above.start:
            continue
        if above.start - start > end - above.end:
            end = above.start
        else:
            start = above.end
    if (start, end) == (stretch.start, stretch.end):
        return stretch
    text = stretch.text[start - stretch.start : max(start, end) - stretch.start]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    if not text:
        return None
    line = stretch.line_start + stretch.text.count("\n", 0, start - stretch.start)
    end, line_end = start + len(text), line + text.count("\n")
    return replace(stretch, start=start, end=end, line_start=line, line_end=line_end, text=text)
