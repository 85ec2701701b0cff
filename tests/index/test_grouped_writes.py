"""Notes written together: fewer transactions, each note still whole or absent, keyword rows before vectors."""

from __future__ import annotations

import pytest
from bench_vault import BenchVault

from clawvault.index import indexer
from clawvault.index.connection import read_text
from clawvault.index.records import ChunkText, NoteRecord
from clawvault.index.store import Store

N_NOTES = 40


def written(bench: BenchVault) -> None:
    for i in range(N_NOTES):
        bench.write(f"{i}.md", f"# Note {i}\n\nThe heron number {i} stands in the river.\n")


def count_commits(bench: BenchVault) -> list[int]:
    commits: list[int] = []

    def committed() -> bool:
        commits.append(1)
        return False

    bench.session().store.connection.set_commit_hook(committed)
    return commits


def test_many_notes_take_few_transactions(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first comes at once, the rest together when they are read within one moment."""
    monkeypatch.setattr(indexer, "GROUP_S", 600.0)
    written(bench)
    commits = count_commits(bench)
    report = bench.session().indexer.sweep()
    assert (report.added, len(commits)) == (N_NOTES, 2)


def test_a_slow_vault_shows_each_note_as_it_is_read(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """I08: no note waits for others that take long."""
    monkeypatch.setattr(indexer, "GROUP_S", 0.0)
    written(bench)
    seen: list[int] = []
    bench.session().indexer.sweep(progress=lambda *_: seen.append(bench.rows("SELECT count(*) FROM notes")[0][0]))
    assert seen == list(range(N_NOTES))


def test_what_failed_in_the_middle_is_found_by_the_next_run(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """F01: a group is written whole or not at all, and nothing but time is lost."""
    written(bench)
    monkeypatch.setattr(indexer, "GROUP_S", 600.0)
    whole = Store.replace_note

    def fail_at(store: Store, note: NoteRecord, chunks: dict[int, list[ChunkText]], *, removing: str | None) -> None:
        whole(store, note, chunks, removing=removing)
        assert note.file.path != "7.md"

    monkeypatch.setattr(Store, "replace_note", fail_at)
    with pytest.raises(AssertionError):
        bench.session().indexer.sweep()
    assert bench.rows("SELECT count(*), (SELECT count(*) FROM chunks), (SELECT count(*) FROM lexicon) FROM notes") == [
        (1, 1, 1)
    ]
    monkeypatch.setattr(Store, "replace_note", whole)
    assert bench.session().indexer.sweep().added == N_NOTES - 1


def test_a_note_is_found_by_its_words_before_it_has_a_vector(bench: BenchVault) -> None:
    """I08, F29."""
    written(bench)
    report = bench.session().indexer.sweep()
    assert (report.pending_chunks, bench.embedder.n_embedded) == (N_NOTES, 0)
    assert bench.paths("heron number 7", mode="fts")[0] == "7.md"


def test_a_note_whose_name_was_given_to_another_is_written_after_it(
    bench: BenchVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F18: names exchanged within one group."""
    monkeypatch.setattr(indexer, "GROUP_S", 600.0)
    written(bench)
    bench.sync()
    for old, new in (("0.md", "x.md"), ("1.md", "0.md"), ("x.md", "1.md"), ("2.md", "moved.md")):
        (bench.root / old).rename(bench.root / new)
    report = bench.sync()
    assert (report.moved, report.changed, report.embedded_texts) == (1, 2, 0)
    rows = bench.rows("SELECT n.path, c.text, c.text_hash FROM chunks c JOIN notes n ON n.id = c.note_id")
    texts = {path: read_text(packed, text_hash) for path, packed, text_hash in rows}
    moved = {path: text[7] for path, text in texts.items() if any(f"r {n} " in text for n in "012")}
    assert moved == {"0.md": "1", "1.md": "0", "moved.md": "2"}
