"""Vectors of pieces of a text, beside that of the whole."""

from __future__ import annotations

import numpy as np
import pytest
from fakes import HashEmbedder

from clawvault.config import EmbeddingSettings, load_config
from clawvault.embed.late_pooling import pool_spans
from clawvault.embed.opening import open_embedder
from clawvault.embed.parts import embed_parts
from clawvault.embed.protocol import Embedder, FloatArray
from clawvault.embed.universal import UniversalEmbedder

TEXT = "The dentist has moved to Harbour Street. The red car needs new tyres before the winter."
SPANS = [(0, 41), (41, len(TEXT))]


@pytest.fixture(scope="module")
def english() -> Embedder:
    embedder = open_embedder(load_config(None, environment={}), {})
    assert embedder is not None
    return embedder


@pytest.fixture(scope="module")
def multilingual() -> Embedder:
    return UniversalEmbedder(EmbeddingSettings())


def nearest(pieces: FloatArray, question: FloatArray) -> int:
    return int((pieces @ question / np.linalg.norm(pieces, axis=1)).argmax())


@pytest.mark.model
@pytest.mark.parametrize("name", ["english", "multilingual"])
def test_a_question_is_nearest_to_the_sentence_it_is_about(name: str, request: pytest.FixtureRequest) -> None:
    embedder = request.getfixturevalue(name)
    _, (pieces,) = embed_parts(embedder, [TEXT], [SPANS])
    questions = ["Where is the dentist?", "What does the car need?"]
    assert [nearest(pieces, embedder.embed_query(question)) for question in questions] == [0, 1]


@pytest.mark.model
@pytest.mark.parametrize("name", ["english", "multilingual"])
def test_the_vector_of_the_whole_is_that_of_the_text_alone(name: str, request: pytest.FixtureRequest) -> None:
    embedder = request.getfixturevalue(name)
    texts = [TEXT, "short", "短い文", TEXT * 30]
    vectors, pieces = embed_parts(embedder, texts, [SPANS, [(0, 5)], [(0, 3)], [(0, 10), (2400, 2480)]])
    assert np.allclose(vectors, embedder.embed_passages(texts), atol=1e-4)
    assert [part.shape[1] for part in pieces] == [vectors.shape[1]] * 4


@pytest.mark.model
def test_a_piece_beyond_what_the_model_reads_has_no_vector(english: Embedder) -> None:
    _, (pieces,) = embed_parts(english, [TEXT * 30], [[(0, 10), (2400, 2480)]])
    assert len(pieces) == 1


@pytest.mark.model
def test_text_that_had_to_be_repaired_has_no_pieces_at_wrong_places(english: Embedder) -> None:
    _, (pieces,) = embed_parts(english, ["a\ud83d\ude00b" + TEXT], [SPANS])
    assert len(pieces) == 0


def test_an_embedder_without_pieces_gives_none() -> None:
    vectors, (pieces,) = embed_parts(HashEmbedder(), [TEXT], [SPANS])
    assert (len(vectors), len(pieces)) == (1, 0)


def test_the_tokens_of_a_span_are_averaged_and_marks_left_out() -> None:
    tokens = np.array([[9, 9], [1, 0], [3, 0], [0, 5], [9, 9]], dtype=np.float32)
    offsets = [(0, 0), (0, 2), (3, 5), (6, 8), (0, 0)]
    assert pool_spans(tokens, offsets, [(0, 6), (6, 8), (8, 9)]).tolist() == [[2, 0], [0, 5]]


def test_a_text_of_marks_alone_has_no_pieces() -> None:
    assert pool_spans(np.ones((2, 3), dtype=np.float32), [(0, 0), (0, 0)], [(0, 4)]).shape == (0, 3)
