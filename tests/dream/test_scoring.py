"""How much a statement deserves to stay."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.dream.recall.recalls import Recall, Trace, trace_recalls
from clawvault.dream.scoring.score import Gates, consolidation, failed_gates, frequency, score_trace

APRIL = date(2026, 4, 1)
TODAY = date(2026, 4, 7)


def recall(day: date, query: str, score: float = 0.9, claim: str = "c") -> Recall:
    path = f"memory/{APRIL}.md"
    return Recall(day, claim, path, 3, (1, 5), "t", query, score, 1, "agent")


def traced(*recalls: Recall) -> Trace:
    return trace_recalls(recalls)["c"]


def worked_example() -> Trace:
    """Recalls on 1 April three times, on the 3rd once, on the 7th twice."""
    days = {date(2026, 4, 1): "abc", date(2026, 4, 3): "d", date(2026, 4, 7): "ab"}
    return traced(*(recall(day, query) for day, queries in days.items() for query in queries))


def test_recalls_over_a_week_are_worth_nearly_four_times_those_of_one_day() -> None:
    """OC-53: spacing .68, span .86, together about .76; the same day .2."""
    trace = worked_example()
    assert trace.recalls == 6
    assert consolidation(trace.days) == pytest.approx(0.7612, abs=0.0001)
    assert consolidation([APRIL]) == 0.2
    assert consolidation([]) == 0.0


def test_a_hundred_recalls_barely_beat_ten() -> None:
    """OC-48."""
    assert frequency(10) == 1.0
    assert frequency(100) == 1.0
    assert frequency(3) == pytest.approx(0.5781, abs=0.0001)


def test_the_six_signals_have_the_weights_of_the_source() -> None:
    """OC-42..47."""
    score = score_trace(worked_example(), TODAY, n_tags=3)
    expected = {
        "frequency": 0.8115,
        "relevance": 0.9,
        "diversity": 0.8,
        "recency": 1.0,
        "consolidation": 0.7612,
        "conceptual": 0.5,
    }
    assert score.signals == pytest.approx(expected, abs=0.0001)
    assert score.total == pytest.approx(0.8409, abs=0.0001)
    assert score.rare is None


def test_a_burst_passes_the_score_but_not_the_days() -> None:
    """OC-56, L22: ten recalls on one day, then silence."""
    trace = traced(*(recall(APRIL, f"q{number}") for number in range(10)))
    score = score_trace(trace, APRIL, n_tags=6)
    assert score.signals["frequency"] == 1.0
    assert score.signals["consolidation"] == 0.2
    assert score.total == pytest.approx(0.89)
    assert failed_gates(trace, score, APRIL, Gates()) == ("days",)


def test_the_same_question_each_day_lifts_nothing() -> None:
    """OC-55: also not by the rule for rare notes, after four weeks."""
    trace = traced(*(recall(APRIL + timedelta(days=number), "weather today") for number in range(28)))
    today = APRIL + timedelta(days=28)
    assert failed_gates(trace, score_trace(trace, today, 6), today, Gates()) == ("queries",)


def test_a_thousand_repeats_in_a_day_are_one_recall() -> None:
    """T04, L22."""
    trace = traced(*(recall(APRIL, "port of the database") for _ in range(1000)))
    assert trace.recalls == 1
    assert failed_gates(trace, score_trace(trace, APRIL, 6), APRIL, Gates()) == ("score", "recalls", "queries", "days")


def test_two_recalls_a_quarter_apart_are_enough() -> None:
    """L2c: the count of three, and the score that grows with it, do not matter then."""
    today = date(2026, 4, 15)
    trace = traced(recall(date(2026, 1, 15), "deploy", 0.8), recall(today, "quarterly deploy steps", 0.8))
    score = score_trace(trace, today, n_tags=4)
    assert score.total == pytest.approx(0.6686, abs=0.0001)
    assert score.rare == pytest.approx(0.8175, abs=0.0001)
    assert failed_gates(trace, score, today, Gates()) == ()


def test_two_recalls_three_weeks_less_a_day_apart_are_not() -> None:
    """L2c."""
    trace = traced(recall(APRIL, "deploy"), recall(APRIL + timedelta(days=20), "deploy steps"))
    today = APRIL + timedelta(days=20)
    assert "recalls" in failed_gates(trace, score_trace(trace, today, 6), today, Gates())


def test_what_matched_badly_twice_is_not_lifted_by_the_rule_for_rare_notes() -> None:
    """L2c, L22."""
    trace = traced(recall(APRIL, "a", 0.3), recall(APRIL + timedelta(days=30), "b", 0.3))
    today = APRIL + timedelta(days=30)
    assert failed_gates(trace, score_trace(trace, today, 6), today, Gates()) == ("score",)


def test_what_only_fills_a_list_is_no_recall() -> None:
    """L22: every note of a small vault is among the hits of every question."""
    best = recall(APRIL, "a", 0.8)
    weak = best._replace(claim="weak", score=0.3, best=0.8)
    far = best._replace(claim="far", best=0.8, rank=4, shares_words=False)
    near = far._replace(claim="near", rank=3)
    assert sorted(trace_recalls([best, weak, far, near])) == ["c", "near"]


def test_half_of_the_recency_is_left_after_two_weeks() -> None:
    """OC-45, decisions "Promotion"."""
    trace = traced(recall(APRIL, "a"))
    assert score_trace(trace, APRIL + timedelta(days=14), 0).signals["recency"] == 0.5


def test_what_was_not_recalled_for_a_month_is_too_old() -> None:
    """Decisions "Promotion": at most 30 days."""
    trace = worked_example()
    at_30, at_31 = TODAY + timedelta(days=30), TODAY + timedelta(days=31)
    assert "too_old" not in failed_gates(trace, score_trace(trace, at_30, 6), at_30, Gates())
    assert "too_old" in failed_gates(trace, score_trace(trace, at_31, 6), at_31, Gates())


def test_a_trace_holds_32_questions_and_16_days_and_never_forgets_the_first() -> None:
    """OC-38, OC-39."""
    trace = traced(*(recall(APRIL + timedelta(days=number), f"q{number}") for number in range(40)))
    assert trace.recalls == 40
    assert len(trace.queries) == 32
    assert len(trace.days) == 16
    assert (trace.days[0], trace.days[-1]) == (APRIL, APRIL + timedelta(days=39))


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.dates(date(2025, 1, 1), date(2026, 12, 31)), st.sampled_from("abcdef"), st.floats(0, 1)),
        min_size=1,
        max_size=60,
    ),
    st.dates(date(2025, 1, 1), date(2027, 12, 31)),
    st.integers(0, 20),
)
def test_every_signal_and_every_sum_stays_between_none_and_all(
    recalls: list[tuple[date, str, float]], today: date, n_tags: int
) -> None:
    """OC-42..52, and I27 for a clock that went back."""
    score = score_trace(traced(*(recall(*item) for item in recalls)), today, n_tags)
    assert all(0.0 <= value <= 1.0 for value in (*score.signals.values(), score.total, score.best))


@settings(deadline=None)
@given(st.permutations([(APRIL + timedelta(days=day), query, 0.5) for day in range(4) for query in "abc"]))
def test_the_order_in_which_recalls_are_read_does_not_matter(recalls: list[tuple[date, str, float]]) -> None:
    """The same input gives the same bytes on two machines."""
    assert traced(*(recall(*item) for item in recalls)).days == tuple(APRIL + timedelta(days=day) for day in range(4))
    assert traced(*(recall(*item) for item in recalls)).recalls == 12
