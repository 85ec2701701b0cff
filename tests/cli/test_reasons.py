"""Why a hit stands where it does, for people: pure."""

from __future__ import annotations

from typing import Any

from clawvault.cli.reasons import render_reasons

EXPLAIN: dict[str, Any] = {
    "keyword": {"rank": 1, "strength": 8.3125, "trust": 1.0, "weight": 0.6, "adds": 0.6},
    "vector": {"rank": 2, "cosine": 0.71, "trust": 0.8, "weight": 0.4, "adds": 0.31},
    "reranker": None,
    "fused": 0.91,
    "decay": 0.87,
    "time": 1.0,
    "change": 1.0,
    "likeness": 0.0,
    "penalty": 0.0,
    "score": 0.7917,
    "beats_next": "nearer in meaning (+0.08)",
}
HIT: dict[str, Any] = {"score": 0.7917, "date": "2026-03-09", "evergreen": False}


def render(hit: dict[str, Any] | None = None, **changes: Any) -> list[str]:
    return render_reasons({**HIT, **(hit or {}), "explain": {**EXPLAIN, **changes}})


def test_each_step_has_a_line_and_the_numbers_add_up() -> None:
    assert render() == [
        "words     rank 1, strength 8.312, weight 0.60 (trust 1.00): +0.600",
        "meaning   rank 2, cosine 0.710, weight 0.40 (trust 0.80): +0.310",
        "score     0.910 × decay 0.870 (of 2026-03-09) = 0.792",
        "before the next: nearer in meaning (+0.08)",
    ]


def test_a_lane_that_did_not_find_the_hit_says_so() -> None:
    lane = {"rank": None, "strength": None, "trust": 1.0, "weight": 0.6, "adds": 0.0}
    assert render(keyword=lane)[0] == "words     not found, weight 0.60 (trust 1.00): +0.000"


def test_a_reranker_that_read_the_hit_has_a_line() -> None:
    assert render(reranker={"raw": 2.314, "adds": 0.636})[2] == "reranker  read it as 2.31: +0.636"


def test_factors_that_change_nothing_are_left_out() -> None:
    shown = render(time=0.5, change=1.25)[2]
    assert shown == (
        "score     0.910 × decay 0.870 (of 2026-03-09) × time asked for 0.500 × what changed since 1.250 = 0.792"
    )


def test_what_does_not_fade_says_so() -> None:
    assert "(does not fade)" in render({"evergreen": True})[2]
    assert "(does not fade)" in render({"date": None})[2]


def test_what_variety_cost_is_said() -> None:
    assert render(likeness=0.62, penalty=0.186)[3] == "variety   62% like a hit above it, which costs 0.186"


def test_the_notes_of_copies_are_named_clean() -> None:
    """T19."""
    assert render({"copy_paths": ["a\x1b.md", "b.md"]})[3] == "also in   a\\x1b.md, b.md"


def test_a_joined_passage_says_whose_figures_these_are() -> None:
    assert render({"merged": 2})[3] == "passage   of 2 neighbours; the figures are those of the best"


def test_the_last_hit_stands_before_nothing() -> None:
    assert render(beats_next=None)[-1].startswith("score")
