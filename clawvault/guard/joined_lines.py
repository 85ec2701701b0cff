"""Lines that steer a model only together: one order written in several pieces (pure, T03)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clawvault.guard.folding import fold_text
from clawvault.guard.foreign_gates import EVERY
from clawvault.guard.strong_orders import FREEING_WORDS, STRONG_WORDS

# So many pieces are put together again, and longer lines are no pieces of an order.
MOST_PIECES, MOST_CHARS = 3, 300
_MARKS = " \t>*+-#"
_WORDS = (*STRONG_WORDS, *FREEING_WORDS, *EVERY)


def joined_lines(before: Sequence[str], after: Sequence[str]) -> str:
    """Return what lines say that stand one below the other, as lines of their own.

    Args:
        before: Lines of a note in order, of which the last is nearest.
        after: Those that follow.

    Returns:
        The last of them with the first, the last two with it, and so on; empty where nothing can be an order.
    """
    above = [piece for line in before[-MOST_PIECES * 2 :] if (piece := _piece(line))][-MOST_PIECES:]
    below = [piece for line in after[: MOST_PIECES * 2] if (piece := _piece(line))][:MOST_PIECES]
    if not above or not below or max(map(len, (above[-1], below[0]))) > MOST_CHARS:
        return ""
    # Sorting out costs less than looking: nearly no two lines have a word of an order.
    said = fold_text(" ".join((*above, *below)))
    if not any(word in said for word in _WORDS):
        return ""
    return "\n\n".join(_together(above, below))


def _together(above: Sequence[str], below: Sequence[str]) -> Iterator[str]:
    for first in range(1, len(above) + 1):
        for last in range(1, len(below) + 1):
            if first + last <= MOST_PIECES + 1:
                yield " ".join((*above[-first:], *below[:last]))


def _piece(line: str) -> str:
    """Return a line without its marks, and without the time that a log gives it."""
    said = line.strip().lstrip(_MARKS)
    is_timed = said[2:3] == ":" and (said[:2] + said[3:5]).isdigit()
    return (said[5:] if is_timed else said).strip()
