"""What the daemon leaves of the room it needed for a large run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench_vault import BenchVault

from clawvault.config import load_config
from clawvault.daemon.indexed_vault import IndexedVault
from clawvault.index import store as store_module

N_NOTES = 300
FREE_PAGES = "SELECT * FROM pragma_freelist_count"
PARTS = "SELECT count(DISTINCT segid) FROM lexicon_idx"


def nobody(_path: str) -> None:
    """Take the path of a note that is about to be read."""


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BenchVault]:
    monkeypatch.setattr("clawvault.index.indexer.GROUP_S", 0.0)
    made = BenchVault(tmp_path)
    for number in range(N_NOTES):
        made.write(f"{number}.md", f"# Note {number}\n\nA heron stands in river {number}.\n")
    yield made
    made.vault.close()


@pytest.fixture
def indexed(bench: BenchVault) -> Iterator[IndexedVault]:
    environment = {**bench.environment, "CLAWVAULT_EMBEDDING_PROVIDER": "none"}
    vault = IndexedVault(bench.root, load_config(bench.root, environment=environment), environment)
    vault.open()
    yield vault
    vault.close()


def test_the_first_run_of_a_daemon_leaves_no_free_page_and_keyword_rows_in_one_part(
    bench: BenchVault, indexed: IndexedVault
) -> None:
    indexed.sweep(nobody)
    assert bench.rows(FREE_PAGES) == [(0,)]
    assert bench.rows(PARTS) == [(1,)]
    assert bench.paths("heron", mode="fts", limit=1) != []


def test_edits_seen_one_by_one_are_never_tidied_however_many_they_are(
    bench: BenchVault, indexed: IndexedVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person waits for one edit, however many there were before."""
    indexed.sweep(nobody)
    monkeypatch.setattr(store_module, "TIDY_AFTER", 5)
    monkeypatch.setattr(store_module, "TIDY_SHARE", 0.0)
    for number in range(10):
        bench.write(f"{number}.md", f"# Note {number}\n\nA kingfisher sits above river {number}.\n")
        indexed.apply_paths([f"{number}.md"], nobody)
    bench.write("10.md", "# Note 10\n\nAn otter.\n")
    indexed.sweep(nobody)
    assert bench.rows(PARTS)[0][0] > 1
