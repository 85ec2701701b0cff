"""Why a hit stands where it does: pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from bench_vault import BenchVault
from hypothesis import given, settings
from hypothesis import strategies as st
from passages import make_passage

from clawvault.search.fusion.joining import Fused, adaptive_sum, best_is_one, reciprocal_rank, score_sum, weighted_sum
from clawvault.search.fusion.reranking import blend
from clawvault.search.hits.explaining import beats_next, explain_hit, split_lead
from clawvault.search.lanes.candidates import EMPTY_LANE, Lanes
from clawvault.search.lanes.view import LaneView
from clawvault.search.ranking.ordering import Ranked

NO_LANES = Lanes(EMPTY_LANE, EMPTY_LANE, is_faint=False)


def ranked(keyword: float = 0.2, vector: float = 0.2, chunk: int = 1, day: str | None = None, **more: Any) -> Ranked:
    return Ranked(make_passage(chunk, date=day), Fused(keyword, vector), **{"decay": 1.0, **more})


def why(item: Ranked, following: Ranked, lanes: Lanes = NO_LANES) -> str:
    return beats_next(item, following, lanes)


def test_more_of_the_words() -> None:
    assert why(ranked(0.5), ranked(0.29)) == "holds more of the question's words (keyword +0.21)"


def test_nearer_in_meaning() -> None:
    assert why(ranked(0.1, 0.3), ranked(0.1, 0.22)) == "nearer in meaning (+0.08)"


def test_newer() -> None:
    item, following = ranked(day="2026-03-01", decay=0.91), ranked(day="2026-01-01", decay=0.4)
    assert why(item, following) == "newer (decay 0.91 against 0.40)"


def test_what_does_not_fade() -> None:
    assert why(ranked(), ranked(day="2026-01-01", decay=0.4)) == "does not fade (decay 1.00 against 0.40)"


def test_nearer_to_the_time_asked_for() -> None:
    assert why(ranked(), ranked(time=0.5)) == "nearer to the time asked for (time 1.00 against 0.50)"


def test_the_next_was_replaced() -> None:
    assert why(ranked(), ranked(change=0.5)) == "the next was replaced since (change 1.00 against 0.50)"
    assert why(ranked(change=2.0), ranked()) == "replaces an earlier statement (change 2.00 against 1.00)"


def test_a_reranker_can_be_the_reason() -> None:
    item, following = ranked(), ranked()
    better = replace(item, fused=item.fused._replace(reranker=0.3, raw=1.0))
    assert why(better, following) == "answers the question better (reranker +0.30)"


def test_a_next_hit_with_a_higher_score_is_like_one_above() -> None:
    assert why(ranked(0.3), ranked(0.4, likeness=0.62)) == "the next is like one above it (likeness 0.62)"


def test_equal_scores_are_settled_by_words_then_days_then_paths() -> None:
    fts = LaneView({1: 2, 2: 3}, {1: 1.0, 2: 1.0})
    words = Lanes(fts, EMPTY_LANE, is_faint=False)
    assert why(ranked(), ranked(chunk=2), words) == "same score: better rank by words"
    assert why(ranked(day="2026-02-01"), ranked(chunk=2, day="2026-01-01")) == "same score: newer"
    assert why(ranked(), ranked(chunk=2, day="2026-01-01")) == "same score: without a date"
    assert why(ranked(), ranked(chunk=2)) == "same score: path order"


def test_the_last_hit_beats_nobody() -> None:
    assert explain_hit(ranked(), None, NO_LANES, 0.7)["beats_next"] is None


def test_likeness_costs_a_place_by_the_weight_of_variety() -> None:
    assert explain_hit(ranked(likeness=0.5), None, NO_LANES, 0.7)["penalty"] == pytest.approx(0.15)
    assert explain_hit(ranked(likeness=0.5), None, NO_LANES, None)["penalty"] == 0.0


def lane_views() -> st.SearchStrategy[LaneView]:
    scores = st.dictionaries(st.integers(0, 8), st.floats(0, 20), min_size=1)

    def view(drawn: tuple[dict[int, float], float]) -> LaneView:
        order = sorted(drawn[0], key=lambda chunk: -drawn[0][chunk])
        return LaneView({chunk: rank for rank, chunk in enumerate(order, 1)}, drawn[0], drawn[1])

    return st.tuples(scores, st.floats(0, 1)).map(view)


FUSIONS = {
    "score": lambda fts, vector: score_sum(fts, vector, vector_weight=0.5),
    "rrf": lambda fts, vector: best_is_one(reciprocal_rank(fts, vector)),
    "weighted": weighted_sum,
    "adaptive": lambda fts, vector: adaptive_sum(fts, vector, n_terms=5),
}
SHARES = st.floats(0, 1)


@pytest.mark.parametrize("fusion", FUSIONS)
@given(lane_views(), lane_views(), st.tuples(SHARES, SHARES, st.floats(0.1, 3)), st.booleans())
@settings(deadline=None)
def test_the_parts_make_up_the_score_shown(
    fusion: str, fts: LaneView, vector: LaneView, factors: tuple[float, float, float], reranked: bool
) -> None:
    fused: Mapping[int, Fused] = FUSIONS[fusion](fts, LaneView(vector.ranks, shrink(vector.scores), vector.trust))
    fused = blend(fused, dict.fromkeys(fused, 1.5)) if reranked else fused
    lanes = Lanes(fts, vector, is_faint=False)
    decay, time, change = factors
    items = [
        replace(ranked(chunk=chunk, time=time, change=change, decay=decay), fused=item) for chunk, item in fused.items()
    ]
    for item in items:
        shown = explain_hit(item, items[0], lanes, 0.7)
        adds = sum(part["adds"] for part in (shown["keyword"], shown["vector"], shown["reranker"] or {"adds": 0.0}))
        assert adds * shown["decay"] * shown["time"] * shown["change"] == pytest.approx(item.score, abs=5e-7)
        assert shown["score"] == pytest.approx(item.score, abs=5e-7)
        assert shown["keyword"]["weight"] + shown["vector"]["weight"] == pytest.approx(1.0)
        assert sum(split_lead(item, items[0]).values()) == pytest.approx(item.score - items[0].score, abs=1e-9)


def shrink(scores: Mapping[int, float]) -> dict[int, float]:
    return {chunk: score / 20 for chunk, score in scores.items()}


def test_the_weights_are_those_after_trust() -> None:
    """A lane that is trusted half has two thirds of the weight of one that is trusted whole."""
    fused = score_sum(LaneView({1: 1}, {1: 3.0}, 1.0), LaneView({1: 1}, {1: 0.5}, 0.5))
    shown = explain_hit(replace(ranked(), fused=fused[1]), None, NO_LANES, 0.7)
    assert shown["keyword"]["weight"] == pytest.approx(2 / 3, abs=1e-9)
    assert shown["vector"]["adds"] == pytest.approx(1 / 3, abs=1e-9)


@pytest.mark.parametrize("fusion", FUSIONS)
def test_a_real_search_explains_every_hit(bench: BenchVault, fusion: str) -> None:
    bench.write("memory/2026-03-01.md", "The heron stands in the river.\n")
    bench.write("memory/2026-01-01.md", "A heron was in the river, they said.\n")
    bench.write("b.md", "A river without birds.\n")
    bench.sync()
    hits = bench.search("heron river", fusion=fusion, explain=True).hits
    reasons = [hit.explain["beats_next"] for hit in hits if hit.explain is not None]
    assert [type(reason) for reason in reasons] == [str, str, type(None)]
    for hit in hits:
        assert hit.explain is not None
        factors = hit.explain["decay"] * hit.explain["time"] * hit.explain["change"]
        adds = hit.explain["keyword"]["adds"] + hit.explain["vector"]["adds"]
        assert round(adds * factors, 6) == pytest.approx(hit.to_dict()["score"], abs=1e-6)
