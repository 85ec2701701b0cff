"""What a warm question costs, counted: statements, the way SQLite goes through tables, rows that are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import apsw
import pytest
from bench_vault import BenchVault

from clawvault.index.vectors import mirror

# What may be gone through from end to end: lists of ids, keyword rows that match, the handful of generations, and the
# smallest index of chunks, to count them.
SHORT = (
    "SCAN wanted VIRTUAL TABLE",
    "SCAN lexicon VIRTUAL TABLE",
    "SCAN ranked",
    "SCAN g",
    "SCAN chunks USING COVERING INDEX",
)


@pytest.fixture
def warm(bench: BenchVault) -> BenchVault:
    for i in range(40):
        bench.write(f"f{i % 4}/n{i}.md", f"The heron number{i} stands by the river.\n\nSecond part of it {i}.\n")
    bench.sync()
    for _ in range(3):
        bench.search("heron river")
    return bench


def connection(bench: BenchVault) -> apsw.Connection:
    reading = bench.vault.opened._reading
    assert reading is not None
    return reading.store.connection


@contextmanager
def listening(bench: BenchVault) -> Iterator[list[tuple[str, Any]]]:
    statements: list[tuple[str, Any]] = []

    def note(cursor: object, sql: str, bindings: object) -> bool:
        statements.append((sql, bindings))
        return True

    connection(bench).exec_trace = note
    try:
        yield statements
    finally:
        connection(bench).exec_trace = None


def plans_of(bench: BenchVault, statements: list[tuple[str, Any]]) -> list[str]:
    """Return the steps in which SQLite answers questions."""
    return [
        row[3]
        for sql, bindings in statements
        if sql.startswith("SELECT")
        for row in connection(bench).execute(f"EXPLAIN QUERY PLAN {sql}", bindings)
    ]


def test_a_warm_question_asks_the_index_so_often(warm: BenchVault) -> None:
    """Three hits of one note each; each further term or hit asks once more."""
    with listening(warm) as statements:
        result = warm.search("heron river", limit=3)
    assert len(result.hits) == 3
    assert len(statements) <= 24


@pytest.mark.parametrize("mode", ["hybrid", "fts", "vector"])
def test_a_warm_question_goes_through_no_table(warm: BenchVault, mode: str) -> None:
    with listening(warm) as statements:
        warm.search("heron river", mode=mode)
    plans = plans_of(warm, statements)
    assert [plan for plan in plans if plan.startswith("SCAN") and not plan.startswith(SHORT)] == []
    vectors = [plan for plan in plans if plan.startswith("SEARCH v USING")]
    assert all("text_hash=?" in plan for plan in vectors)


def test_a_question_after_an_edit_reads_the_vectors_of_that_edit(warm: BenchVault) -> None:
    backend = warm.vault.opened._reading.backend  # type: ignore[union-attr]
    before = backend.mirror.n_read  # type: ignore[union-attr]
    warm.write("f0/n0.md", "The heron came back.\n")
    warm.sync()
    assert warm.paths("heron came back")[0] == "f0/n0.md"
    assert backend.mirror.n_read == before + 1  # type: ignore[union-attr]


def test_a_question_without_a_change_counts_nothing_that_was_counted(warm: BenchVault) -> None:
    """What waits for a vector is known without going through all chunks."""
    with listening(warm) as statements:
        warm.search("heron river")
    assert [sql for sql, _ in statements if "NOT EXISTS" in sql] == []


def test_a_question_without_a_change_looks_up_no_neighbour(warm: BenchVault) -> None:
    """All rows in memory are known to be there."""
    with listening(warm) as statements:
        warm.search("heron river")
    assert [sql for sql, _ in statements if sql == mirror._LIVING] == []


def test_a_warm_status_goes_through_no_chunks(warm: BenchVault) -> None:
    """F24: where many ask for it, it costs the counting of notes and of ids; what waits is known from the answers."""
    warm.write("new.md", "A crane that nothing embedded yet.\n")
    warm.session().indexer.sweep()
    with listening(warm) as statements:
        assert warm.vault.status()["pending"] == 1
    plans = plans_of(warm, statements)
    assert [plan for plan in plans if plan.startswith("SCAN c")] == ["SCAN chunks USING COVERING INDEX chunks_of_note"]
