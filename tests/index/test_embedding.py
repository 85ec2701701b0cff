"""Chunks get their vectors once, and what an interrupted run embedded is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from bench_vault import BenchVault
from fakes import HashEmbedder
from tiny_bert import write_bert

from clawvault.api import Vault
from clawvault.config import load_config
from clawvault.embed.protocol import FloatArray
from clawvault.index.embedding import Embedded

INTERRUPTED = """
import os, signal, sys, time
from pathlib import Path
from clawvault.api import Vault
from clawvault.config import load_config
from clawvault.embed.bert.model import BertModel
signal.signal(signal.SIGINT, signal.default_int_handler)
root, model = map(Path, sys.argv[1:3])
read, calls = BertModel.read, []
at = []
def read_and_interrupt(self, group, pause=None):
    calls.append(group)
    if counted and not at:
        at.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    return read(self, group, pause)
counted = []
def progress(stage, done, total):
    if stage == "texts" and done:
        counted.append(done)
BertModel.read = read_and_interrupt
vault = Vault(root, load_config(root, environment={}, flags={"embedding.model": str(model)}), dict(os.environ))
try:
    vault.index(progress=progress)
except KeyboardInterrupt:
    print(counted[-1], time.monotonic() - at[0])
"""


@pytest.mark.skipif(os.name == "nt", reason="signals cannot be sent to one process there")
def test_ctrl_c_while_embedding_ends_at_once_and_keeps_what_was_embedded(tmp_path: Path) -> None:
    """The signal comes from a thread that computes, in the second batch."""
    model = write_bert(tmp_path / "model", dims=256, wide=1024, layers=6, max_tokens=40)
    root = tmp_path / "vault"
    (root / ".clawvault").mkdir(parents=True)
    for number in range(100):
        (root / f"{number}.md").write_text(f"# Note {number}\n\nthe database runs on port {number}\n")
    environment = {"CLAWVAULT_STATE_DIR": os.fspath(tmp_path / "state")}
    command = [sys.executable, "-c", INTERRUPTED, os.fspath(root), os.fspath(model)]
    ended = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=300, check=True
    )
    n_kept, took_s = ended.stdout.split()
    assert n_kept == "32"
    assert float(took_s) < 2.0
    config = load_config(root, environment={}, flags={"embedding.model": os.fspath(model)})
    with Vault(root, config, environment) as vault:
        assert vault.index().embedded_texts == 68
        assert vault.index().embedded_texts == 0


def test_every_text_is_embedded_once_however_often_the_index_is_brought_up_to_date(bench: BenchVault) -> None:
    """Work counted: texts embedded."""
    for number in range(40):
        bench.write(f"{number}.md", f"# Note\n\nBody {number % 20} of a note.\n")
    bench.sync()
    bench.write("3.md", "# Note\n\nAnother body.\n")
    bench.sync()
    bench.sync()
    assert len(bench.embedder.embedded) == len(set(bench.embedder.embedded)) == 21


def test_a_caller_may_lend_its_turn_at_every_call_of_the_model_and_at_no_other_time(bench: BenchVault) -> None:
    """I08: notes are written while a model computes."""
    inside: list[bool] = [False]
    calls: list[bool] = []

    class Watched(HashEmbedder):
        def _vectors(self, texts: Sequence[str]) -> FloatArray:
            calls.append(inside[0])
            return super()._vectors(texts)

    @contextmanager
    def lend() -> Iterator[None]:
        inside[0] = True
        yield
        inside[0] = False

    bench.reopen(Watched(), embedding__batch_size=4)
    for number in range(10):
        bench.write(f"{number}.md", f"# Note\n\nBody {number} of a note.\n")
    session = bench.session()
    session.indexer.sweep()
    assert session.queue.embed_some(computing=lend, progress=lambda _: calls.append(not inside[0])).n_texts == 10
    assert set(calls) == {True}


def test_a_note_that_is_edited_all_the_time_is_embedded_once(bench: BenchVault) -> None:
    """F24."""
    bench.write("day.md", "# Day\n\nA heron.\n")
    session = bench.session()
    session.indexer.sweep()

    @contextmanager
    def edit_meanwhile() -> Iterator[None]:
        yield
        bench.write("day.md", "# Day\n\nA heron and a crane.\n")
        session.indexer.sweep()

    assert session.queue.embed_some(computing=edit_meanwhile) == Embedded(1, is_all=True)
    assert session.queue.count_pending() == 1
    assert session.queue.embed_some() == Embedded(1, is_all=True)
    assert session.queue.count_pending() == 0


def test_a_note_is_embedded_as_it_is_when_its_turn_comes(bench: BenchVault) -> None:
    """F24: of ten notes the oldest is edited while those before it are embedded."""
    for number in range(10):
        bench.write(f"{number}.md", f"# Note\n\nBody {number} of a note.\n")
    session = bench.session()
    session.indexer.sweep()

    @contextmanager
    def edit_meanwhile() -> Iterator[None]:
        yield
        bench.write("0.md", "# Note\n\nA heron.\n")
        session.indexer.sweep()

    assert session.queue.embed_some(computing=edit_meanwhile) == Embedded(10, is_all=True)
    assert session.queue.count_pending() == 0
