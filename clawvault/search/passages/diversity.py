"""Variety among hits: pure (maximal marginal relevance, Carbonell and Goldstein 1998; OC-26..28, limits L21)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heapreplace
from itertools import chain

from clawvault.index.lexical import DENSE, DENSE_RUN, bigrams, fold
from clawvault.patterns import compiled

# Passages that come back for question after question are read once; each takes some 20 kB.
KEPT = 1024
# Texts that begin with other words are not the same.
OPENING_WORDS = 4
READ_WORDS = 12

_WORD = rf"[^\W{DENSE}]+"
_ASCII_WORD = r"[a-z0-9_]+"


@lru_cache(maxsize=KEPT)
def token_set(text: str) -> frozenset[str]:
    """Return the words of a text, and the character pairs of its dense runs (OC-28)."""
    folded = fold(text).lower()
    if folded.isascii():
        return frozenset(compiled(_ASCII_WORD).findall(folded))
    dense = chain.from_iterable(bigrams(run) for run in compiled(DENSE_RUN).findall(folded))
    return frozenset(chain(compiled(_WORD).findall(folded), dense))


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Return shared tokens over all tokens, 0..1; two empty sets are alike (OC-27)."""
    if not a and not b:
        return 1.0
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)


def order_by_variety(
    scores: Sequence[float], tokens: Callable[[int], frozenset[str]], *, weight: float
) -> Iterator[tuple[int, float]]:
    """Choose items one by one: high score, unlike those already chosen.

    Args:
        scores: One score an item, higher is better.
        tokens: Returns the token set of an item; asked only of items that come near to being chosen.
        weight: Lambda: 1 is score alone, 0 is variety alone.

    Yields:
        (item, highest similarity to an item chosen before it) in order of choice; ties go to the lower index.

    Cost: An item is compared with those chosen before only when nothing else can pass it: likeness never falls as more
    are chosen, so what an item was worth before is the most it can be worth now (Minoux 1978).
    """
    nearest = [0.0] * len(scores)
    chosen: list[frozenset[str]] = []
    n_compared = [0] * len(scores)
    heap = [(-weight * score, item) for item, score in enumerate(scores)]
    heapify(heap)
    while heap:
        _, item = heap[0]
        if n_compared[item] == len(chosen):
            heappop(heap)
            yield item, nearest[item]
            chosen.append(tokens(item))
            continue
        mine = tokens(item)
        nearest[item] = max(nearest[item], *(jaccard(mine, other) for other in chosen[n_compared[item] :]))
        n_compared[item] = len(chosen)
        heapreplace(heap, (-(weight * scores[item] - (1 - weight) * nearest[item]), item))


@lru_cache(maxsize=KEPT)
def normalised(text: str) -> str:
    """Return a text as it is compared for being the same: folded, one space between words."""
    return " ".join(fold(text).lower().split())


def opening(text: str) -> tuple[str, ...]:
    """Return the first words of ``normalised(text)``, without going through the whole of a long text."""
    words = text.split(None, READ_WORDS)
    if len(words) > READ_WORDS:
        first = fold(" ".join(words[:READ_WORDS])).lower().split()
        if len(first) >= OPENING_WORDS:
            return tuple(first[:OPENING_WORDS])
    return tuple(normalised(text).split()[:OPENING_WORDS])
