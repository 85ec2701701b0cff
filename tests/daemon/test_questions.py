"""Passages are embedded between questions: on a busy machine an answer comes first (I08)."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from bench_vault import BenchVault
from fakes import HashEmbedder

from clawvault.config import load_config
from clawvault.daemon.indexed_vault import IndexedVault
from clawvault.embed.protocol import FloatArray
from clawvault.embed.turns import GiveWay

LONGEST_S = 30.0


class HeldEmbedder(HashEmbedder):
    """Keep a question waiting until ``go_on`` is set; ``order`` tells what ended when."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked, self.go_on = threading.Event(), threading.Event()
        self.order: list[str] = []

    def embed_query(self, text: str) -> FloatArray:
        self.is_asked.set()
        assert self.go_on.wait(LONGEST_S)
        self.order.append("question")
        return super().embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        self.order.append("passages")
        return super().embed_passages(texts)


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> HeldEmbedder:
    made = HeldEmbedder()
    monkeypatch.setattr("clawvault.opened.open_embedder", lambda *_: made)
    return made


@pytest.fixture
def indexed(tmp_path: Path, embedder: HeldEmbedder) -> Iterator[IndexedVault]:
    bench = BenchVault(tmp_path)
    bench.write("heron.md", "The heron stands in the river.\n")
    vault = IndexedVault(bench.root, load_config(bench.root, environment=bench.environment), bench.environment)
    vault.open()
    vault.sweep(lambda _path: None)
    # A new model is asked a few questions of its own first.
    embedder.go_on.set()
    vault.embed_pending(LONGEST_S)
    bench.write("owl.md", "The owl sits in the barn.\n")
    vault.sweep(lambda _path: None)
    embedder.order.clear()
    embedder.is_asked.clear()
    embedder.go_on.clear()
    yield vault
    vault.close()
    bench.vault.close()


def test_passages_wait_for_the_answer_to_a_question(
    indexed: IndexedVault, embedder: HeldEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_waiting = threading.Event()

    class Seen(GiveWay):
        def pause(self) -> None:
            is_waiting.set()
            super().pause()

    monkeypatch.setattr(indexed, "_give_way", Seen(question_s=LONGEST_S))
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(indexed.search, {"query": "heron"})
        assert embedder.is_asked.wait(LONGEST_S)
        done = pool.submit(indexed.embed_pending, LONGEST_S)
        assert is_waiting.wait(LONGEST_S)
        embedder.go_on.set()
        assert (answer.result(LONGEST_S)["hits"] != [], done.result(LONGEST_S)) == (True, True)
    assert embedder.order == ["question", "passages"]


def test_passages_do_not_wait_for_ever(
    indexed: IndexedVault, embedder: HeldEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexed, "_give_way", GiveWay(question_s=0.01))
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(indexed.search, {"query": "heron"})
        assert embedder.is_asked.wait(LONGEST_S)
        assert indexed.embed_pending(LONGEST_S)
        embedder.go_on.set()
        answer.result(LONGEST_S)
    assert embedder.order == ["passages", "question"]


def test_a_question_that_failed_is_no_longer_under_way() -> None:
    way = GiveWay(question_s=LONGEST_S)
    with pytest.raises(ZeroDivisionError), way.question():
        raise ZeroDivisionError
    way.pause()
