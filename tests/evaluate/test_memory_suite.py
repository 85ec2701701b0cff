"""The built-in memory suite: how a case is judged, and that it holds with the packaged model."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from fakes import HashEmbedder
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.evaluate.asked_once import AskedOnceEmbedder
from clawvault.evaluate.datasets import Question
from clawvault.evaluate.memory_cases import ALL_LANES, Case, Threshold, make_cases
from clawvault.evaluate.memory_suite import SETTINGS, describe, holds, run_case, run_memory_suite
from clawvault.evaluate.metrics import Span
from clawvault.search.hits.result import Hit, SearchResult

TODAY = date(2026, 3, 15)
QUESTION = Question("q", "q", (Span("new.md", 1, 1),))


def hit(rank: int, path: str, score: float, *, fts: int | None = 1, vector: int | None = 1) -> Hit:
    return Hit(
        rank=rank,
        path=path,
        line_start=1,
        line_end=1,
        heading=(),
        text="text",
        snippet="text",
        score=score,
        cosine=None,
        text_score=None,
        fts_rank=fts,
        vector_rank=vector,
        date=None,
        evergreen=True,
        decay=1.0,
        vault="v",
    )


def judged(judgement: str, *hits: Hit) -> bool:
    case = Case("T", "t", {}, (QUESTION,), (), judgement=judgement, older=("old.md",))
    return holds(case, {}, [(QUESTION, SearchResult(query="q", mode="hybrid", hits=hits))])


def test_a_threshold_is_met_by_the_value_itself_unless_it_is_strict() -> None:
    assert Threshold("mrr", 0.5).holds({"mrr": 0.5})
    assert not Threshold("mrr", 0.5, strict=True).holds({"mrr": 0.5})
    assert [str(Threshold("recall@5", 0.8)), str(Threshold("mrr", 0.0, strict=True))] == ["recall@5 >= 0.8", "mrr > 0"]


def test_what_both_lanes_found_must_outscore_all_else() -> None:
    """TC-16."""
    assert judged("both lanes first", hit(1, "new.md", 0.9), hit(2, "x.md", 0.5, fts=None))
    assert not judged("both lanes first", hit(1, "new.md", 0.5), hit(2, "x.md", 0.5, fts=None))
    assert not judged("both lanes first", hit(1, "x.md", 0.9, fts=None))


def test_the_newest_must_come_before_what_it_supersedes() -> None:
    """TC-20."""
    assert judged("newest first", hit(1, "new.md", 0.9), hit(2, "old.md", 0.8))
    assert judged("newest first", hit(1, "x.md", 0.9), hit(2, "new.md", 0.8))
    assert not judged("newest first", hit(1, "old.md", 0.9), hit(2, "new.md", 0.8))
    assert not judged("newest first", hit(1, "x.md", 0.9))


def test_an_empty_vault_must_give_nothing() -> None:
    """TC-21."""
    assert judged("nothing")
    assert not judged("nothing", hit(1, "x.md", 0.1))


def test_every_requirement_has_its_case() -> None:
    sources = {case.source for case in make_cases(TODAY)}
    wanted = {*(f"TC-{number}" for number in range(14, 22)), *(f"IW-{number}" for number in range(101, 105))}
    assert sources == wanted


def test_a_case_says_what_it_asks_for() -> None:
    said = {case.source: describe(case) for case in make_cases(TODAY)}
    assert said["TC-14"] == "recall@5 >= 0.8"
    assert said["TC-15"] == "recall@3 >= 0.5"
    assert said["TC-19"] == "recall@5 >= 1, precision@5 >= 0.2"
    assert said["TC-21"] == "no hits, no error"


@settings(deadline=None)
@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_dated_notes_lie_before_the_day_and_evidence_lies_in_notes(today: date) -> None:
    for case in make_cases(today):
        days = [path[7:17] for path in case.notes if path.startswith("memory/")]
        assert all(day < today.isoformat() for day in days)
        paths = {span.path for question in case.questions for span in question.evidence}
        assert paths <= {*case.notes, ""}
        assert set(case.required) <= set(case.lanes) <= set(ALL_LANES)


def test_the_older_note_of_the_week_is_a_monday() -> None:
    """IW-104."""
    days = [TODAY + timedelta(days=number) for number in range(7)]
    older = [case.older[0] for day in days for case in make_cases(day) if case.name == "temporal"]
    assert {date.fromisoformat(path[7:17]).weekday() for path in older} == {0}


def suite(**options: Any) -> dict[str, Any]:
    return run_memory_suite({}, TODAY, embedder=AskedOnceEmbedder(HashEmbedder()), **options)


def test_a_lane_that_is_not_required_is_shown_and_does_not_fail_the_case() -> None:
    case = Case(
        "T",
        "words only",
        {"a.md": "alpha beta", "b.md": "gamma delta"},
        (Question("q", "unheard", (Span("a.md", 1, 1),)),),
        ("vector",),
        (Threshold("hit@5", 1.0),),
    )
    result = run_case(case, {}, TODAY, settings={}, embedder=AskedOnceEmbedder(HashEmbedder()))
    assert (result["lanes"]["fts"]["holds"], result["lanes"]["vector"]["holds"], result["passed"]) == (
        False,
        True,
        True,
    )


def test_a_case_without_a_model_is_answered_by_words() -> None:
    """TC-17."""
    (case,) = [case for case in make_cases(TODAY) if case.source == "TC-17"]
    result = run_case(case, {}, TODAY, settings={}, embedder=AskedOnceEmbedder(HashEmbedder()))
    assert (list(result["lanes"]), result["passed"]) == (["fts", "hybrid"], True)


def test_the_suite_fails_when_one_required_lane_does() -> None:
    report = suite()
    assert {case["source"] for case in report["cases"] if not case["passed"]} >= {"TC-15", "IW-102"}
    assert report["passed"] is False


def test_the_suite_tells_how_far_it_is() -> None:
    said: list[tuple[str, int, int]] = []
    suite(progress=lambda *step: said.append(step))
    assert said[-1] == ("cases", 13, 13)


@pytest.mark.model
def test_the_suite_holds_with_the_packaged_model_and_says_the_same_twice() -> None:
    """TC-13..TC-21, IW-101..IW-104."""
    reports = [run_memory_suite({}, TODAY) for _ in range(2)]
    assert [case["source"] for case in reports[0]["cases"] if not case["passed"]] == []
    assert json.dumps(reports[0]) == json.dumps(reports[1])


@pytest.mark.model
def test_the_suite_says_the_same_however_vectors_are_compared() -> None:
    """One setting for both: sqlite-vec and NumPy are exact."""
    reports = [
        run_memory_suite({}, TODAY, settings={**SETTINGS, "vector_backend": backend})
        for backend in ("sqlite-vec", "numpy")
    ]
    assert reports[0]["cases"] == reports[1]["cases"]


@pytest.mark.model
def test_words_find_the_same_with_a_model_and_without_one() -> None:
    words_only = [replace(case, lanes=("fts",), required=(), has_model=False) for case in make_cases(TODAY)]
    without = [run_case(case, {}, TODAY, settings=SETTINGS, embedder=None)["lanes"]["fts"] for case in words_only]
    assert [case["lanes"]["fts"] for case in run_memory_suite({}, TODAY)["cases"]] == without
