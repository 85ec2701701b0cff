"""Say how the score of a hit came about and why it stands before the next: pure."""

from __future__ import annotations

from typing import Any

from clawvault.search.lanes.candidates import Lanes
from clawvault.search.ranking.ordering import Ranked

# Parts are shown this fine, so that they make up the score to six decimals.
DIGITS = 9


_SUMS = {
    "keyword": "holds more of the question's words (keyword ",
    "vector": "nearer in meaning (",
    "reranker": "answers the question better (reranker ",
}
_FACTORS = {"decay": "newer", "time": "nearer to the time asked for", "change": "the next was replaced since"}


def explain_hit(item: Ranked, following: Ranked | None, lanes: Lanes, mmr_lambda: float | None) -> dict[str, Any]:
    """Take the score of a hit apart.

    Args:
        item: The hit.
        following: The next hit, ``None`` after the last.
        lanes: What each lane said.
        mmr_lambda: Weight of the score against variety; ``None`` where variety was not asked for.

    Returns:
        ``score = (keyword.adds + vector.adds + reranker.adds) * decay * time * change``, to six decimals, with the
        rank, raw score, weight and trust of each lane; weights count before the reranker takes its share.
        ``likeness`` (to the nearest hit above, 0..1) and ``penalty`` (what it takes off when places are given, as a
        share of the best score) moved the place and not the score. ``beats_next`` is one sentence, ``None`` for the
        last hit.
    """
    chunk, fused, fts, vector = item.passage.chunk_id, item.fused, lanes.fts, lanes.vector
    return {
        "keyword": {
            "rank": fts.ranks.get(chunk),
            "strength": fts.scores.get(chunk),
            "trust": round(fts.trust, DIGITS),
            "weight": round(1 - fused.share, DIGITS),
            "adds": round(fused.keyword, DIGITS),
        },
        "vector": {
            "rank": vector.ranks.get(chunk),
            "cosine": vector.raw_scores.get(chunk),
            "trust": round(vector.trust, DIGITS),
            "weight": round(fused.share, DIGITS),
            "adds": round(fused.vector, DIGITS),
        },
        "reranker": None if fused.raw is None else {"raw": fused.raw, "adds": round(fused.reranker, DIGITS)},
        "fused": round(fused.score, DIGITS),
        "decay": round(item.decay, DIGITS),
        "time": round(item.time, DIGITS),
        "change": round(item.change, DIGITS),
        "likeness": round(item.likeness, DIGITS),
        "penalty": 0.0 if mmr_lambda is None else round((1 - mmr_lambda) * item.likeness, DIGITS),
        "score": round(item.score, DIGITS),
        "beats_next": None if following is None else beats_next(item, following, lanes),
    }


def beats_next(item: Ranked, following: Ranked, lanes: Lanes) -> str:
    """Say in a few words why a hit stands before the next one."""
    lead = item.score - following.score
    if round(lead, DIGITS) > 0:
        parts = split_lead(item, following)
        best = max(parts, key=lambda part: parts[part])
        return _say(best, parts[best], item, following)
    if following.likeness > item.likeness:
        return f"the next is like one above it (likeness {following.likeness:.2f})"
    if round(lead, DIGITS) < 0:
        return "the next comes from beyond the first candidates"
    if following.superseded_by and not item.superseded_by:
        return "same score: the next was replaced since"
    ranks = [lanes.fts.ranks.get(hit.passage.chunk_id) for hit in (item, following)]
    if ranks[0] != ranks[1] and ranks[0] is not None:
        return "same score: better rank by words"
    if item.passage.date != following.passage.date:
        return "same score: newer" if item.passage.date else "same score: without a date"
    return "same score: path order"


def split_lead(item: Ranked, following: Ranked) -> dict[str, float]:
    """Return how much of the difference of two scores comes from each part; the parts make up the whole.

    The difference of two products is split by ``a b - c d = (a - c)(b + d) / 2 + (b - d)(a + c) / 2``, part by part.
    """
    mine, theirs = item.fused, following.fused
    parts = {name: getattr(mine, name) - getattr(theirs, name) for name in ("keyword", "vector", "reranker")}
    product, other = mine.score, theirs.score
    for name in ("decay", "time", "change"):
        factor, against = getattr(item, name), getattr(following, name)
        parts = {part: gap * (factor + against) / 2 for part, gap in parts.items()}
        parts[name] = (factor - against) * (product + other) / 2
        product, other = product * factor, other * against
    return parts


def _say(part: str, gap: float, item: Ranked, following: Ranked) -> str:
    if part in _SUMS:
        return f"{_SUMS[part]}{gap:+.2f})"
    words = _FACTORS[part]
    if part == "decay" and (item.passage.date is None or item.passage.evergreen):
        words = "does not fade"
    if part == "change" and item.change > 1:
        words = "replaces an earlier statement"
    return f"{words} ({part} {getattr(item, part):.2f} against {getattr(following, part):.2f})"
