"""The model library at work for ``clawvault index``: output, ending and what is told stay as they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_types import Run
from interrupting import interrupt_when

pytestmark = pytest.mark.model

# Starts with the library ready, and says in a file when that computes; kills it over one of its batches.
READY = """
import signal, sys
from pathlib import Path
from clawvault import opened
from clawvault.cli.main import main
from clawvault.embed import bulk
from clawvault.embed.library_process import LibraryProcess
from clawvault.embed.opening import open_embedder
signal.signal(signal.SIGINT, signal.default_int_handler)
bulk.START_AFTER = 1
def open_ready(config, environment):
    embedder = open_embedder(config, environment)
    embedder.embed_passages(["start"])
    embedder.bulk.process.ready.wait(240)
    return embedder
opened.open_embedder = open_ready
wait = LibraryProcess._wait
def say_and_wait(process, longest_s):
    with Path({reached!r}).open("a") as file:
        file.write("computing\\n")
        if file.tell() == {kill_at}:
            process.process.kill()
    return wait(process, longest_s)
LibraryProcess._wait = say_and_wait
sys.argv[1:] = {arguments!r}
main()
"""


@pytest.fixture
def many(vault: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "sentence-transformers")
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_BULK", "library")
    return vault


def start(tmp_path: Path, *arguments: str, kill_at: int = 0) -> tuple[subprocess.Popen[str], Path]:
    reached = tmp_path / "reached"
    code = READY.format(reached=os.fspath(reached), arguments=list(arguments), kill_at=len("computing\n") * kill_at)
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, encoding="utf-8")
    return process, reached


def test_an_index_run_whose_library_is_killed_prints_json_alone_and_embeds_each_text_once(
    many: Path, tmp_path: Path, run: Run
) -> None:
    """The first batch is that of the notes; the second asks which languages the model reads."""
    process, reached = start(tmp_path, "index", "--json", "--timings", kill_at=2)
    output, errors = process.communicate(timeout=240)
    assert (process.returncode, reached.exists()) == (0, True), errors
    done = json.loads(output)
    assert (done["embedded_texts"], done["pending_chunks"]) == (4, 0)
    assert {"texts", "total"} <= set(done["timings_ms"])
    assert errors.count("embedding goes on without the model library: it ended by itself\n") == 1
    assert errors.splitlines()[-1].split()[::2] == ["total", "ms"]
    assert json.loads(run("index", "--json").stdout)["embedded_texts"] == 0
    assert run("search", "which port", "--mode", "vector").exit_code == 0


def test_an_index_run_ends_soon_while_the_library_computes(many: Path, tmp_path: Path) -> None:
    for number in range(200):
        (many / f"long-{number}.md").write_text(f"# Long {number}\n\n" + f"harbour {number} and the tide " * 150)
    process, reached = start(tmp_path, "index")
    errors = interrupt_when(process, lambda: reached.exists() and reached.stat().st_size > 30)
    assert process.returncode == 130
    assert errors.endswith("The next run goes on from there.\nInterrupted.\n")
