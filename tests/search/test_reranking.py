"""Reranked candidates: the formula, and what a search does with it."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from bench_vault import TODAY, BenchVault
from cross_encoders import make_cross_encoder
from hypothesis import given, settings
from hypothesis import strategies as st
from passages import make_passage

from clawvault.errors import EmbedderError
from clawvault.search.asking.request import SearchRequest
from clawvault.search.fusion.joining import Fused
from clawvault.search.fusion.reranking import blend, rerank
from clawvault.search.searcher import answer

FUSED = {1: Fused(0.4, 0.6), 2: Fused(0.2, 0.2), 3: Fused(0.1, 0.0)}


class FakeReranker:
    """Prefers the longest text; remembers what it read."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.read: list[str] = []

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if self.fault:
            raise EmbedderError(self.fault)
        self.read += texts
        return [len(text) / 10 - 1 for text in texts]


PASSAGES = {1: make_passage(1, "one"), 2: make_passage(2, "two two two"), 3: make_passage(3, "three")}


def test_the_new_score_is_a_share_of_the_old_one_and_of_the_reranker() -> None:
    assert blend(FUSED, {1: 0.0})[1].score == pytest.approx(0.3 * 1.0 + 0.7 * 0.5)
    assert blend(FUSED, {1: 0.0})[1].reranker == pytest.approx(0.35)


def test_a_higher_raw_score_adds_more() -> None:
    adds = [blend(FUSED, {1: raw})[1].reranker for raw in (-1000.0, -2.0, -1.0, 0.0, 1.0, 1000.0)]
    assert adds == sorted(adds)
    assert adds[1] + adds[4] < 0.7 < adds[5] + 1e-9


def test_what_was_not_read_gets_nothing_for_it() -> None:
    other = blend(FUSED, {1: 0.0})[2]
    assert (other.reranker, other.raw, other.score) == (0.0, None, pytest.approx(0.12))


def test_only_the_best_are_read() -> None:
    reranker = FakeReranker()
    rerank("q", FUSED, PASSAGES, reranker, 2)
    assert reranker.read == ["one", "two two two"]


def test_a_failure_leaves_everything_as_it_was_and_is_said() -> None:
    assert rerank("q", FUSED, PASSAGES, FakeReranker("out of memory"), 2) == (FUSED, "reranking off: out of memory")


def test_nothing_to_read_is_no_question_for_the_model() -> None:
    assert rerank("q", {}, {}, FakeReranker("never asked"), 2) == ({}, "")


@given(
    st.dictionaries(st.integers(0, 20), st.tuples(st.floats(0, 0.5), st.floats(0, 0.5)), min_size=1),
    st.integers(1, 10),
    st.lists(st.floats(-1e4, 1e4), min_size=21, max_size=21),
)
@settings(deadline=None)
def test_scores_stay_in_range_and_no_unread_candidate_passes_a_read_one(
    drawn: dict[int, tuple[float, float]], top: int, raw: list[float]
) -> None:
    fused = {chunk: Fused(*pair) for chunk, pair in drawn.items()}
    best = sorted(fused, key=lambda chunk: -fused[chunk].score)[:top]
    blended = blend(fused, {chunk: raw[chunk] for chunk in best})
    assert all(0.0 <= item.score <= 1.0 + 1e-9 for item in blended.values())
    unread = [blended[chunk].score for chunk in fused.keys() - set(best)]
    assert min(blended[chunk].score for chunk in best) >= max(unread, default=0.0) - 1e-9


def write_notes(bench: BenchVault) -> None:
    bench.write("memory/2025-01-15.md", "The heron stands in the river of stone, in the garden, in the blue river.\n")
    bench.write("kettle.md", "A kettle is a heron.\n")
    bench.write("heron.md", "The heron.\n")
    bench.sync()


def test_the_reranked_order_is_shown_and_still_fades_with_age(bench: BenchVault) -> None:
    write_notes(bench)
    at = bench.vault.opened._circumstances(SearchRequest(query="heron"), None, (), TODAY)
    request = SearchRequest(query="heron", explain=True)
    plain = answer(request, at).hits
    hits = answer(request, replace(at, reranker=FakeReranker())).hits
    assert [hit.path for hit in plain] == ["heron.md", "kettle.md", "memory/2025-01-15.md"]
    assert [hit.path for hit in hits] == ["kettle.md", "heron.md", "memory/2025-01-15.md"]
    assert (hits[2].decay < 1.0, hits[2].score < hits[1].score) == (True, True)


@pytest.mark.model
def test_a_cross_encoder_on_this_machine_reads_the_hits(bench: BenchVault, tmp_path: Path) -> None:
    folder = make_cross_encoder(tmp_path / "tiny")
    write_notes(bench)
    bench.reopen(search__reranker=str(folder), search__rerank_top=2)
    result = bench.search("blue heron", explain=True)
    assert result.degraded == ()
    read = [hit.explain["reranker"] for hit in result.hits if hit.explain and hit.explain["reranker"]]
    assert len(read) == 2
    for reranker in read:
        assert reranker["adds"] == pytest.approx(0.7 / (1 + math.exp(-reranker["raw"])), abs=1e-6)


def test_a_reranker_that_is_missing_is_said_and_the_search_answers(bench: BenchVault, tmp_path: Path) -> None:
    """I25."""
    write_notes(bench)
    bench.reopen(search__reranker=str(tmp_path / "away"))
    result = bench.search("kettle")
    assert result.hits[0].path == "kettle.md"
    assert result.degraded == (f'reranking off: The reranker "{tmp_path / "away"}" is not on this machine.',)


def test_without_a_reranker_none_of_its_lines_are_imported(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom clawvault.api import open_vault\n"
        f"root = Path({str(tmp_path)!r}) / 'vault'\n(root / '.clawvault').mkdir(parents=True)\n"
        "(root / 'a.md').write_text('The heron.')\n"
        f"environment = {{'CLAWVAULT_STATE_DIR': {str(tmp_path / 'state')!r}}}\n"
        "with open_vault(root, environment=environment, embedding__provider='none') as vault:\n"
        "    vault.index()\n    assert vault.search('heron').hits\n"
        "print({'torch', 'sentence_transformers', 'clawvault.embed.reranking'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "set()"
