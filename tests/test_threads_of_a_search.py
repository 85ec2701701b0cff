"""How many threads a question takes: more of them find nothing sooner, and spin where many questions come at once."""

from __future__ import annotations

from contextlib import closing
from datetime import date

import pytest
from bench_vault import BenchVault
from threadpoolctl import threadpool_info

import clawvault.opened
from clawvault.opened import OpenedVault
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import SearchResult


def blas_threads() -> set[int]:
    return {int(library["num_threads"]) for library in threadpool_info() if "numpy" in library["filepath"]}


@pytest.fixture
def inside(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> list[set[int]]:
    """Return the threads that each answer may compare with."""
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    seen: list[set[int]] = []
    answer = clawvault.opened.answer_from_disk

    def watched(*place: object) -> SearchResult:
        seen.append(blas_threads())
        return answer(*place)  # type: ignore[arg-type]

    monkeypatch.setattr(clawvault.opened, "answer_from_disk", watched)
    return seen


def test_a_daemon_compares_vectors_in_the_thread_that_asks(bench: BenchVault, inside: list[set[int]]) -> None:
    """F24: a product divided among cores takes seven times the processor time, and waits for a core that is busy."""
    opened = bench.vault.opened
    before = blas_threads()
    with closing(
        OpenedVault(opened.root, opened.config, opened.environment, embedder=opened.embedder, crowded=True)
    ) as (crowded):
        result = crowded.search(SearchRequest(query="heron"), today=date(2026, 3, 9))
    assert [hit.path for hit in result.hits] == ["a.md"]
    assert (inside, blas_threads()) == ([{1}], before)


def test_a_process_of_its_own_compares_with_all_threads(bench: BenchVault, inside: list[set[int]]) -> None:
    before = blas_threads()
    assert [hit.path for hit in bench.vault.search("heron").hits] == ["a.md"]
    assert inside == [before]
