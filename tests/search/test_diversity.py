"""Variety among hits: pure."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.search.passages.diversity import jaccard, normalised, opening, order_by_variety, token_set

SETS = st.frozensets(st.integers(0, 20).map(str), max_size=10)


def test_tokens_are_words_and_pairs_of_dense_characters() -> None:
    """OC-28."""
    assert token_set("数据库 Uses redis") == {"数据", "据库", "uses", "redis"}


def test_pairs_do_not_reach_across_other_scripts() -> None:
    assert token_set("数A据") == {"数", "a", "据"}


def test_a_near_copy_gives_way_to_something_else() -> None:
    """OC-26."""
    tokens = [frozenset("abcd"), frozenset("abcd"), frozenset("wxyz")]
    chosen = order_by_variety([1.0, 0.99, 0.8], tokens.__getitem__, weight=0.7)
    assert [next(chosen), next(chosen)] == [(0, 0.0), (2, 0.0)]


def test_with_weight_one_only_the_score_counts() -> None:
    tokens = [frozenset("ab")] * 3
    assert [item for item, _ in order_by_variety([0.1, 0.9, 0.5], tokens.__getitem__, weight=1.0)] == [1, 2, 0]


def test_texts_are_the_same_whatever_their_spaces_and_width() -> None:
    assert normalised("Ａ  b\n c") == normalised("a b c")


@given(SETS, SETS)
@settings(deadline=None)
def test_likeness_is_symmetric_and_a_share(a: frozenset[str], b: frozenset[str]) -> None:
    """OC-27."""
    assert jaccard(a, b) == jaccard(b, a)
    assert 0.0 <= jaccard(a, b) <= 1.0
    assert jaccard(a, a) == 1.0


@given(st.lists(st.tuples(st.floats(0, 1), SETS), max_size=12), st.floats(0, 1))
@settings(deadline=None)
def test_each_item_is_chosen_once(items: list[tuple[float, frozenset[str]]], weight: float) -> None:
    chosen = [i for i, _ in order_by_variety([s for s, _ in items], lambda i: items[i][1], weight=weight)]
    assert sorted(chosen) == list(range(len(items)))


@given(st.lists(st.tuples(st.floats(0, 1), SETS), max_size=12), st.floats(0, 1))
@settings(deadline=None)
def test_comparing_late_chooses_what_comparing_everything_does(
    items: list[tuple[float, frozenset[str]]], weight: float
) -> None:
    nearest, left, expected = [0.0] * len(items), list(range(len(items))), []
    while left:
        best = max(left, key=lambda i: (weight * items[i][0] - (1 - weight) * nearest[i], -i))
        expected.append((best, nearest[best]))
        left.remove(best)
        for i in left:
            nearest[i] = max(nearest[i], jaccard(items[i][1], items[best][1]))
    assert list(order_by_variety([s for s, _ in items], lambda i: items[i][1], weight=weight)) == expected


def test_items_that_cannot_be_chosen_next_are_not_read() -> None:
    read: list[int] = []

    def tokens(item: int) -> frozenset[str]:
        read.append(item)
        return frozenset("abcd"[item % 4 :])

    chosen = order_by_variety([1.0, 0.9, 0.1, 0.1, 0.1], tokens, weight=0.7)
    assert [next(chosen)[0], next(chosen)[0]] == [0, 1]
    assert set(read) == {0, 1}


@given(st.text(alphabet=st.sampled_from("aB \n\t.#-Ａ数\u200b\u0301\u00a0´Σ"), max_size=120))
@settings(deadline=None)
def test_the_opening_is_that_of_the_normalised_text(text: str) -> None:
    assert opening(text) == tuple(normalised(text).split()[:4])


@given(st.text(alphabet=st.characters(max_codepoint=127)))
@settings(deadline=None)
def test_plain_text_is_read_like_any_other(text: str) -> None:
    """A letter of another script at the end makes every text take the long way."""
    assert token_set(text) | {"д"} == token_set(f"{text} д")
