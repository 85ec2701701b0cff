"""What holds of every local embedder, however it computes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fakes import HashEmbedder
from tiny_bert import write_bert

from clawvault.config import EmbeddingSettings
from clawvault.embed.bert.embedder import BertEmbedder
from clawvault.embed.bert.folder import read_bert_folder
from clawvault.embed.model_folder import read_model_folder
from clawvault.embed.parts import embed_parts
from clawvault.embed.protocol import Embedder
from clawvault.embed.sentence_transformer import SentenceTransformerEmbedder
from clawvault.embed.universal import UniversalEmbedder

Maker = Callable[[Path], Embedder]


def make_quick(folder: Path) -> Embedder:
    bert = read_bert_folder(write_bert(folder / "model"))
    assert bert is not None
    return BertEmbedder(bert, read_model_folder(folder / "model", model="tiny"), "tiny", EmbeddingSettings())


def make_library(folder: Path) -> Embedder:
    model = read_model_folder(write_bert(folder / "model"), model="tiny")
    return SentenceTransformerEmbedder(model, "tiny", EmbeddingSettings())


MAKERS = [
    pytest.param(make_quick, id="numpy"),
    pytest.param(lambda _: HashEmbedder(), id="stand-in"),
    pytest.param(make_library, id="library", marks=pytest.mark.model),
    pytest.param(lambda _: UniversalEmbedder(EmbeddingSettings()), id="multilingual", marks=pytest.mark.model),
]
TEXTS = ["the port", "", "a \x00 b", "lone \ud800 surrogate", "数据库", "long " * 3000, "the port"]


@pytest.fixture(params=MAKERS)
def embedder(request: pytest.FixtureRequest, tmp_path: Path) -> Embedder:
    made: Embedder = request.param(tmp_path)
    return made


def test_every_text_has_a_unit_vector_in_its_place(embedder: Embedder) -> None:
    """I22, I24."""
    vectors = embedder.embed_passages(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((7, embedder.space.dims), np.float32)
    assert np.linalg.norm(vectors, axis=1).tolist() == [pytest.approx(1.0, abs=1e-5)] * 7
    assert np.allclose(vectors[0], vectors[6], atol=1e-2)


def test_a_question_is_one_unit_vector(embedder: Embedder) -> None:
    for text in TEXTS:
        vector = embedder.embed_query(text)
        assert (vector.shape, vector.dtype) == ((embedder.space.dims,), np.float32)
        assert float(vector @ vector) == pytest.approx(1.0, abs=1e-5)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape[0] == 0
    assert embedder.count_tokens([]) == []


def test_pieces_come_with_the_vectors_of_the_whole(embedder: Embedder) -> None:
    spans = [[(0, min(len(text), 8))] for text in TEXTS]
    vectors, pieces = embed_parts(embedder, TEXTS, spans)
    assert np.allclose(vectors, embedder.embed_passages(TEXTS), atol=1e-2)
    assert [part.shape[1] for part in pieces] == [embedder.space.dims] * 7


def test_longer_texts_have_no_fewer_tokens(embedder: Embedder) -> None:
    counts = embedder.count_tokens(["the port " * n for n in range(1, 40)])
    assert counts == sorted(counts)


def test_threads_that_ask_at_once_get_their_own_answers(embedder: Embedder) -> None:
    wanted = {text: embedder.embed_query(text) for text in ("the port", "数据库", "a b")}
    cosines: list[float] = []

    def ask(text: str) -> None:
        cosines.extend(float(embedder.embed_passages([text])[0] @ wanted[text]) for _ in range(5))

    threads = [threading.Thread(target=ask, args=(text,)) for text in wanted for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert cosines == [pytest.approx(1.0, abs=1e-3)] * 30


def test_the_environment_of_the_process_is_its_own(embedder: Embedder) -> None:
    """A model library may be kept quiet and off the network, yet nothing else changes."""
    before = dict(os.environ)
    embedder.embed_query("the port")
    changed = {name for name in os.environ if os.environ[name] != before.get(name)}
    assert {name for name in changed if not name.startswith(("HF_", "TRANSFORMERS_", "TOKENIZERS_"))} <= {
        # Set by a library of the model library.
        "KMP_DUPLICATE_LIB_OK",
        "KMP_INIT_AT_FORK",
        "TORCHINDUCTOR_CACHE_DIR",
    }
