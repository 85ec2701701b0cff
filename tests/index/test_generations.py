"""A change of model or a rebuild: the old index answers until the new one is complete (I17, L1, B101..B109)."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench_vault import BenchVault
from fakes import HashEmbedder

from clawvault.errors import EmbedderError
from clawvault.index.embedding import Embedded


def fill(bench: BenchVault, n: int = 12) -> None:
    for i in range(n):
        bench.write(f"{i}.md", f"# Note {i}\n\nThe heron number {i} stands in the river.\n")


def test_another_model_is_built_beside_the_old_one(bench: BenchVault) -> None:
    """OC-62: from 64 to 128 numbers without an error and without a mixed answer."""
    fill(bench)
    bench.sync()
    bench.reopen(HashEmbedder(dims=128, name="other"))
    session = bench.session()
    session.indexer.sweep()
    assert bench.rows("SELECT state, count(*) FROM generations GROUP BY state ORDER BY state") == [
        ("active", 1),
        ("building", 1),
    ]
    assert bench.vault.status()["reindexing_percent"] == 0


def test_words_are_found_and_the_loss_is_said_while_the_old_model_is_gone(bench: BenchVault) -> None:
    fill(bench)
    bench.sync()
    bench.reopen(HashEmbedder(dims=128, name="other"))
    bench.session().indexer.sweep()
    result = bench.search("heron", limit=3)
    assert len(result.hits) == 3
    assert "reindexing 0%" in result.degraded
    assert any("no longer here" in part for part in result.degraded)


def test_the_new_model_answers_after_the_swap(bench: BenchVault) -> None:
    fill(bench)
    bench.sync()
    bench.reopen(HashEmbedder(dims=128, name="other"))
    report = bench.sync()
    assert (report.embedded_texts, report.pending_chunks) == (12, 0)
    assert bench.rows("SELECT state FROM generations") == [("active",)]
    assert bench.search("heron").degraded == ()
    assert bench.rows("SELECT count(*) FROM chunks") == bench.rows("SELECT count(*) FROM lexicon") == [(12,)]


def test_going_back_to_the_former_model_embeds_nothing(bench: BenchVault) -> None:
    first = bench.embedder
    fill(bench)
    bench.sync()
    bench.reopen(HashEmbedder(dims=128, name="other"))
    bench.sync()
    bench.reopen(first)
    report = bench.sync()
    assert (report.embedded_texts, report.pending_chunks) == (0, 0)
    assert bench.search("heron").degraded == ()


def test_a_failing_new_model_costs_nothing_of_the_old(bench: BenchVault) -> None:
    """B109: a failed probe is no change."""
    first = bench.embedder
    fill(bench)
    bench.sync()
    broken = HashEmbedder(dims=128, name="broken")
    broken.fault = "the model cannot load"
    bench.reopen(broken)
    with pytest.raises(EmbedderError):
        bench.sync()
    bench.reopen(first)
    assert bench.sync().embedded_texts == 0
    assert len(bench.search("heron", mode="vector").hits) == 10


def test_an_interrupted_rebuild_goes_on_and_never_empties_the_answers(bench: BenchVault) -> None:
    """B103, B105."""
    fill(bench)
    bench.sync()
    bench.reopen(HashEmbedder(dims=128, name="other"), embedding__batch_size=4)
    session = bench.session()
    session.indexer.sweep()
    assert not session.queue.embed_some(deadline_s=0).is_all
    done = bench.embedder.n_embedded
    assert 0 < done < 12
    bench.reopen()
    assert len(bench.paths("heron", mode="fts")) == 10
    bench.sync()
    assert bench.embedder.n_embedded == 12


def test_a_rebuild_embeds_nothing_and_answers_throughout(bench: BenchVault) -> None:
    fill(bench)
    bench.sync()
    session = bench.session()
    session.queue.begin_rebuild()
    session.indexer.sweep()
    assert len(bench.paths("heron")) == 10
    assert session.queue.embed_some() == Embedded(0, is_all=True)
    assert session.queue.finish_generation()
    assert bench.rows("SELECT count(*) FROM chunks") == [(12,)]


def test_edits_during_a_rebuild_reach_both_generations(bench: BenchVault) -> None:
    fill(bench)
    bench.sync()
    session = bench.session()
    session.queue.begin_rebuild()
    bench.write("0.md", "A kingfisher instead.\n")
    session.indexer.sweep()
    assert bench.paths("kingfisher", mode="fts") == ["0.md"]
    session.queue.embed_some()
    session.queue.finish_generation()
    assert bench.paths("kingfisher", mode="fts") == ["0.md"]


def test_a_change_of_chunk_settings_cuts_anew_without_embedding_equal_texts(bench: BenchVault) -> None:
    fill(bench)
    bench.sync()
    bench.reopen(chunks__max_chars=900)
    report = bench.sync()
    assert (report.written, report.embedded_texts) == (12, 0)


def test_ten_rebuilds_do_not_make_the_file_grow(tmp_path: Path) -> None:
    """B111."""
    bench = BenchVault(tmp_path)
    for i in range(60):
        bench.write(f"{i}.md", f"{i} " + "plain words about herons and rivers. " * 40)
    bench.sync()
    bench.sync(rebuild=True)
    first = bench.index_path.stat().st_size
    for _ in range(9):
        bench.sync(rebuild=True)
    assert bench.index_path.stat().st_size <= 1.2 * first
    bench.vault.close()


def test_a_text_the_model_refuses_costs_only_its_own_vector(bench: BenchVault) -> None:
    """I29, F29."""

    class Picky(HashEmbedder):
        def embed_passages(self, texts):  # type: ignore[no-untyped-def]
            if any("poison" in text for text in texts):
                raise EmbedderError("not a number")
            return super().embed_passages(texts)

    bench.reopen(Picky(name="picky"))
    fill(bench)
    bench.write("bad.md", "Some poison.\n")
    report = bench.sync()
    assert (report.embedded_texts, report.pending_chunks) == (12, 0)
    assert bench.vault.status()["refused_texts"] == 1
    assert bench.paths("poison", mode="fts") == ["bad.md"]


def test_without_an_embedder_words_alone_answer(tmp_path: Path) -> None:
    """TC-07, TC-17, IW-84."""
    from clawvault.api import Vault
    from clawvault.config import load_config

    bench = BenchVault(tmp_path)
    fill(bench)
    config = load_config(bench.root, environment={}, flags={"embedding.provider": "none"})
    with Vault(bench.root, config, bench.environment) as vault:
        vault.index()
        result = vault.search("heron")
    assert len(result.hits) == 10
    assert result.degraded == ()


def test_a_model_is_asked_the_built_in_questions_once(bench: BenchVault) -> None:
    for i in range(100):
        bench.write(f"{i}.md", f"Note {i}.\n")
    bench.sync()
    bench.write("more.md", "One more note.\n")
    bench.sync()
    assert (bench.embedder.n_embedded, len(bench.embedder.queries)) == (101, 56)
