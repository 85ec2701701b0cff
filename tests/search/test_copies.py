"""Passages with the same text take one place: pure."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from passages import make_passage

from clawvault.search.fusion.joining import Fused
from clawvault.search.passages.copies import collapse_copies
from clawvault.search.ranking.ordering import Ranked


def candidate(path: str, score: float = 0.5, *, text: str = "The kettle is blue.", day: str | None = None) -> Ranked:
    return Ranked(make_passage(path=path, text=text, date=day), Fused(score, 0.0), 1.0)


def kept(*ranked: Ranked) -> list[str]:
    return [item.passage.path for item in collapse_copies(ranked)]


def test_the_newest_copy_is_shown() -> None:
    old, new = candidate("a.md", day="2025-06-01"), candidate("b.md", day="2026-01-01")
    assert kept(old, new) == ["b.md"]


def test_a_copy_without_a_date_is_shown_before_a_dated_one() -> None:
    assert kept(candidate("a.md", day="2026-01-01"), candidate("b.md")) == ["b.md"]


def test_of_equal_copies_the_first_is_shown() -> None:
    assert kept(candidate("a.md"), candidate("b.md")) == ["a.md"]


def test_a_copy_that_matches_much_better_is_shown_though_it_is_older() -> None:
    assert kept(candidate("a.md", 0.9, day="2025-06-01"), candidate("b.md", 0.7, day="2026-01-01")) == ["a.md"]


def test_the_notes_of_the_other_copies_are_named() -> None:
    """B089."""
    (shown,) = collapse_copies([candidate("a.md", day="2025-06-01"), candidate("b.md"), candidate("c.md")])
    assert (shown.passage.path, shown.copies, shown.copy_paths) == ("b.md", 3, ("c.md", "a.md"))


def test_the_copy_shown_stands_where_its_own_score_puts_it() -> None:
    first, other = candidate("a.md", 0.50, day="2025-06-01"), candidate("x.md", 0.49, text="Something else.")
    assert kept(first, other, candidate("b.md", 0.48, day="2026-01-01")) == ["x.md", "b.md"]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 1), st.dates()), max_size=10))
@settings(deadline=None)
def test_every_text_is_kept_once_and_every_candidate_counted(drawn: list[tuple[str, float, object]]) -> None:
    ranked = [candidate(f"{i}.md", score, text=text, day=str(day)) for i, (text, score, day) in enumerate(drawn)]
    ranked.sort(key=lambda item: -item.score)
    shown = collapse_copies(ranked)
    assert sorted(item.passage.text for item in shown) == sorted({text for text, _, _ in drawn})
    assert sum(item.copies for item in shown) == len(drawn)
    assert [item.score for item in shown] == pytest.approx(sorted((item.score for item in shown), reverse=True))
