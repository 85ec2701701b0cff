"""Run the built-in memory suite, each case on a throw-away vault of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from clawvault.config import load_config
from clawvault.evaluate.asked_once import AskedOnceEmbedder
from clawvault.evaluate.datasets import Question
from clawvault.evaluate.memory_cases import Case, make_cases
from clawvault.evaluate.metrics import CUTS, mean_scores
from clawvault.evaluate.reporting import DIGITS
from clawvault.evaluate.runner import Lane, ask, measure_lines, open_asked_once, read_notes, score_hits
from clawvault.evaluate.throwaway import throw_away_vault
from clawvault.search.hits.result import SearchResult
from clawvault.version import __version__

FORMAT = "clawvault-memory-suite-1"
SETTINGS: Mapping[str, object] = {"embedding.provider": "use-multilingual"}
NO_MODEL: Mapping[str, object] = {"embedding.provider": "none"}
SUITE_DEPTH = max(CUTS)

Answered = Sequence[tuple[Question, SearchResult]]
Tell = Callable[[str, int, int], None]


def run_memory_suite(
    environment: Mapping[str, str],
    today: date,
    *,
    settings: Mapping[str, object] = SETTINGS,
    embedder: AskedOnceEmbedder | None = None,
    progress: Tell | None = None,
) -> dict[str, Any]:
    """Run every case in every lane.

    Args:
        environment: Where keys are looked up; ``CLAWVAULT_*`` in it holds too, except for the model.
        today: The day on which the questions are asked; dated notes lie just before it.
        settings: Which model, and other dotted keys.
        embedder: Taken in place of the one the settings ask for.
        progress: Called with ``cases``, how many are done and how many there are.

    Returns:
        ``format``, ``passed``, ``pinned`` and ``cases``: of each its ``source``, ``name``, ``k``, ``threshold``,
        ``required`` lanes, ``passed``, and ``lanes`` with figures and whether they hold. Equal input, equal output.

    Raises:
        EmbedderError: The model cannot load or answer.

    Source: TC-13..TC-21, IW-101..IW-104.
    """
    config = load_config(None, environment=environment, flags=settings)
    embedder = embedder or open_asked_once(config, environment)
    cases = make_cases(today)
    results = []
    for number, case in enumerate(cases, 1):
        results.append(run_case(case, environment, today, settings=settings, embedder=embedder))
        if progress is not None:
            progress("cases", number, len(cases))
    space = None if embedder is None else embedder.space
    return {
        "format": FORMAT,
        "passed": all(result["passed"] for result in results),
        "pinned": {
            "clawvault": __version__,
            "model": None if space is None else space.model,
            "embedding_space": None if space is None else space.key,
            "search": asdict(config.search),
            "today": today.isoformat(),
        },
        "cases": results,
    }


def run_case(
    case: Case,
    environment: Mapping[str, str],
    today: date,
    *,
    settings: Mapping[str, object],
    embedder: AskedOnceEmbedder | None,
) -> dict[str, Any]:
    """Run one case in each of its lanes; see ``run_memory_suite``."""
    model = settings if case.has_model else {**settings, **NO_MODEL}
    lanes = {}
    with throw_away_vault(
        lambda root: _write_notes(root, case.notes),
        settings=model,
        environment=environment,
        make_embedder=lambda _: embedder if case.has_model else None,
    ) as vault:
        vault.index()
        lengths = measure_lines(read_notes(vault))
        for name in case.lanes:
            lane = Lane(name, name, case.fusion if name == "hybrid" else None)
            answered = [
                (question, ask(vault, question.query, lane, today, limit=SUITE_DEPTH)) for question in case.questions
            ]
            scores = mean_scores([score_hits(question, result.hits, lengths) for question, result in answered])
            shown = {key: round(scores[key], DIGITS) for key in _shown(case)}
            lanes[name] = {**shown, "holds": holds(case, scores, answered)}
    return {
        "source": case.source,
        "name": case.name,
        "k": case.k,
        "threshold": describe(case),
        "required": list(case.required),
        "passed": all(lanes[name]["holds"] for name in case.required),
        "lanes": lanes,
    }


def holds(case: Case, scores: Mapping[str, float], answered: Answered) -> bool:
    """Say whether a case holds in a lane.

    Args:
        case: With its thresholds and judgement.
        scores: The mean figures of the lane.
        answered: Its questions and answers.
    """
    judge = {"both lanes first": _both_lanes_first, "newest first": _newest_first, "nothing": _nothing}
    judged = case.judgement == "figures" or all(judge[case.judgement](case, *pair) for pair in answered)
    return judged and all(threshold.holds(scores) for threshold in case.thresholds)


def describe(case: Case) -> str:
    """Say in a few words what a case asks for."""
    judged = {"figures": (), "nothing": ("no hits, no error",)}.get(case.judgement, (case.judgement,))
    return ", ".join([*map(str, case.thresholds), *judged])


def _both_lanes_first(case: Case, question: Question, result: SearchResult) -> bool:  # noqa: ARG001 - one shape for all
    both = [hit.score for hit in result.hits if hit.is_hybrid_match]
    single = [hit.score for hit in result.hits if not hit.is_hybrid_match]
    return bool(both) and bool(single) and min(both) > max(single)


def _newest_first(case: Case, question: Question, result: SearchResult) -> bool:
    ranks = {hit.path: hit.rank for hit in reversed(result.hits)}
    newest = ranks.get(question.evidence[0].path)
    return newest is not None and all(newest < ranks.get(path, newest + 1) for path in case.older)


def _nothing(case: Case, question: Question, result: SearchResult) -> bool:  # noqa: ARG001 - one shape for all
    return not result.hits


def _shown(case: Case) -> tuple[str, ...]:
    figures = (f"recall@{case.k}", f"precision@{case.k}", "mrr", "ndcg@10")
    return tuple(dict.fromkeys([*figures, *(threshold.figure for threshold in case.thresholds)]))


def _write_notes(root: Path, notes: Mapping[str, str]) -> None:
    for path, text in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"{text}\n", encoding="utf-8", newline="\n")
