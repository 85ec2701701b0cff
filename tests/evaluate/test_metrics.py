"""Figures of one ranked list, against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.evaluate.metrics import (
    Span,
    coverage,
    find_evidence,
    hit_at,
    mean_scores,
    ndcg,
    percentile,
    precision_at,
    recall_at,
    reciprocal_rank,
    score_question,
)

A, B, C, X, Y, Z = (Span(f"{name}.md", 1, 1) for name in "abcxyz")
SPANS = st.builds(
    lambda path, start, length: Span(path, start, start + length),
    st.sampled_from(["a.md", "b.md"]),
    st.integers(1, 8),
    st.integers(0, 3),
)
EVIDENCE = st.lists(SPANS, min_size=1, max_size=5, unique=True)
RETURNED = st.lists(st.tuples(SPANS, st.integers(0, 3000)), max_size=15)


def test_the_worked_example() -> None:
    """IW-108: relevant A and C, returned A, X, C, Y, Z."""
    found = find_evidence([A, C], [A, X, C, Y, Z])
    assert recall_at(found, 2, 5) == 1.0
    assert precision_at(found, 5) == 0.4
    assert reciprocal_rank(found) == 1.0


def test_a_hit_is_relevant_when_it_shares_one_line() -> None:
    evidence = [Span("a.md", 5, 7)]
    hits = [Span("a.md", 1, 4), Span("a.md", 7, 9), Span("a.md", 8, 9), Span("b.md", 5, 7), Span("a.md", 1, 20)]
    assert find_evidence(evidence, hits) == [frozenset(), {0}, frozenset(), frozenset(), {0}]


def test_recall_counts_evidence_and_precision_counts_hits() -> None:
    """IW-105, IW-106: one long hit holds both spans; the next one holds the first again."""
    evidence = [Span("a.md", 1, 1), Span("a.md", 3, 3)]
    found = find_evidence(evidence, [Span("a.md", 1, 4), Span("a.md", 1, 1)])
    assert (recall_at(found, 2, 1), precision_at(found, 1)) == (1.0, 1.0)
    assert (recall_at(found, 2, 5), precision_at(found, 5)) == (1.0, 0.4)


def test_the_reciprocal_rank_is_of_the_first_relevant_hit() -> None:
    """IW-107."""
    assert reciprocal_rank(find_evidence([A, C], [X, Y, C, A])) == 1 / 3
    assert reciprocal_rank(find_evidence([A], [X, Y])) == 0.0


def test_the_gain_of_a_place_falls_with_its_logarithm() -> None:
    """IW-111."""
    found = find_evidence([A, C], [X, A, Y, C])
    assert ndcg(found, 2) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3)))


def test_evidence_that_comes_again_gains_nothing() -> None:
    """IW-111."""
    assert ndcg(find_evidence([A, C], [A, A, A]), 2) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_a_hit_with_all_evidence_gains_no_more_than_the_ideal() -> None:
    """IW-111."""
    assert ndcg(find_evidence([Span("a.md", 1, 1), Span("a.md", 2, 2)], [Span("a.md", 1, 2)]), 2) == 1.0


def test_only_ten_places_gain() -> None:
    """IW-111."""
    assert ndcg(find_evidence([A], [X] * 10 + [A]), 1) == 0.0


def test_coverage_ends_with_the_first_hit_that_does_not_fit() -> None:
    found = find_evidence([A, B, C], [A, X, B, C])
    sizes = [1500, 500, 2001, 1]
    assert coverage(found, sizes, 3, 2000) == 1 / 3
    assert coverage(found, sizes, 3, 4000) == 1 / 3
    assert coverage(found, sizes, 3, 4001) == 2 / 3
    assert coverage(found, sizes, 3, 8000) == 1.0


def test_all_figures_of_a_question_that_was_worked_out_by_hand() -> None:
    row = score_question([Span("a.md", 3, 3), B], [X, Span("a.md", 2, 4), Y, B], [1000, 900, 3000, 100])
    assert row == {
        "mrr": 0.5,
        "ndcg@10": pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3))),
        "recall@1": 0.0,
        "precision@1": 0.0,
        "hit@1": 0.0,
        "recall@3": 0.5,
        "precision@3": 1 / 3,
        "hit@3": 1.0,
        "recall@5": 1.0,
        "precision@5": 0.4,
        "hit@5": 1.0,
        "recall@10": 1.0,
        "precision@10": 0.2,
        "hit@10": 1.0,
        "cov@2k": 0.5,
        "cov@4k": 0.5,
        "cov@8k": 1.0,
    }


def test_no_hits_score_nothing() -> None:
    assert set(score_question([A], [], []).values()) == {0.0}


def test_the_mean_is_over_questions() -> None:
    assert mean_scores([{"mrr": 1.0}, {"mrr": 0.5}]) == {"mrr": 0.75}
    assert mean_scores([]) == {}


@pytest.mark.parametrize(("share", "expected"), [(0.5, 3.0), (0.95, 5.0), (0.2, 1.0), (0.21, 2.0), (1.0, 5.0)])
def test_a_percentile_is_the_nearest_rank(share: float, expected: float) -> None:
    assert percentile([5.0, 1.0, 4.0, 2.0, 3.0], share) == expected


def test_a_percentile_of_nothing_is_nothing() -> None:
    assert percentile([], 0.5) == 0.0


@settings(deadline=None)
@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0.01, 1.0))
def test_a_percentile_is_one_of_the_values_and_enough_of_them_do_not_pass_it(values: list[float], share: float) -> None:
    found = percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) * (1 - 1e-9)


@settings(deadline=None)
@given(EVIDENCE, RETURNED)
def test_every_figure_lies_between_nothing_and_all(evidence: list[Span], returned: list[tuple[Span, int]]) -> None:
    row = score_question(evidence, [span for span, _ in returned], [size for _, size in returned])
    assert all(0.0 <= value <= 1.0 for value in row.values())


@settings(deadline=None)
@given(EVIDENCE, RETURNED)
def test_more_places_never_lose_evidence(evidence: list[Span], returned: list[tuple[Span, int]]) -> None:
    found = find_evidence(evidence, [span for span, _ in returned])
    sizes = [size for _, size in returned]
    recalls = [recall_at(found, len(evidence), k) for k in range(1, 17)]
    hits = [hit_at(found, k) for k in range(1, 17)]
    covered = [coverage(found, sizes, len(evidence), budget) for budget in range(0, 9000, 500)]
    assert recalls == sorted(recalls)
    assert hits == sorted(hits)
    assert covered == sorted(covered)


@settings(deadline=None)
@given(EVIDENCE, RETURNED)
def test_what_comes_after_the_cut_changes_nothing(evidence: list[Span], returned: list[tuple[Span, int]]) -> None:
    found = find_evidence(evidence, [span for span, _ in returned])
    assert recall_at(found, len(evidence), 3) == recall_at(found[:3], len(evidence), 3)
    assert precision_at(found, 3) == precision_at(found[:3], 3)


@settings(deadline=None)
@given(EVIDENCE)
def test_the_evidence_itself_is_the_best_answer(evidence: list[Span]) -> None:
    row = score_question(evidence, evidence, [1] * len(evidence))
    assert (row["mrr"], row["ndcg@10"], row["recall@5"], row["cov@2k"]) == (1.0, 1.0, 1.0, 1.0)
