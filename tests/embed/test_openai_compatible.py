"""A remote server that misbehaves costs an error with a next step, never a wrong vector (F29)."""

from __future__ import annotations

import json
import socket
from typing import Any

import numpy as np
import pytest
from scripted_server import Answer, ScriptedServer, vectors_answer

from clawvault.config import EmbeddingSettings
from clawvault.embed.openai_compatible import OpenAICompatibleEmbedder
from clawvault.errors import ConfigError, EmbedderError

KEY = "sk-test-0123456789"


def connect(
    server: ScriptedServer, *script: Answer, environment: dict[str, str] | None = None, **settings: Any
) -> tuple[OpenAICompatibleEmbedder, list[float]]:
    """Return an embedder and the list of seconds it waits between tries."""
    server.script[:] = script
    waits: list[float] = []
    given = EmbeddingSettings(
        **{"provider": "openai", "model": "tiny", "url": server.url, "timeout_s": 60.0, **settings}
    )
    return OpenAICompatibleEmbedder(given, environment or {}, wait=waits.append), waits


def test_vectors_are_asked_for_in_the_common_form(server: ScriptedServer) -> None:
    embedder, _ = connect(server, vectors_answer([[3.0, 4.0]]))
    assert embedder.embed_query("hello").tolist() == [pytest.approx(0.6), pytest.approx(0.8)]
    assert server.paths == ["/v1/embeddings"]
    assert server.requests == [{"model": "tiny", "input": ["hello"]}]
    embedder.close()


def test_vectors_out_of_order_are_put_in_order(server: ScriptedServer) -> None:
    data = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]
    embedder, _ = connect(server, (200, {}, json.dumps({"data": data}).encode()))
    assert embedder.embed_passages(["aa", "b"]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    embedder.close()


def test_passages_go_in_batches_by_length_and_come_back_in_order(server: ScriptedServer) -> None:
    embedder, _ = connect(server, vectors_answer([[1.0, 0.0], [0.0, 1.0]]), vectors_answer([[-1.0, 0.0]]), batch_size=2)
    vectors = embedder.embed_passages(["aa", "a", "aaa"])
    assert [request["input"] for request in server.requests] == [["aaa", "aa"], ["a"]]
    assert vectors.tolist() == [[0.0, 1.0], [-1.0, 0.0], [1.0, 0.0]]
    embedder.close()


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_server_that_is_busy_is_asked_again(server: ScriptedServer, status: int) -> None:
    embedder, waits = connect(server, (status, {}, b"busy"), (status, {}, b"busy"), vectors_answer([[1.0, 0.0]]))
    assert embedder.embed_query("q").tolist() == [1.0, 0.0]
    assert waits == [0.5, 1.0]
    embedder.close()


def test_a_server_that_says_how_long_to_wait_is_obeyed_up_to_a_bound(server: ScriptedServer) -> None:
    embedder, waits = connect(
        server,
        (429, {"Retry-After": "3"}, b""),
        (429, {"Retry-After": "9999"}, b""),
        (429, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, b""),
        vectors_answer([[1.0, 0.0]]),
    )
    embedder.embed_query("q")
    assert waits == [3.0, 20.0, 2.0]
    embedder.close()


def test_a_server_that_stays_broken_is_given_up_after_four_tries(server: ScriptedServer) -> None:
    embedder, waits = connect(server, (500, {}, b"oops"))
    with pytest.raises(EmbedderError, match=r"4 tries \(HTTP 500\)") as caught:
        embedder.embed_query("q")
    assert len(server.requests) == 4
    assert waits == [0.5, 1.0, 2.0]
    assert "Keyword search goes on" in caught.value.hint
    embedder.close()


def test_a_server_that_never_answers_is_given_up_in_time(server: ScriptedServer) -> None:
    embedder, _ = connect(server, None, timeout_s=0.5)
    with pytest.raises(EmbedderError, match="ReadTimeout") as caught:
        embedder.embed_query("q")
    assert "timeout_s" in caught.value.hint
    embedder.close()


def test_a_server_that_is_not_there_is_an_error(server: ScriptedServer) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        embedder, _ = connect(server, url=url)
        with pytest.raises(EmbedderError, match="ConnectError"):
            embedder.embed_query("q")
    embedder.close()


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ((200, {}, b"<html>hello</html>"), "not JSON"),
        ((200, {}, b"[1, 2]"), 'no list "data"'),
        ((200, {}, b'{"data": 1}'), 'no list "data"'),
        ((200, {}, b'{"data": [{"index": 0}]}'), "has no vector"),
        ((200, {}, b'{"data": [1]}'), "has no vector"),
        ((200, {}, b'{"data": [{"index": 7, "embedding": [1.0]}]}'), "leaves out a text"),
        ((200, {}, b'{"data": [{"index": "x", "embedding": [1.0]}]}'), "leaves out a text"),
        ((200, {}, b'{"data": [{"index": 0, "embedding": ["a"]}]}'), "not numbers"),
        ((200, {}, b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}'), "not finite"),
        ((200, {}, b'{"data": [{"index": 0, "embedding": [Infinity, 1.0]}]}'), "not finite"),
        (vectors_answer([[0.0, 0.0]]), "zeros"),
        (vectors_answer([[]]), "shape"),
        (vectors_answer([]), "0 vectors for 1 texts"),
        (vectors_answer([[1.0], [1.0]]), "2 vectors for 1 texts"),
        ((404, {}, b""), "404"),
        ((400, {}, b'{"error": {"message": "too long"}}'), "HTTP 400"),
        ((302, {"Location": "http://elsewhere.invalid/"}, b""), "HTTP 302"),
    ],
)
def test_an_answer_that_makes_no_sense_is_an_error_at_once(server: ScriptedServer, answer: Answer, word: str) -> None:
    """F29, I22."""
    embedder, waits = connect(server, answer)
    with pytest.raises(EmbedderError, match=word) as caught:
        embedder.embed_query("q")
    assert caught.value.hint
    assert (len(server.requests), waits) == (1, [])
    embedder.close()


