"""How many threads a question takes: more of them find nothing sooner, and spin where many questions come at once."""

from __future__ import annotations

import pytest
from bench_vault import BenchVault
from threadpoolctl import threadpool_info

import clawvault.opened
from clawvault.search.hits.result import SearchResult


def blas_threads() -> set[int]:
    return {int(library["num_threads"]) for library in threadpool_info() if "numpy" in library["filepath"]}


def test_vectors_are_compared_by_the_thread_that_asks(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """F24: a product divided among cores takes seven times the processor time, and waits for a core that is busy."""
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    inside: list[set[int]] = []
    answer = clawvault.opened.answer_from_disk

    def watched(*place: object) -> SearchResult:
        inside.append(blas_threads())
        return answer(*place)  # type: ignore[arg-type]

    monkeypatch.setattr(clawvault.opened, "answer_from_disk", watched)
    before = blas_threads()
    assert [hit.path for hit in bench.vault.search("heron").hits] == ["a.md"]
    assert inside == [{1}]
    assert blas_threads() == before
