"""How much a statement deserves to stay: pure (OC-42..56, L2, L22)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from clawvault.dream.recall.recalls import Trace
from clawvault.search.ranking.decay import fade

WEIGHTS = {
    "frequency": 0.24,
    "relevance": 0.30,
    "diversity": 0.15,
    "recency": 0.15,
    "consolidation": 0.10,
    "conceptual": 0.06,
}
# What grows with the number of recalls, which the rule for rare ones disregards.
COUNTED = frozenset({"frequency", "diversity"})
FULL_RECALLS = 10
FULL_QUERIES = 5
FULL_TAGS = 6
FULL_SPACING = 4
FULL_SPAN_DAYS = 7
ONE_DAY = 0.2
HALF_LIFE_DAYS = 14.0
MAX_AGE_DAYS = 30
LONG_INTERVAL_DAYS = 21


class Gates(NamedTuple):
    """The thresholds that must all be met (OC-54, L22).

    ``score`` is 0..1; ``recalls``, ``queries`` and ``days`` are the least number of each.
    """

    score: float = 0.75
    recalls: int = 3
    queries: int = 2
    days: int = 2


class Score(NamedTuple):
    """The six signals of a statement, each 0..1, and what they make.

    Attributes:
        signals: By name, in the order of ``WEIGHTS``.
        total: Weighted sum, 0..1.
        rare: The same without the signals that grow with the number of recalls, 0..1; it counts where two recalls lie
            at least 21 days apart, else it is ``None``.
    """

    signals: dict[str, float]
    total: float
    rare: float | None = None

    @property
    def best(self) -> float:
        """Return what the gate compares."""
        return max(self.total, self.rare or 0.0)


def score_trace(trace: Trace, today: date, n_tags: int) -> Score:
    """Weigh the recalls of a statement.

    Args:
        trace: Its recalls.
        today: The local day.
        n_tags: How many concepts its text and path hold.

    Returns:
        Signals and their sum. ``rare`` is for what is needed seldom and again: no count is ever high for it.

    Source: OC-42..53, L2.
    """
    signals = {
        "frequency": frequency(trace.recalls),
        "relevance": min(1.0, max(0.0, trace.mean_strength)),
        "diversity": min(1.0, len(trace.queries) / FULL_QUERIES),
        "recency": fade(trace.age_days(today), half_life_days=HALF_LIFE_DAYS) if trace.days else 0.0,
        "consolidation": consolidation(trace.days),
        "conceptual": min(1.0, n_tags / FULL_TAGS),
    }
    total = sum(WEIGHTS[name] * value for name, value in signals.items())
    rare = None
    if is_long_interval(trace):
        kept = [name for name in WEIGHTS if name not in COUNTED]
        rare = sum(WEIGHTS[name] * signals[name] for name in kept) / sum(WEIGHTS[name] for name in kept)
    return Score(signals, total, rare)


def frequency(recalls: int) -> float:
    """Return ``log1p(recalls) / log1p(10)``, at most 1, so that a hundred recalls barely beat ten (OC-48)."""
    return min(1.0, math.log1p(max(0, recalls)) / math.log1p(FULL_RECALLS))


def consolidation(days: Sequence[date]) -> float:
    """Return how well recalls are spread over days, 0..1; a burst on one day has 0.2 (OC-49..53)."""
    if len(days) < 2:
        return ONE_DAY if days else 0.0
    spacing = min(1.0, math.log1p(len(days) - 1) / math.log1p(FULL_SPACING))
    span = min(1.0, (max(days) - min(days)).days / FULL_SPAN_DAYS)
    return 0.55 * spacing + 0.45 * span


def is_long_interval(trace: Trace) -> bool:
    """Say whether two recalls lie at least 21 days apart (L2c)."""
    return trace.span_days >= LONG_INTERVAL_DAYS


def failed_gates(trace: Trace, score: Score, today: date, gates: Gates) -> tuple[str, ...]:
    """Return which gates a statement does not pass.

    Args:
        trace: Its recalls.
        score: What they make.
        today: The local day.
        gates: The thresholds.

    Returns:
        Codes in this order: ``score``, ``recalls``, ``queries``, ``days``, ``too_old``. Recalls that lie at least 21
        days apart stand in for the count, and for the age of a recall; two different questions are needed in any case,
        so that one that is asked each day lifts nothing.

    Source: OC-54..56, L2, L22, decisions "Promotion".
    """
    long = is_long_interval(trace)
    failed = {
        "score": score.best < gates.score,
        "recalls": trace.recalls < gates.recalls and not long,
        "queries": len(trace.queries) < gates.queries,
        "days": len(trace.days) < gates.days,
        "too_old": trace.age_days(today) > MAX_AGE_DAYS and not long,
    }
    return tuple(code for code, is_failed in failed.items() if is_failed)
