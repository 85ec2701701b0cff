"""Join the lanes: pure. Ranks start at 1, higher scores are better, every result is 0..1 with the best hit first.

``score`` is the default: a convex combination of normalised lane scores, weighted by how far each lane can be trusted
for this question. ``rrf``, ``weighted`` and ``adaptive`` are what other tools do, kept selectable for comparison.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

CHANCE = 0.125


@dataclass(frozen=True, slots=True)
class LaneView:
    """What one lane says of the candidates.

    ``ranks`` are of the chunks it returned; ``scores`` are its raw scores, also of chunks it did not return where
    they could be computed; ``trust`` is 0..1.
    """

    ranks: Mapping[int, int]
    scores: Mapping[int, float]
    trust: float = 1.0


def reciprocal_rank(lanes: Sequence[LaneView], *, k: int = 60) -> dict[int, float]:
    """Return the sum over lanes of ``1 / (k + rank)`` (Cormack, Clarke and Büttcher 2009; IW-55, IW-58)."""
    fused: dict[int, float] = {}
    for lane in lanes:
        for chunk, rank in lane.ranks.items():
            fused[chunk] = fused.get(chunk, 0.0) + 1 / (k + rank)
    return fused


def weighted_sum(fts: LaneView, vector: LaneView, *, vector_weight: float = 0.7) -> dict[int, float]:
    """Return ``0.7 cosine + 0.3 text score`` on raw scores; a missing lane adds 0 (OC-21, OC-23)."""
    chunks = fts.ranks.keys() | vector.ranks.keys()
    return {
        chunk: vector_weight * max(0.0, vector.scores[chunk] if chunk in vector.ranks else 0.0)
        + (1 - vector_weight) * (text_score(fts.scores[chunk]) if chunk in fts.ranks else 0.0)
        for chunk in chunks
    }


def adaptive_sum(fts: LaneView, vector: LaneView, *, n_terms: int) -> dict[int, float]:
    """Return min-max normalised lanes with 0.7 for vectors in longer questions, else 0.5 (CB-18, CB-19)."""
    alpha = 0.7 if n_terms > 3 else 0.5
    a = min_max({chunk: vector.scores[chunk] for chunk in vector.ranks})
    b = min_max({chunk: fts.scores[chunk] for chunk in fts.ranks})
    return {chunk: alpha * a.get(chunk, 0.0) + (1 - alpha) * b.get(chunk, 0.0) for chunk in a.keys() | b.keys()}


def score_sum(fts: LaneView, vector: LaneView, *, vector_weight: float = 0.5) -> dict[int, float]:
    """Return the convex combination of normalised lane scores, weighted by trust (Bruch, Gai and Ingber 2023)."""
    share = vector_weight * vector.trust
    rest = (1 - vector_weight) * fts.trust
    total = share + rest
    share = share / total if total else vector_weight
    a, b = min_max(vector.scores), min_max(fts.scores)
    chunks = fts.ranks.keys() | vector.ranks.keys()
    return {chunk: share * a.get(chunk, 0.0) + (1 - share) * b.get(chunk, 0.0) for chunk in chunks}


def keyword_trust(best_strength: float, n_chunks: int, n_matches: Sequence[int]) -> float:
    """Return how far the keyword lane can be trusted: the share of the question's weight that its best chunk holds.

    A question in another language than the notes matches a stray name or number at most; its keyword order is noise.

    Args:
        best_strength: BM25 of the first candidate.
        n_chunks: How many chunks there are.
        n_matches: For each term of the question, how many chunks hold it.

    Returns:
        0..1. A chunk with every term once or twice scores about the sum of their weights (Robertson's idf, as in
        FTS5); from two fifths of that on the trust is whole, the point that lost least on questions in the language
        of the notes and on questions in another.
    """
    # The counts are read one after the other while notes change, so a term may be in more chunks than there were.
    weight = sum(max(0.0, math.log((max(n_chunks - n, 0) + 0.5) / (n + 0.5))) for n in n_matches)
    return min(1.0, 2.5 * best_strength / weight) if weight else 1.0


def vector_trust(reads: Mapping[str, float], language: str) -> float:
    """Return how far the vector lane can be trusted with a question: how well the model reads its language.

    Args:
        reads: For each language the share of built-in questions the model answers rightly, chance being 0.125; empty
            when it was not measured.
        language: One of ``reads``; for any other the model is taken to read it as the average of those it was asked.

    Returns:
        0..1; whole when three of four questions are answered rightly.
    """
    if not reads:
        return 1.0
    share = reads.get(language, sum(reads.values()) / len(reads))
    return min(1.0, max(0.0, (share - CHANCE) / (0.75 - CHANCE)))


def min_max(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores stretched to 0..1; equal scores are all 1 (no division by zero, CB-18)."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {chunk: (score - low) / (high - low) for chunk, score in scores.items()}


def scale_to_best(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores divided by the best, so that the best is 1 (IW-64)."""
    best = max(scores.values(), default=0.0)
    return {chunk: score / best for chunk, score in scores.items()} if best > 0 else dict(scores)


def text_score(strength: float) -> float:
    """Return a BM25 strength of 0 or more as 0..1: ``r / (1 + r)`` (OC-24)."""
    return strength / (1 + strength)
