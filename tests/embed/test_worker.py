"""The process that runs the model library, with the packaged model: the same vectors, and an end in every case."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np
import pytest

from clawvault.config import load_config
from clawvault.embed import bulk
from clawvault.embed.bert.embedder import BertEmbedder
from clawvault.embed.opening import open_embedder
from clawvault.embed.worker import _answer
from clawvault.errors import EmbedderError

TEXTS = [
    "The harbour office moved to Quay Street in March.",
    "",
    "数据库在五楼。",
    "Which port does the database use? It listens on 5433 behind the proxy.",
    "a\x00b \ud800 c",
    "tide " * 900,
]
SPANS = [[(0, 20), (20, 49)], [], [(0, 7)], [(0, 33), (33, 70)], [], [(0, 40), (4000, 4400)]]
# Has a worker that shares its standard error, and says so once that computes; goes on until it is killed.
PARENT = """
import signal, subprocess
from clawvault.config import load_config
from clawvault.embed import bulk
from clawvault.embed.opening import open_embedder
bulk.START_AFTER = 1
subprocess.DEVNULL = None
embedder = open_embedder(load_config(None, environment={}, flags={"embedding.bulk": "library"}), {})
embedder.embed_passages(["start"])
process = embedder.bulk.process
process.ready.wait(240)
process.process.send_signal(signal.SIGINT)
embedder.embed_passages(["Ctrl-C is for this end to understand"])
assert not process.gone.is_set()
wait = process._wait
process._wait = lambda longest_s: (print("computing", flush=True), wait(longest_s))[1]
embedder.embed_passages(["harbour and tide " * 200] * 2000)
"""


@pytest.fixture(scope="module")
def embedder() -> Iterator[BertEmbedder]:
    """Give the packaged model with the library at work."""
    made = open_embedder(load_config(None, environment={}, flags={"embedding.bulk": "library"}), {})
    assert isinstance(made, BertEmbedder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk, "START_AFTER", 1)
        made.embed_passages(["start"])
        assert made.bulk.process is not None
        assert made.bulk.process.ready.wait(240), made.bulk.process.fault
        yield made
    made.end_bulk()


@pytest.fixture
def quick() -> BertEmbedder:
    made = open_embedder(load_config(None, environment={}, flags={"embedding.bulk": "quick"}), {})
    assert isinstance(made, BertEmbedder)
    return made


@pytest.mark.model
def test_the_library_and_the_quick_form_give_the_same_vectors(embedder: BertEmbedder, quick: BertEmbedder) -> None:
    """L1: one embedding space, whoever computes."""
    process = embedder.bulk.process
    vectors, pieces = embedder.embed_parts(TEXTS, SPANS)
    expected, expected_pieces = quick.embed_parts(TEXTS, SPANS)
    assert float((vectors * expected).sum(axis=1).min()) >= 0.999
    assert [len(part) for part in pieces] == [len(part) for part in expected_pieces] == [2, 0, 1, 2, 0, 1]
    one, other = np.concatenate(pieces), np.concatenate(expected_pieces)
    assert (
        float(((one * other).sum(axis=1) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)).min()) >= 0.999
    )
    assert embedder.bulk.process is process


@pytest.mark.model
def test_a_process_that_is_killed_over_a_batch_loses_none_of_its_texts(
    embedder: BertEmbedder, quick: BertEmbedder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    process = embedder.bulk.process
    assert process is not None
    wait = process._wait

    def kill_first(longest_s: float) -> object:
        process.process.kill()
        return wait(longest_s)

    monkeypatch.setattr(process, "_wait", kill_first)
    assert np.allclose(embedder.embed_passages(TEXTS), quick.embed_passages(TEXTS), atol=1e-5)
    assert caplog.messages == ["embedding goes on without the model library: it ended by itself"]


@pytest.mark.model
def test_the_process_ends_over_a_batch_when_the_one_it_works_for_is_killed() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=pipe, stderr=pipe, encoding="utf-8") as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        assert parent.stdout.readline() == "computing\n"
        parent.kill()
        began = time.monotonic()
        # It ends when nobody is left who could write.
        assert "Traceback" not in parent.stderr.read()
    assert time.monotonic() - began < 5


def test_what_the_library_says_of_a_text_is_the_answer() -> None:
    class Failing:
        def embed_passages(self, texts: list[str]) -> None:
            raise EmbedderError("The model failed.", "Try another.")

    asked = {"texts": ["a"], "spans": [[]]}
    assert _answer(Failing(), asked) == ({"error": ["The model failed.", "Try another."]}, None)  # type: ignore[arg-type]
