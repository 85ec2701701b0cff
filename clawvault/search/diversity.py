"""Variety among hits: pure (maximal marginal relevance, Carbonell and Goldstein 1998; OC-26..28, limits L21)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from clawvault.index.lexical import DENSE, bigrams, fold

# Passages that come back for question after question are read once; each takes some 20 kB.
KEPT = 1024

_WORD = re.compile(rf"[^\W{DENSE}]+")
_DENSE_RUN = re.compile(rf"[{DENSE}]+")


@lru_cache(maxsize=KEPT)
def token_set(text: str) -> frozenset[str]:
    """Return the words of a text, and the character pairs of its dense runs (OC-28)."""
    folded = fold(text).lower()
    return frozenset(
        chain(_WORD.findall(folded), chain.from_iterable(bigrams(run) for run in _DENSE_RUN.findall(folded)))
    )


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Return shared tokens over all tokens, 0..1; two empty sets are alike (OC-27)."""
    if not a and not b:
        return 1.0
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)


def order_by_variety(
    scores: Sequence[float], tokens: Sequence[frozenset[str]], *, weight: float
) -> Iterator[tuple[int, float]]:
    """Choose items one by one: high score, unlike those already chosen.

    Args:
        scores: One score an item, higher is better.
        tokens: One token set an item.
        weight: Lambda: 1 is score alone, 0 is variety alone.

    Yields:
        (item, highest similarity to an item chosen before it) in order of choice; ties go to the lower index.

    Cost: Each item compares all that are left; who takes few pays for few.
    """
    nearest = [0.0] * len(scores)
    left = list(range(len(scores)))
    while left:
        best = max(left, key=lambda item: (weight * scores[item] - (1 - weight) * nearest[item], -item))
        yield best, nearest[best]
        left.remove(best)
        for item in left:
            nearest[item] = max(nearest[item], jaccard(tokens[item], tokens[best]))


@lru_cache(maxsize=KEPT)
def normalised(text: str) -> str:
    """Return a text as it is compared for being the same: folded, one space between words."""
    return " ".join(fold(text).lower().split())
