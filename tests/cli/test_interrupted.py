"""Ctrl-C while texts are embedded, with real processes: what is done is kept, and the next run does the rest alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_types import Run
from fakes import HashEmbedder
from interrupting import interrupt_when

# Embeds the first batch, says so in a file, and computes at the second for as long as it takes to end it.
RESTING = """
import signal, sys, threading
from pathlib import Path
sys.path.insert(0, {tests!r})
from fakes import PROBE_TEXTS, HashEmbedder
from clawvault import opened
from clawvault.cli.main import main
# Whoever runs the tests in the background of a shell passes on that Ctrl-C is to be ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
class RestingEmbedder(HashEmbedder):
    def embed_passages(self, texts):
        if self.n_embedded and not PROBE_TEXTS.issuperset(texts):
            Path({reached!r}).touch()
            threading.Event().wait(600)
        return super().embed_passages(texts)
embedder = RestingEmbedder()
opened.open_embedder = lambda *_: embedder
sys.argv[1:] = {arguments!r}
main()
"""


@pytest.fixture
def many(vault: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a vault whose texts are more than one batch."""
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_BATCH_SIZE", "32")
    for number in range(96):
        (vault / f"note-{number}.md").write_text(f"# Note {number}\n\nAbout harbour {number}.\n")
    return vault


def interrupt(tmp_path: Path, *arguments: str) -> tuple[int, str]:
    """Run a command, end it at the second batch; return its exit code and what it said on standard error."""
    reached = tmp_path / "reached"
    code = RESTING.format(tests=str(Path(__file__).parents[1]), reached=str(reached), arguments=list(arguments))
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", code], stderr=pipe, stdout=pipe, encoding="utf-8")
    errors = interrupt_when(process, reached.exists)
    return process.returncode, errors


def test_an_index_run_says_how_far_it_came_and_the_next_embeds_the_rest_alone(
    many: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, errors = interrupt(tmp_path, "index")
    assert code == 130
    assert errors == "Embedding texts: 32 of 100. The next run goes on from there.\nInterrupted.\n"
    embedder = HashEmbedder()
    monkeypatch.setattr("clawvault.opened.open_embedder", lambda *_: embedder)
    assert json.loads(run("index", "--json").stdout)["embedded_texts"] == 68
    assert embedder.n_embedded == 68
    assert run("doctor").exit_code == 0


def test_a_search_that_brings_the_index_up_to_date_can_be_ended(many: Path, tmp_path: Path) -> None:
    code, errors = interrupt(tmp_path, "search", "harbour", "--sync")
    assert code == 130
    assert errors == "Embedding texts: 32 of 100. The next question goes on from there.\nInterrupted.\n"


def test_a_measurement_can_be_ended(many: Path, tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.jsonl"
    relevant = {"path": "note-1.md", "line_start": 1, "line_end": 3}
    qrels.write_text(json.dumps({"id": "1", "query": "harbour", "relevant": [relevant]}) + "\n")
    code, errors = interrupt(tmp_path, "eval", str(many), "--qrels", str(qrels))
    assert (code, errors) == (130, "Interrupted.\n")


@pytest.mark.model
def test_a_real_model_lets_go_of_an_index_run(many: Path, tmp_path: Path) -> None:
    from clawvault.cli.place import Invocation

    for number in range(200):
        (many / f"long-{number}.md").write_text(f"# Long {number}\n\n" + f"harbour {number} and the tide " * 150)
    environment = {**os.environ, "CLAWVAULT_EMBEDDING_PROVIDER": "sentence-transformers"}
    process = subprocess.Popen(
        [sys.executable, "-c", DEFAULT_SIGNALS], env=environment, stderr=subprocess.PIPE, encoding="utf-8"
    )
    vectors = Invocation(vault=str(many)).locate().state / "embeddings.sqlite3-wal"
    errors = interrupt_when(process, lambda: vectors.exists() and vectors.stat().st_size > 100_000)
    assert process.returncode == 130
    assert errors.endswith("The next run goes on from there.\nInterrupted.\n")


DEFAULT_SIGNALS = """
import signal, sys
from clawvault.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv[1:] = ["index"]
main()
"""
