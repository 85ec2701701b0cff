"""Candidates by their words: the same ones however they are looked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench_vault import BenchVault

from clawvault.index import lexicon
from clawvault.index.lexicon import count_matches, find_keyword_candidates, split_terms
from clawvault.index.records import Filters
from clawvault.index.store import Store

TERMS = ('"rare"', '"seldom"', '"common"', '"usual"')


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    bench = BenchVault(tmp_path_factory.mktemp("lexicon"))
    for i in range(120):
        words = ["common"] * (i % 2) + ["usual"] * (i % 3) + ["seldom"] * (i % 10 == 0) + ["rare"] * (i % 40 == 3)
        bench.write(f"d{i % 4}/n{i}.md", f"{' '.join(words)} filler{i} {'and so on ' * (i % 5)}\n")
    bench.sync()
    bench.vault.close()
    opened = bench.store()
    yield opened
    opened.close()


def counted(store: Store, terms: tuple[str, ...] = TERMS) -> dict[str, int]:
    return {term: count_matches(store, term) for term in terms}


def rounded(found: list[tuple[int, float]]) -> list[tuple[int, float]]:
    return [(chunk, round(strength, 9)) for chunk, strength in found]


def test_ranking_before_looking_up_finds_what_looking_up_first_finds(store: Store) -> None:
    everywhere = Filters(path="d*/*")
    fast = find_keyword_candidates(store, 1, counted(store), 50, Filters())
    assert rounded(fast) == rounded(find_keyword_candidates(store, 1, counted(store), 50, everywhere))
    assert len(fast) == 50


@pytest.mark.parametrize("without", [("d1/*",), ("d1/*", "d2/*"), ("d0/*", "d*/*"), ("none/*",)])
@pytest.mark.parametrize("limit", [3, 20, 1000])
def test_leaving_folders_out_after_ranking_finds_the_same(store: Store, without: tuple[str, ...], limit: int) -> None:
    fast = find_keyword_candidates(store, 1, counted(store), limit, Filters(without=without))
    slow = find_keyword_candidates(store, 1, counted(store), limit, Filters(without=without, path="*"))
    assert rounded(fast) == rounded(slow)


def test_rows_of_another_generation_take_no_place(tmp_path: Path) -> None:
    bench = BenchVault(tmp_path)
    for i in range(20):
        bench.write(f"n{i}.md", f"heron filler{i}\n")
    bench.sync()
    bench.session().queue.begin_rebuild()
    bench.session().indexer.sweep()
    with_both = bench.store()
    assert count_matches(with_both, '"heron"') == 40
    for generation in (1, 2):
        found = find_keyword_candidates(with_both, generation, {'"heron"': 40}, 4, Filters())
        assert len(found) == 4
    assert find_keyword_candidates(with_both, 3, {'"heron"': 40}, 4, Filters()) == []
    with_both.close()
    bench.vault.close()


def test_terms_that_match_few_rows_all_choose() -> None:
    assert split_terms({"a": 30_000, "b": 30_000, "c": 0}) == (["a", "b", "c"], [])


def test_the_commonest_terms_only_order_where_a_question_matches_many_rows() -> None:
    terms = {"common": 50_000, "rare": 10, "usual": 20_000, "none": 0}
    assert split_terms(terms) == (["rare", "usual"], ["common"])


def test_one_term_chooses_however_common_it_is() -> None:
    assert split_terms({"usual": 90_000, "common": 95_000}) == (["usual"], ["common"])


def test_common_terms_that_only_order_give_every_row_its_whole_strength(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only rows that hold none of the rarer terms are left out."""
    everything = dict(find_keyword_candidates(store, 1, counted(store), 1000, Filters()))
    holding = {
        row[0] for row in store.connection.execute("SELECT rowid FROM lexicon WHERE lexicon MATCH 'rare OR seldom'")
    }
    expected = sorted(((chunk, everything[chunk]) for chunk in holding), key=lambda item: (-item[1], item[0]))
    monkeypatch.setattr(lexicon, "MOST_ROWS", 10)
    monkeypatch.setattr(lexicon, "CHOSEN_ROWS", 16)
    assert split_terms(counted(store)) == (['"rare"', '"seldom"'], ['"common"', '"usual"'])
    for limit in (1, 5, 1000):
        found = find_keyword_candidates(store, 1, counted(store), limit, Filters())
        assert rounded(found) == rounded(expected)[:limit]


def test_no_terms_find_nothing(store: Store) -> None:
    assert find_keyword_candidates(store, 1, {}, 10, Filters()) == []