def test_a_vector_length_other_than_the_one_asked_for_is_an_error(server: ScriptedServer) -> None:
    """B109."""
    embedder, _ = connect(server, vectors_answer([[1.0, 0.0, 0.0]]), dims=2)
    with pytest.raises(EmbedderError, match="3 numbers where 2"):
        embedder.embed_query("q")
    embedder.close()


def test_a_vector_length_that_changes_between_answers_is_an_error(server: ScriptedServer) -> None:
    """B109."""
    embedder, _ = connect(server, vectors_answer([[1.0, 0.0]]), vectors_answer([[1.0, 0.0, 0.0]]))
    key = embedder.space.key
    embedder.embed_query("q")
    assert (embedder.space.dims, embedder.space.key) == (2, key)
    with pytest.raises(EmbedderError, match="3 numbers where 2"):
        embedder.embed_query("q")
    embedder.close()


def test_the_key_comes_from_the_environment_and_is_in_no_error(server: ScriptedServer) -> None:
    """T08."""
    embedder, _ = connect(
        server,
        (401, {}, f'{{"error": {{"message": "Incorrect key {KEY}"}}}}'.encode()),
        environment={"MY_KEY": f"{KEY}\n"},
        api_key_env="MY_KEY",
    )
    with pytest.raises(EmbedderError, match="refused the key") as caught:
        embedder.embed_query("q")
    assert server.keys == [f"Bearer {KEY}"]
    assert KEY not in f"{caught.value.message} {caught.value.hint} {embedder.space!r}"
    assert "MY_KEY" in caught.value.hint
    embedder.close()


def test_without_a_key_none_is_sent(server: ScriptedServer) -> None:
    embedder, _ = connect(server, vectors_answer([[1.0, 0.0]]))
    embedder.embed_query("q")
    assert server.keys == [None]
    embedder.close()


def test_a_key_is_never_sent_in_the_clear_to_another_machine() -> None:
    settings = EmbeddingSettings(provider="openai", model="m", url="http://models.example/v1")
    with pytest.raises(ConfigError, match="unencrypted"):
        OpenAICompatibleEmbedder(settings, {"OPENAI_API_KEY": KEY})


@pytest.mark.parametrize("url", ["ftp://x/v1", "localhost:11434", "/v1", "http://", "http://me:secret@host/v1"])
def test_an_address_that_is_none_is_refused_without_showing_a_password(url: str) -> None:
    settings = EmbeddingSettings(provider="openai", model="m", url=url)
    with pytest.raises(ConfigError) as caught:
        OpenAICompatibleEmbedder(settings, {})
    assert "secret" not in caught.value.message


def test_openais_own_models_need_no_address_and_others_do() -> None:
    """TC-08, IW-31."""
    large = EmbeddingSettings(provider="openai", model="text-embedding-3-large")
    assert OpenAICompatibleEmbedder(large, {}).space.max_tokens == 8191
    with pytest.raises(ConfigError, match="no address"):
        OpenAICompatibleEmbedder(EmbeddingSettings(provider="openai"), {})


def test_a_shorter_vector_is_asked_of_models_that_can_give_it(server: ScriptedServer) -> None:
    embedder, _ = connect(server, vectors_answer([[1.0, 0.0]]), model="text-embedding-3-small", dims=2)
    embedder.embed_query("q")
    assert server.requests[0]["dimensions"] == 2
    embedder.close()


def test_prefixes_of_known_models_are_put_before_the_text(server: ScriptedServer) -> None:
    embedder, _ = connect(server, vectors_answer([[1.0, 0.0]]), model="nomic-embed-text")
    embedder.embed_query("q")
    embedder.embed_passages(["p"])
    assert [request["input"] for request in server.requests] == [["search_query: q"], ["search_document: p"]]
    embedder.close()


def test_text_no_server_takes_is_made_harmless(server: ScriptedServer) -> None:
    embedder, _ = connect(server, vectors_answer([[1.0, 0.0]]))
    embedder.embed_query("a\x00b\ud800")
    embedder.embed_query("")
    embedder.embed_query("x" * 100_000)
    assert [request["input"][0][:5] for request in server.requests] == ["a b\ufffd", " ", "xxxxx"]
    assert len(server.requests[2]["input"][0]) == 4000
    embedder.close()


def test_no_passages_ask_nothing(server: ScriptedServer) -> None:
    embedder, _ = connect(server, dims=4)
    assert embedder.embed_passages([]).shape == (0, 4)
    assert server.requests == []


def test_address_model_and_length_make_the_space(server: ScriptedServer) -> None:
    """L1."""
    keys = {
        connect(server, **settings)[0].space.key
        for settings in ({}, {"model": "other"}, {"dims": 8}, {"url": f"{server.url}/x"}, {"url": f"{server.url}/"})
    }
    assert len(keys) == 4


def test_vectors_are_float32(server: ScriptedServer) -> None:
    embedder, _ = connect(server, vectors_answer([[1.0, 2.0]]))
    assert embedder.embed_query("q").dtype == np.float32
    embedder.close()
