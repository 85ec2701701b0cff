"""Put the figures of a measurement into one report: pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clawvault.evaluate.datasets import Dataset, Question
from clawvault.evaluate.metrics import mean_scores, percentile

FORMAT = "clawvault-evaluation-1"
SHOWN = ("recall@5", "precision@5", "hit@5", "mrr", "ndcg@10", "cov@2k", "cov@4k", "cov@8k")
DIGITS = 6


@dataclass(slots=True)
class Answers:
    """What one lane said to all questions, in their order: figures, milliseconds, and how each answer was marked."""

    scores: list[dict[str, float]] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)
    n_empty: int = 0
    n_not_confident: int = 0
    degraded: set[str] = field(default_factory=set)


def make_report(
    dataset: Dataset,
    lanes: Mapping[str, Mapping[str, Any]],
    answers: Mapping[str, Answers],
    pinned: Mapping[str, Any],
) -> dict[str, Any]:
    """Put a measurement into JSON values.

    Args:
        dataset: What was asked.
        lanes: How each lane asked.
        answers: What each lane said.
        pinned: Everything else that decides the figures.

    Returns:
        ``format``, ``dataset``, ``questions``, ``without_evidence``, ``pinned``, ``lanes`` (mean figures by lane, in
        all and by category), ``per_question`` (the figures of every question) and ``times``, the only part that
        differs between two runs on the same input.
    """
    questions = dataset.questions
    return {
        "format": FORMAT,
        "dataset": dataset.name,
        "questions": len(questions),
        "without_evidence": dataset.n_without_evidence,
        "pinned": dict(pinned),
        "lanes": {name: {**lanes[name], **_lane(questions, mine)} for name, mine in answers.items()},
        "per_question": [
            {
                "id": question.id,
                "category": question.category,
                "lanes": {name: _rounded(mine.scores[index]) for name, mine in answers.items()},
            }
            for index, question in enumerate(questions)
        ],
        "times": {
            name: {f"p{share}_ms": round(percentile(mine.times_ms, share / 100), 2) for share in (50, 95)}
            for name, mine in answers.items()
        },
    }


def _lane(questions: Sequence[Question], answers: Answers) -> dict[str, Any]:
    groups: dict[str, list[dict[str, float]]] = {}
    for question, row in zip(questions, answers.scores, strict=True):
        if question.category is not None:
            groups.setdefault(question.category, []).append(row)
    return {
        "all": {"questions": len(questions), **_rounded(mean_scores(answers.scores))},
        "categories": {
            name: {"questions": len(groups[name]), **_rounded(mean_scores(groups[name]))} for name in sorted(groups)
        },
        "empty": answers.n_empty,
        "not_confident": answers.n_not_confident,
        "degraded": sorted(answers.degraded),
    }


def _rounded(row: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, DIGITS) for name, value in row.items()}
