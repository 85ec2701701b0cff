"""What a wish to forget would take away decides whether it is done unseen (MN-33)."""

from __future__ import annotations

import pytest
from kept_vault import Kept

from clawvault.keeping.breadth import doubt_of, is_specific, sign_of
from clawvault.keeping.keeper import Keeper


@pytest.mark.parametrize(
    "text", ["dark mode", "the postgres database", "infrastructure", "深色模式", "喜欢深色的编辑器"]
)
def test_words_that_matter_mean_one_thing(text: str) -> None:
    assert is_specific(text)


@pytest.mark.parametrize("text", ["the", "of the and with", "tea", "the tea", "喜欢", "在北京"])
def test_a_word_that_stands_anywhere_means_nothing_by_itself(text: str) -> None:
    assert not is_specific(text)


def test_one_line_in_words_of_its_own_goes_at_once(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "- Likes dark mode.\n")
    assert doubt_of(keeper.forget("likes dark mode", dry_run=True), "likes dark mode") is None


def test_a_line_that_says_more_is_doubtful(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "- Anna is not allergic to nuts\n- allergic to nuts\n")
    plan = keeper.forget("allergic to nuts", dry_run=True)
    doubt = doubt_of(plan, "allergic to nuts")
    assert doubt is not None
    assert doubt.reason == ("Nothing was removed: 2 lines of 1 note would go, and 1 of these take more than that text.")
    assert doubt.confirm == sign_of(plan)


def test_a_text_found_nowhere_raises_no_doubt(keeper: Keeper) -> None:
    assert doubt_of(keeper.forget("the", dry_run=True), "the") is None


@pytest.mark.parametrize(
    ("notes", "said"),
    [({"a.md": 6}, "6 lines of 1 note."), ({"a.md": 1, "b.md": 1, "c.md": 1, "d.md": 1}, "4 lines of 4 notes.")],
)
def test_many_lines_or_notes_are_doubtful(keeper: Keeper, kept: Kept, notes: dict[str, int], said: str) -> None:
    for path, n_lines in notes.items():
        kept.put(path, "secret plan\n" * n_lines)
    doubt = doubt_of(keeper.forget("secret plan", dry_run=True), "secret plan")
    assert doubt is not None
    assert doubt.reason == f"Nothing was removed: that text stands in {said}"
    assert doubt.confirm == sign_of(keeper.forget("secret plan", dry_run=True))


def test_more_lines_than_anybody_reads_cannot_be_agreed_to(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "secret plan\n" * 41)
    doubt = doubt_of(keeper.forget("secret plan", dry_run=True), "secret plan")
    assert doubt is not None
    assert doubt.confirm == ""


def test_other_lines_have_another_sign(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "tea\n")
    before = sign_of(keeper.forget("tea", dry_run=True))
    kept.put("a.md", "tea\nmore tea\n")
    assert sign_of(keeper.forget("tea", dry_run=True)) != before
