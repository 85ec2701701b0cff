"""Join the lanes: pure. Ranks start at 1, higher scores are better, every fused score is 0..1.

``score`` is the default: a convex combination of normalised lane scores, weighted by how far each lane can be trusted
for this question. ``rrf``, ``weighted`` and ``adaptive`` are what other tools do, kept selectable for comparison.
Each returns what either lane adds, so that the score shown can be taken apart again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from clawvault.search.lanes.view import LaneView

# Below it a score is shown as 0.00.
LEAST_SHOWN = 0.005
TRUSTED = 0.5


class Fused(NamedTuple):
    """What each lane adds to the score of one candidate, 0..1.

    ``share`` is the weight of the vector lane, 0..1, and that of the keyword lane the rest. ``reranker`` is what a
    reranker adds, ``raw`` the score it gave, ``None`` where it read nothing.
    """

    keyword: float
    vector: float
    share: float = 0.5
    reranker: float = 0.0
    raw: float | None = None

    @property
    def score(self) -> float:
        """Return the fused score, 0..1."""
        return self.keyword + self.vector + self.reranker


def score_sum(fts: LaneView, vector: LaneView, *, vector_weight: float = 0.5) -> dict[int, Fused]:
    """Return the convex combination of normalised lane scores, weighted by trust (Bruch, Gai and Ingber 2023).

    Keyword strengths are taken as shares of the best, since 0 means "not there"; cosines are stretched over the
    candidates, since theirs has no meaning by itself. A chunk without a vector is judged by its words alone.
    """
    share, rest = vector_weight * vector.trust, (1 - vector_weight) * fts.trust
    # However little it is trusted, a lane that answers alone decides.
    share = 1.0 if not fts.ranks else share / (share + rest) if share + rest else vector_weight
    words, meaning = scale_to_best(fts.scores), min_max(vector.scores)
    return {
        chunk: Fused((1 - share) * words.get(chunk, 0.0), share * meaning[chunk], share)
        if chunk in meaning
        else Fused(words[chunk], 0.0, 0.0)
        for chunk in fts.ranks.keys() | vector.ranks.keys()
    }


def reciprocal_rank(fts: LaneView, vector: LaneView, *, k: int = 60) -> dict[int, Fused]:
    """Return the sum over lanes of ``1 / (k + rank)`` (Cormack, Clarke and Büttcher 2009; IW-55, IW-58)."""

    def part(lane: LaneView, chunk: int) -> float:
        return 1 / (k + lane.ranks[chunk]) if chunk in lane.ranks else 0.0

    chunks = fts.ranks.keys() | vector.ranks.keys()
    return {chunk: Fused(part(fts, chunk), part(vector, chunk)) for chunk in chunks}


def weighted_sum(fts: LaneView, vector: LaneView, *, vector_weight: float = 0.7) -> dict[int, Fused]:
    """Return ``0.7 cosine + 0.3 text score`` on raw scores; a missing lane adds 0 (OC-21, OC-23)."""
    return {
        chunk: Fused(
            (1 - vector_weight) * (text_score(fts.scores[chunk]) if chunk in fts.ranks else 0.0),
            vector_weight * max(0.0, vector.raw_scores[chunk] if chunk in vector.ranks else 0.0),
            vector_weight,
        )
        for chunk in fts.ranks.keys() | vector.ranks.keys()
    }


def adaptive_sum(fts: LaneView, vector: LaneView, *, n_terms: int) -> dict[int, Fused]:
    """Return min-max normalised lanes with 0.7 for vectors in longer questions, else 0.5 (CB-18, CB-19)."""
    alpha = 0.7 if n_terms > 3 else 0.5
    words = min_max({chunk: fts.scores[chunk] for chunk in fts.ranks})
    meaning = min_max({chunk: vector.scores[chunk] for chunk in vector.ranks})
    return {
        chunk: Fused((1 - alpha) * words.get(chunk, 0.0), alpha * meaning.get(chunk, 0.0), alpha)
        for chunk in words.keys() | meaning.keys()
    }


def best_is_one(fused: Mapping[int, Fused]) -> dict[int, Fused]:
    """Return fused scores divided by the best, so that the best is 1 (IW-64)."""
    best = max((item.score for item in fused.values()), default=0.0)
    return (
        {chunk: item._replace(keyword=item.keyword / best, vector=item.vector / best) for chunk, item in fused.items()}
        if best
        else {**fused}
    )


def without_faint(fused: Mapping[int, Fused], fts: LaneView, vector: LaneView) -> Mapping[int, Fused]:
    """Return fused scores without candidates that a vector lane of little trust alone put at 0.00 (limits L20).

    The last of what a trusted lane found stands at 0 as well, and may be right.
    """
    if vector.trust >= TRUSTED:
        return fused
    return {chunk: item for chunk, item in fused.items() if chunk in fts.ranks or item.score >= LEAST_SHOWN}


def min_max(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores stretched to 0..1; equal scores are all 1 (no division by zero, CB-18)."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {chunk: (score - low) / (high - low) for chunk, score in scores.items()}


def scale_to_best(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores as shares of the best; all 1 when none is above 0."""
    best = max(scores.values(), default=0.0)
    return {chunk: score / best for chunk, score in scores.items()} if best > 0 else dict.fromkeys(scores, 1.0)


def text_score(strength: float) -> float:
    """Return a BM25 strength of 0 or more as 0..1: ``r / (1 + r)`` (OC-24)."""
    return strength / (1 + strength)
