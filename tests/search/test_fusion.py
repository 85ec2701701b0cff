"""Joining the lanes: pure."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.search.fusion.joining import (
    Fused,
    adaptive_sum,
    best_is_one,
    min_max,
    reciprocal_rank,
    scale_to_best,
    score_sum,
    text_score,
    weighted_sum,
    without_faint,
)
from clawvault.search.lanes.view import LaneView

A, B, C, D = 1, 2, 3, 4
FTS = LaneView({A: 1, B: 2, D: 3}, {A: 9.0, B: 5.0, D: 1.0})
VECTOR = LaneView({C: 1, A: 2, D: 3}, {C: 0.9, A: 0.8, D: 0.5, B: 0.2})
EMPTY = LaneView({}, {})
LANES = st.dictionaries(st.integers(1, 30), st.floats(0, 50), max_size=30)


def totals(fused: dict[int, Fused]) -> dict[int, float]:
    return {chunk: item.score for chunk, item in fused.items()}


def lane(scores: dict[int, float]) -> LaneView:
    order = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
    return LaneView({chunk: rank for rank, chunk in enumerate(order, 1)}, scores)


def test_a_vector_lane_that_answers_alone_decides_however_little_it_is_trusted() -> None:
    fused = score_sum(LaneView({}, {}), LaneView({1: 1, 2: 2}, {1: 0.4, 2: 0.2}, trust=0.0))
    assert [fused[1].score, fused[2].score] == [1.0, 0.0]


def test_what_a_lane_of_no_trust_alone_found_does_not_fill_the_list() -> None:
    """L20, L27: the one note that holds the words, and nothing at 0.00 behind it."""
    words, guesses = lane({A: 9.0}), LaneView({B: 1, A: 2, C: 3}, {B: 0.6, A: 0.5, C: 0.1}, trust=0.0)
    fused = without_faint(score_sum(words, guesses), words, guesses)
    assert (list(fused), fused[A].score) == ([A], 1.0)


def test_the_last_that_a_trusted_lane_found_stays() -> None:
    trusted = lane({A: 0.6, B: 0.4})
    assert set(without_faint(score_sum(EMPTY, trusted), EMPTY, trusted)) == {A, B}


def test_reciprocal_rank_gives_the_worked_example() -> None:
    """IW-58."""
    fused = totals(reciprocal_rank(FTS, VECTOR, k=60))
    assert {chunk: round(score, 4) for chunk, score in fused.items()} == {A: 0.0325, D: 0.0317, C: 0.0164, B: 0.0161}
    assert sorted(fused, key=lambda chunk: -fused[chunk]) == [A, D, C, B]


def test_an_item_in_both_lanes_rises_above_the_first_of_one_lane() -> None:
    """IW-60, TC-16."""
    fused = totals(reciprocal_rank(FTS, VECTOR))
    assert fused[A] > fused[C] > fused[B]


def test_weighted_adds_seven_tenths_of_cosine_and_three_of_text_score() -> None:
    """OC-21, OC-23: a missing lane adds nothing."""
    fused = totals(weighted_sum(FTS, VECTOR))
    assert fused[A] == pytest.approx(0.7 * 0.8 + 0.3 * 0.9)
    assert fused[B] == pytest.approx(0.3 * 5 / 6)
    assert fused[C] == pytest.approx(0.7 * 0.9)


def test_adaptive_trusts_vectors_more_in_longer_questions() -> None:
    """CB-18, CB-19."""
    assert adaptive_sum(FTS, VECTOR, n_terms=4)[C].score == pytest.approx(0.7)
    assert adaptive_sum(FTS, VECTOR, n_terms=3)[C].score == pytest.approx(0.5)


def test_equal_scores_do_not_divide_by_zero() -> None:
    assert min_max({A: 2.0, B: 2.0}) == {A: 1.0, B: 1.0}
    assert min_max({}) == {}


def test_a_bm25_strength_becomes_a_share() -> None:
    """OC-24."""
    assert [text_score(strength) for strength in (0.0, 1.0, 3.0)] == [0.0, 0.5, 0.75]


def test_the_best_score_becomes_one() -> None:
    """IW-64."""
    assert scale_to_best({A: 4.0, B: 1.0}) == {A: 1.0, B: 0.25}


@given(LANES, LANES)
@settings(deadline=None)
def test_every_fusion_keeps_every_candidate_and_stays_within_bounds(a: dict[int, float], b: dict[int, float]) -> None:
    """I27."""
    fts, vector = lane(a), lane({chunk: score / 50 for chunk, score in b.items()})
    for fused in (
        score_sum(fts, vector),
        weighted_sum(fts, vector),
        adaptive_sum(fts, vector, n_terms=5),
        best_is_one(reciprocal_rank(fts, vector)),
    ):
        assert fused.keys() == a.keys() | b.keys()
        assert all(-1e-9 <= score <= 1 + 1e-9 for score in totals(fused).values())


@given(LANES)
@settings(deadline=None)
def test_one_lane_alone_keeps_its_order(scores: dict[int, float]) -> None:
    fts = lane(scores)
    fused = totals(score_sum(fts, EMPTY))
    order = sorted(fused, key=lambda chunk: (-fused[chunk], fts.ranks[chunk]))
    assert order == sorted(scores, key=lambda chunk: fts.ranks[chunk])


def test_the_second_of_two_exact_matches_keeps_its_share() -> None:
    fused = score_sum(LaneView({A: 1, B: 2}, {A: 4.0, B: 3.0}), LaneView({C: 1, A: 2, B: 3}, {C: 0.3, A: 0.2, B: 0.1}))
    assert fused[B].keyword == pytest.approx(0.375)


def test_a_chunk_without_a_vector_is_judged_by_its_words_alone() -> None:
    """L28: while vectors are being made, hybrid is no worse than words."""
    fused = score_sum(LaneView({A: 1}, {A: 4.0}), LaneView({C: 1, D: 2}, {C: 0.9, D: 0.1}))
    assert (fused[A].score, fused[C].score) == (1.0, 0.5)


def test_a_lane_that_is_not_trusted_adds_nothing() -> None:
    fused = score_sum(LaneView({A: 1}, {A: 4.0}), LaneView({C: 1, A: 2}, {C: 0.9, A: 0.1}, trust=0.0))
    assert (fused[A].score, fused[C].score) == (1.0, 0.0)
