"""The store of vectors beside the index: losing one file never costs the other (I16, I20, F03 to F06, F32, F44)."""

from __future__ import annotations

import json
import random
import stat
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest
from bench_vault import BenchVault
from fakes import HashEmbedder

from clawvault.index import generations
from clawvault.index.connection import DamagedIndexError, connect
from clawvault.index.damage import check_integrity
from clawvault.index.generations import add_vectors, find_generation
from clawvault.index.schema import EMBEDDINGS, INDEX
from clawvault.index.store import Store

N_NOTES = 12


def filled(bench: BenchVault) -> Path:
    for i in range(N_NOTES):
        bench.write(f"{i}.md", f"# Note {i}\n\nThe heron number {i} stands in the river.\n")
    bench.sync()
    bench.vault.close()
    return bench.index_path


def vectors_path(bench: BenchVault) -> Path:
    return bench.index_path.with_name("embeddings.sqlite3")


def remove(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def test_a_deleted_index_is_made_again_without_embedding_anything(bench: BenchVault) -> None:
    """I16: only time is lost, and little of it."""
    path = filled(bench)
    remove(path)
    assert bench.sync().embedded_texts == 0
    assert bench.embedder.n_embedded == N_NOTES
    assert bench.vault.status()["vectors"] == N_NOTES


def test_a_damaged_index_is_set_aside_without_the_vectors(bench: BenchVault) -> None:
    path = filled(bench)
    path.write_bytes(b"junk" * 5000)
    assert bench.sync().embedded_texts == 0
    assert [len(list(path.parent.glob(f"{name}.damaged-*"))) for name in (path.name, "embeddings.sqlite3")] == [1, 0]


def test_damaged_vectors_are_set_aside_without_the_index(bench: BenchVault) -> None:
    path = filled(bench)
    vectors_path(bench).write_bytes(b"junk" * 5000)
    report = bench.sync()
    assert (report.added, report.embedded_texts) == (0, N_NOTES)
    assert [len(list(path.parent.glob(f"{name}.damaged-*"))) for name in (path.name, "embeddings.sqlite3")] == [0, 1]


def test_lost_vectors_are_made_again_and_words_answer_meanwhile(bench: BenchVault) -> None:
    filled(bench)
    remove(vectors_path(bench))
    result = bench.search("heron number 7")
    assert result.hits[0].path == "7.md"
    assert result.degraded == ("vector lane off: none of its vectors is made yet", "12 passages have no vector yet")
    assert bench.sync().embedded_texts == N_NOTES
    assert bench.search("heron number 7").degraded == ()


def test_a_search_is_not_hurt_by_damaged_vectors(bench: BenchVault) -> None:
    filled(bench)
    vectors_path(bench).write_bytes(b"junk" * 5000)
    assert bench.vault.search("heron number 7").hits[0].path == "7.md"
    assert bench.vault.status()["notes"] == N_NOTES


def test_vectors_of_another_vault_file_are_found_by_the_name_of_their_space(tmp_path: Path) -> None:
    """The ids of spaces differ; a vector of one model must never pass for one of another (I21)."""
    bench = BenchVault(tmp_path / "a", HashEmbedder(name="first"))
    filled(bench)
    bench.reopen(HashEmbedder(name="second"))
    bench.sync()
    bench.vault.close()
    other = BenchVault(tmp_path / "b", HashEmbedder(name="second"))
    path = filled(other)
    remove(vectors_path(other))
    vectors_path(bench).rename(path.with_name("embeddings.sqlite3"))
    assert other.sync().embedded_texts == 0
    assert [row[0] for row in other.rows("SELECT s.id FROM spaces s WHERE s.model = 'second'")] == [2]
    assert other.search("heron number 7", mode="vector").hits[0].path == "7.md"


def test_an_open_vault_follows_files_that_are_replaced(bench: BenchVault) -> None:
    """F44: a reader of long standing must not go on answering from a file that is gone."""
    filled(bench)
    reader = BenchVault(bench.root.parent)
    assert len(reader.search("heron").hits) == 10
    remove(bench.index_path)
    bench.write("new.md", "a kingfisher\n")
    bench.sync()
    assert reader.paths("kingfisher")[0] == "new.md"
    reader.vault.close()


def test_the_version_changes_with_either_file(bench: BenchVault) -> None:
    filled(bench)
    store, writer = bench.store(), Store(bench.index_path, writer=True)
    versions = [store.version()]
    writer.set_meta("key", "value")
    versions.append(store.version())
    generation = find_generation(writer, "active")
    assert generation is not None
    add_vectors(writer, generation, [b"x" * 16], HashEmbedder().embed_passages(["x"]), [b""])
    versions.append(store.version())
    assert len(set(versions)) == 3
    assert store.version() == versions[-1]
    writer.close()
    store.close()


def test_a_planted_trigger_on_the_vectors_is_not_run(bench: BenchVault) -> None:
    """T17."""
    path = filled(bench)
    connection = apsw.Connection(str(vectors_path(bench)))
    connection.execute("CREATE TRIGGER evil AFTER INSERT ON vectors BEGIN DELETE FROM spaces; END")
    connection.close()
    with pytest.raises(DamagedIndexError, match="store of vectors has tables"):
        connect(path, writer=False)


def test_the_check_of_the_index_looks_at_the_vectors_too(bench: BenchVault) -> None:
    path = filled(bench)
    connection = apsw.Connection(str(vectors_path(bench)))
    root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'vectors_by_text'").get
    connection.close()
    with vectors_path(bench).open("r+b") as file:
        file.seek((root - 1) * EMBEDDINGS.page_bytes + 8)
        file.write(b"\xff" * 64)
    connection = connect(path, writer=False)
    assert check_integrity(connection) != ""
    connection.close()


def test_both_files_are_read_where_nothing_can_be_written(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """F32: the way of reading that makes no files finds the vectors too."""
    path = filled(bench)

    def refuse(connection: apsw.Connection) -> None:
        raise apsw.CantOpenError

    monkeypatch.setattr("clawvault.index.connection._prepare", refuse)
    before = {file.name for file in path.parent.iterdir()}
    connection = connect(path, writer=False)
    assert connection.execute("SELECT count(*) FROM chunks JOIN vectors USING (text_hash)").get == N_NOTES
    assert {file.name for file in path.parent.iterdir()} == before
    connection.close()


def test_ids_of_chunks_and_vectors_are_never_used_twice(bench: BenchVault) -> None:
    """What is kept in memory follows the index by the greatest ids it has seen."""
    filled(bench)
    for path in bench.root.glob("*.md"):
        path.unlink()
    bench.sync(accept_deletions=True)
    bench.write("new.md", "a kingfisher\n")
    bench.sync()
    assert bench.rows("SELECT id FROM chunks") == [(N_NOTES + 1,)]
    assert bench.rows("SELECT max(id) FROM vectors") == [(N_NOTES + 1,)]


def test_the_size_of_the_index_counts_both_files(bench: BenchVault) -> None:
    path = filled(bench)
    assert bench.vault.status()["db_bytes"] == path.stat().st_size + vectors_path(bench).stat().st_size


def test_both_files_have_the_pages_that_suit_them(bench: BenchVault) -> None:
    path = filled(bench)
    connection = connect(path, writer=False)
    sizes = {layout.schema: connection.pragma("page_size", schema=layout.schema) for layout in (INDEX, EMBEDDINGS)}
    connection.close()
    assert json.dumps(sizes) == '{"main": 8192, "embeddings": 16384}'
    assert stat.S_IMODE(vectors_path(bench).stat().st_mode) == 0o600


def test_a_text_that_has_a_vector_is_not_counted_again(tmp_path: Path) -> None:
    """What was embedded was found to fit, and counting takes as long as reading everything else."""
    embedder = CountingEmbedder(max_tokens=40)
    bench = BenchVault(tmp_path, embedder)
    path = filled(bench)
    before = bench.rows("SELECT note_id, ordinal, char_start, char_end FROM chunks ORDER BY 1, 2")
    assert len(embedder.counted) == N_NOTES
    bench.vault.close()
    remove(path)
    bench.write("new.md", "a kingfisher\n")
    bench.sync()
    assert embedder.counted[N_NOTES:] == ["a kingfisher"]
    assert bench.rows("SELECT note_id, ordinal, char_start, char_end FROM chunks ORDER BY 1, 2")[:N_NOTES] == before


def test_texts_found_to_be_too_long_are_not_counted_again_either(bench: BenchVault) -> None:
    """A sweep that finds all vectors again asks the model for nothing."""
    bench.vault.close()
    embedder = CountingEmbedder(max_tokens=12)
    bench = BenchVault(bench.root.parent, embedder)
    bench.write("long.md", "# Birds\n\n" + "\n\n".join(f"The heron number {i} stands in the river." for i in range(9)))
    bench.sync()
    n_counted = len(embedder.counted)
    before = bench.rows("SELECT ordinal, char_start, char_end FROM chunks ORDER BY 1")
    assert bench.vault.status()["vectors"] == len(before) > 3
    assert bench.vault.status()["refused_texts"] == 0
    path = bench.index_path
    bench.vault.close()
    remove(path)
    bench.sync()
    assert embedder.counted[n_counted:] == []
    assert bench.rows("SELECT ordinal, char_start, char_end FROM chunks ORDER BY 1") == before


def test_texts_found_to_be_too_long_do_not_pile_up(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """I31."""
    monkeypatch.setattr(generations, "KEPT_IN_ANY_CASE", 0)
    bench.vault.close()
    bench = BenchVault(bench.root.parent, CountingEmbedder(max_tokens=12))
    most = 0
    for turn in range(12):
        bench.write("long.md", "\n\n".join(f"The heron number {i} stands in river {turn}." for i in range(9)))
        bench.sync()
        most = max(most, bench.rows("SELECT count(*) FROM refused")[0][0])
    assert 0 < most <= 3 * 9


class CountingEmbedder(HashEmbedder):
    def __init__(self, *, max_tokens: int) -> None:
        super().__init__(max_tokens=max_tokens)
        self.counted: list[str] = []

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        self.counted += texts
        return super().count_tokens(texts)


def test_vectors_of_texts_that_are_gone_are_kept_for_when_they_come_back(bench: BenchVault) -> None:
    filled(bench)
    text = (bench.root / "7.md").read_text()
    bench.write("7.md", "# Another\n\nA kingfisher.\n")
    bench.sync()
    bench.write("7.md", text)
    assert bench.sync().embedded_texts == 0


def test_vectors_of_texts_that_are_gone_do_not_pile_up(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """I31: a vault that is edited for years keeps a bounded store."""
    monkeypatch.setattr(generations, "KEPT_IN_ANY_CASE", 0)
    filled(bench)
    most = 0
    for turn in range(N_NOTES):
        for i in range(N_NOTES):
            bench.write(f"{i}.md", f"# Note {i}\n\nThe heron number {i} stands in river {turn}.\n")
        bench.sync()
        most = max(most, bench.rows("SELECT count(*) FROM vectors")[0][0])
    assert most <= 3 * N_NOTES
    assert bench.vault.status()["vectors"] == N_NOTES


def test_the_files_take_little_more_than_what_is_in_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index is at most 2.5 times the text; the vectors cost their numbers, their signs and a tenth more."""
    dims, n_signs = 384, 480
    bench = BenchVault(tmp_path, HashEmbedder(dims=dims))
    chance = random.Random(5)
    words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(2, 9))) for _ in range(3000)]
    paragraph = " ".join(words[int(chance.paretovariate(0.7)) % len(words)] for _ in range(80))
    for i in range(150):
        paragraphs = [" ".join(chance.sample(paragraph.split(), 40)) + f" {words[i]}." for _ in range(16)]
        bench.write(f"area {i % 7}/note {i}.md", f"# Note {i}\n\n" + "\n\n".join(paragraphs) + "\n")
    monkeypatch.setattr("clawvault.index.sketches.make_sketch", lambda *_: b"s" * n_signs)
    bench.sync()
    bench.session().store.checkpoint()
    n_chunks = bench.vault.status()["chunks"]
    n_bytes = sum(path.stat().st_size for path in bench.root.rglob("*.md"))
    bench.vault.close()
    assert bench.index_path.stat().st_size <= 2.5 * n_bytes
    assert vectors_path(bench).stat().st_size <= 1.1 * n_chunks * (4 * dims + n_signs) + 8 * EMBEDDINGS.page_bytes
