"""Figures of one ranked list against the evidence of its question: pure.

A hit is relevant when it shares a line with a span of evidence. Every figure is 0..1, higher is better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

CUTS = (1, 3, 5, 10)
BUDGETS = (2, 4, 8)
NDCG_DEPTH = 10

Found = Sequence[frozenset[int]]


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a note, 1-based, inclusive."""

    path: str
    line_start: int
    line_end: int

    def shares_line_with(self, other: Span) -> bool:
        """Say whether both hold a line of the same note."""
        return self.path == other.path and self.line_start <= other.line_end and other.line_start <= self.line_end


def find_evidence(evidence: Sequence[Span], returned: Iterable[Span]) -> list[frozenset[int]]:
    """Return for each hit, best first, which spans of evidence it shares a line with.

    Args:
        evidence: What answers the question.
        returned: The hits, best first.

    Returns:
        One set a hit, of indexes into ``evidence``; every figure below is computed from this list.
    """
    return [frozenset(number for number, span in enumerate(evidence) if span.shares_line_with(hit)) for hit in returned]


def recall_at(found: Found, n_evidence: int, k: int) -> float:
    """Return the share of evidence that the first ``k`` hits hold (IW-105)."""
    return len(_union(found[:k])) / n_evidence


def precision_at(found: Found, k: int) -> float:
    """Return the share of ``k`` places that relevant hits take; a place left empty counts as wrong (IW-106)."""
    return sum(1 for item in found[:k] if item) / k


def hit_at(found: Found, k: int) -> float:
    """Return 1 when any of the first ``k`` hits is relevant, else 0."""
    return float(any(found[:k]))


def reciprocal_rank(found: Found) -> float:
    """Return 1 / rank of the first relevant hit, 0 without one; its mean over questions is MRR (IW-107)."""
    return next((1 / rank for rank, item in enumerate(found, 1) if item), 0.0)


def ndcg(found: Found, n_evidence: int) -> float:
    """Return the normalised discounted cumulative gain of the first 10 hits (IW-111).

    A hit gains one for each span that no hit before it held, so that a passage that comes twice earns nothing twice.
    The ideal list has one new span a rank; a list that beats it by long passages is clipped at 1.
    """
    seen: frozenset[int] = frozenset()
    gained = 0.0
    for rank, item in enumerate(found[:NDCG_DEPTH], 1):
        gained += len(item - seen) / math.log2(rank + 1)
        seen |= item
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(n_evidence, NDCG_DEPTH) + 1))
    return min(1.0, gained / ideal)


def coverage(found: Found, sizes: Sequence[int], n_evidence: int, budget_chars: int) -> float:
    """Return the share of evidence within the first characters of what was returned.

    The one figure that is fair between lengths of passages.

    Args:
        found: As ``find_evidence`` gives it.
        sizes: Characters of each hit, line ends included.
        n_evidence: How many spans of evidence there are.
        budget_chars: Hits count up to the last one that ends within this many characters.
    """
    used = 0
    kept = 0
    for size in sizes:
        used += size
        if used > budget_chars:
            break
        kept += 1
    return recall_at(found, n_evidence, kept)


def score_question(evidence: Sequence[Span], returned: Sequence[Span], sizes: Sequence[int]) -> dict[str, float]:
    """Return all figures of one question.

    Args:
        evidence: What answers the question, one span or more.
        returned: The hits, best first.
        sizes: Characters of each hit.

    Returns:
        ``mrr``, ``ndcg@10``, ``recall@k``, ``precision@k`` and ``hit@k`` for k of 1, 3, 5, 10, and ``cov@2k``,
        ``cov@4k``, ``cov@8k``, always in the same order.

    Source: IW-105, IW-106, IW-107, IW-111.
    """
    found, n_evidence = find_evidence(evidence, returned), len(evidence)
    row = {"mrr": reciprocal_rank(found), "ndcg@10": ndcg(found, n_evidence)}
    for k in CUTS:
        row[f"recall@{k}"] = recall_at(found, n_evidence, k)
        row[f"precision@{k}"] = precision_at(found, k)
        row[f"hit@{k}"] = hit_at(found, k)
    for budget in BUDGETS:
        row[f"cov@{budget}k"] = coverage(found, sizes, n_evidence, budget * 1000)
    return row


def mean_scores(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each figure over questions; empty without questions."""
    return {name: math.fsum(row[name] for row in rows) / len(rows) for name in rows[0]} if rows else {}


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least so great a share of all does not pass (nearest rank); 0 without any."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def _union(sets: Iterable[frozenset[int]]) -> frozenset[int]:
    return frozenset().union(*sets)
