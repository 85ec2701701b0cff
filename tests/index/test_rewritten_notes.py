"""What a change of a long note writes: the rows that differ, and the same index as one made anew."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bench_vault import BenchVault
from hypothesis import given, settings
from hypothesis import strategies as st

HERONS = "".join(f"- The heron {number} stands in the river and waits.\n" for number in range(1000))
LINES = (
    "# Log",
    "## Later",
    "- a heron",
    "- see [[Alpha]]",
    "- a kingfisher #bird",
    "",
    "text <!-- pin -->",
    "word " * 60,
)
CHUNKS = """SELECT n.path, c.ordinal, c.char_start, c.char_end, c.line_start, c.line_end, c.heading, c.pinned, c.text,
    c.text_hash, c.flags FROM chunks c JOIN notes n ON n.id = c.note_id ORDER BY n.path, c.ordinal"""
LINKS = "SELECT n.path, l.target, l.heading, l.line FROM links l JOIN notes n ON n.id = l.note_id ORDER BY 1, l.rowid"
HELD = """SELECT c.ordinal FROM chunks c JOIN lexicon x ON x.rowid = c.id
    WHERE lexicon MATCH ? ORDER BY c.ordinal"""


def rows_written(bench: BenchVault, text: str) -> tuple[int, int]:
    """Index a long note in a new form; return how many chunks were written, and how many rows there are changes of."""
    store = bench.session().store
    chunks, changes = store.n_written, store.connection.total_changes()
    bench.write("log.md", text)
    bench.session().indexer.sweep()
    return store.n_written - chunks, store.connection.total_changes() - changes


@pytest.fixture
def long(bench: BenchVault) -> BenchVault:
    """A vault with one note of more than a hundred chunks and a link at its beginning."""
    bench.write("log.md", "# Log\n\n[[Alpha]]\n\n" + HERONS)
    bench.sync()
    assert bench.rows("SELECT count(*) FROM chunks")[0][0] > 50
    return bench


def test_a_line_at_the_end_of_a_long_note_writes_the_rows_of_its_end(long: BenchVault) -> None:
    """F24: agents that keep one log write to its end all day."""
    n_chunks, n_changes = rows_written(long, f"# Log\n\n[[Alpha]]\n\n{HERONS}- A kingfisher came by.\n")
    assert 1 <= n_chunks <= 2
    assert n_changes <= 20
    assert long.paths("kingfisher", mode="fts") == ["log.md"]


def test_a_link_at_the_end_of_a_note_is_added_to_those_there_are(long: BenchVault) -> None:
    rows_written(long, f"# Log\n\n[[Alpha]]\n\n{HERONS}- See [[Beta]].\n")
    assert long.rows("SELECT target, line FROM links ORDER BY rowid") == [("Alpha", 3), ("Beta", 1005)]


def test_a_link_that_is_gone_is_no_longer_kept(long: BenchVault) -> None:
    rows_written(long, f"# Log\n\n[[Gamma]]\n\n{HERONS}")
    assert long.rows("SELECT target FROM links") == [("Gamma",)]


def test_a_line_at_the_beginning_moves_every_chunk(long: BenchVault) -> None:
    before = long.rows("SELECT line_start FROM chunks WHERE ordinal = 5")[0][0]
    rows_written(long, f"# Log\n\n[[Alpha]]\n\n\n{HERONS}")
    assert long.rows("SELECT line_start FROM chunks WHERE ordinal = 5") == [(before + 1,)]


def test_a_new_title_is_found_with_every_chunk(long: BenchVault) -> None:
    """The titles of a note are words of each of its chunks."""
    rows_written(long, f"---\naliases: [ibis]\n---\n# Diary\n\n[[Alpha]]\n\n{HERONS}")
    n_chunks = long.rows("SELECT count(*) FROM chunks WHERE ordinal >= 0")[0][0]
    assert len(long.rows(HELD, "diary")) >= n_chunks
    assert len(long.rows(HELD, "ibis")) >= n_chunks


def test_a_note_that_is_gone_leaves_no_row(long: BenchVault) -> None:
    (long.root / "log.md").unlink()
    long.sync(accept_deletions=True)
    counts = [long.rows(f"SELECT count(*) FROM {table}")[0][0] for table in ("chunks", "links", "notes", "lexicon")]  # noqa: S608
    assert counts == [0, 0, 0, 0]


def index_of(bench: BenchVault) -> list[list[Any]]:
    words = ("heron", "kingfisher", "log", "later", "bird")
    return [bench.rows(CHUNKS), bench.rows(LINKS), *(bench.rows(HELD, word) for word in words)]


def in_vault(act: Callable[[BenchVault], list[list[Any]]]) -> list[list[Any]]:
    with tempfile.TemporaryDirectory() as folder:
        bench = BenchVault(Path(folder))
        try:
            return act(bench)
        finally:
            bench.vault.close()


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.2), st.lists(st.sampled_from(LINES), max_size=12)), max_size=6)
)
@settings(deadline=None, max_examples=25)
def test_an_index_after_any_edits_is_as_one_made_anew(edits: list[tuple[float, float, list[str]]]) -> None:
    lines = ["# Log", *(f"- The heron {number} stands in the river." for number in range(60))]

    def edited(bench: BenchVault) -> list[list[Any]]:
        for at, share, added in edits:
            bench.write("log.md", "\n".join(lines))
            bench.session().indexer.sweep()
            first = int(at * len(lines))
            lines[first : first + int(share * len(lines))] = added
        bench.write("log.md", "\n".join(lines))
        bench.session().indexer.sweep()
        return index_of(bench)

    def made_anew(bench: BenchVault) -> list[list[Any]]:
        bench.write("log.md", "\n".join(lines))
        bench.session().indexer.sweep()
        return index_of(bench)

    assert in_vault(edited) == in_vault(made_anew)
