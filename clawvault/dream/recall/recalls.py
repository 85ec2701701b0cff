"""What the log of recalls says of each statement: pure (OC-36..39)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

MOST_QUERIES = 32
MOST_DAYS = 16
# What matched half as well as the best of its answer, or stands far down and shares no word, was only in the list.
FAIR_SHARE = 0.5
FRONT_RANK = 3


class Recall(NamedTuple):
    """One statement that an answer held.

    Attributes:
        day: Local day of the question.
        claim: The statement; see ``statements.claim_hash``.
        path: The note it stood in.
        line: Where it stood, 1-based.
        lines: First and last line of the passage that was shown.
        text: Hash of that passage.
        query: Hash of the question.
        score: Raw, 0..1: the better one of cosine and text score, never the fused one.
        strength: The same with the cosine on the scale of its model: 0 is what wrong passages reach, 1 what right ones
            usually do. A cosine of .4 is much for one model and nothing for another.
        rank: Place in the answer, 1 is best.
        asked_by: ``person`` or ``agent``.
        best: Strength of the best hit of the answer, 0..1.
        shares_words: It shares words with the question.
        question: The question itself, where it is kept.
    """

    day: date
    claim: str
    path: str
    line: int
    lines: tuple[int, int]
    text: str
    query: str
    score: float
    rank: int
    asked_by: str
    strength: float | None = None
    best: float = 0.0
    shares_words: bool = True
    question: str = ""

    @property
    def counts(self) -> bool:
        """Say whether it answered, rather than fill a list: in a small vault every note is among the hits."""
        return self.worth >= FAIR_SHARE * self.best and (self.shares_words or self.rank <= FRONT_RANK)

    @property
    def worth(self) -> float:
        """Return its strength, or its raw score where nobody measured the model, 0..1."""
        return self.score if self.strength is None else self.strength


@dataclass(slots=True)
class Trace:
    """All recalls of one statement.

    Attributes:
        claim: The statement.
        path: Where it stood when it was last recalled.
        line: Its line there.
        recalls: How often, each question counted once a day (L22).
        total_score: Sum of raw scores.
        max_score: The best of them.
        total_strength: Sum of strengths.
        queries: Hashes of distinct questions, at most 32, the newest first.
        days: Distinct days, in order, at most 16; the first and the newest are always among them.
    """

    claim: str
    path: str
    line: int
    recalls: int = 0
    total_score: float = 0.0
    max_score: float = 0.0
    total_strength: float = 0.0
    queries: tuple[str, ...] = ()
    days: tuple[date, ...] = ()
    seen: set[tuple[date, str]] = field(default_factory=set, repr=False, compare=False)

    @property
    def mean_score(self) -> float:
        """Return the mean raw score, 0..1."""
        return self.total_score / self.recalls if self.recalls else 0.0

    @property
    def mean_strength(self) -> float:
        """Return the mean strength, 0..1."""
        return self.total_strength / self.recalls if self.recalls else 0.0

    @property
    def span_days(self) -> int:
        """Return the days between the first recall and the last."""
        return (self.days[-1] - self.days[0]).days if self.days else 0

    def age_days(self, today: date) -> int:
        """Return the days since the last recall, 0 or more."""
        return max(0, (today - self.days[-1]).days) if self.days else 0


def trace_recalls(recalls: Iterable[Recall]) -> dict[str, Trace]:
    """Gather recalls by statement.

    Args:
        recalls: In any order; the same question of a day counts once for a statement, and only what ``counts``.

    Returns:
        By claim hash, in order of it; those that were recalled at least once.

    Source: OC-36..39, L22.
    """
    traces: dict[str, Trace] = {}
    for recall in sorted(recalls, key=lambda item: (item.day, item.path, item.line, item.rank)):
        trace = traces.setdefault(recall.claim, Trace(recall.claim, recall.path, recall.line))
        trace.path, trace.line = recall.path, recall.line
        if (recall.day, recall.query) in trace.seen or not recall.counts:
            continue
        trace.seen.add((recall.day, recall.query))
        trace.recalls += 1
        trace.total_score += recall.score
        trace.max_score = max(trace.max_score, recall.score)
        trace.total_strength += recall.worth
        trace.queries = tuple(dict.fromkeys((recall.query, *trace.queries)))[:MOST_QUERIES]
        trace.days = _with_day(trace.days, recall.day)
    return {claim: trace for claim, trace in sorted(traces.items()) if trace.recalls}


def _with_day(days: tuple[date, ...], day: date) -> tuple[date, ...]:
    known = (*days, day) if not days or day > days[-1] else days
    # How long a statement has been useful must not be forgotten for being useful often.
    return known if len(known) <= MOST_DAYS else (known[0], *known[2:])
