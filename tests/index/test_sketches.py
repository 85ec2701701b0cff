"""One bit a dimension for each sentence, kept by how it differs from the vector of the text."""

from __future__ import annotations

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawvault.embed.protocol import FloatArray
from clawvault.index.sketches import make_sketch, nearest_sentences

DIMS = 12
NUMBERS = st.sampled_from([-0.5, -0.125, 0.0, 0.25, 1.0])
TEXTS = st.tuples(
    hnp.arrays(np.float32, DIMS, elements=NUMBERS),
    hnp.arrays(np.float32, st.tuples(st.integers(1, 5), st.just(DIMS)), elements=NUMBERS),
)
QUESTION = np.linspace(-1, 1, DIMS, dtype=np.float32)


def ask(texts: list[tuple[FloatArray, FloatArray]], question: FloatArray) -> FloatArray:
    sketches = [make_sketch(vector, sentences) for vector, sentences in texts]
    return nearest_sentences(sketches, np.stack([vector for vector, _ in texts]), question)


def near_copies(seed: int, n: int, dims: int, noise: float) -> tuple[FloatArray, FloatArray]:
    """Return a unit vector and n sentences of its text that differ from it by some noise."""
    chance = np.random.default_rng(seed)
    vector = chance.standard_normal(dims).astype(np.float32)
    vector /= np.linalg.norm(vector)
    noises = chance.standard_normal((n, dims)).astype(np.float32) * np.float32(noise / np.sqrt(dims))
    return vector, vector + noises


def test_the_nearest_sentence_of_each_text_counts() -> None:
    question = np.array([0.5, 0.5, -0.5, -0.5], dtype=np.float32)
    whole = np.array([0.5, 0.5, 0.5, -0.5], dtype=np.float32)
    near = np.array([[-1, -1, 1, 1], [1, 1, -1, -1]], dtype=np.float32)
    far = np.array([[1, -1, 1, -1]], dtype=np.float32)
    assert ask([(whole, near), (whole, far)], question).tolist() == [1.0, 0.0]


def test_a_text_without_sentences_has_no_nearness() -> None:
    vectors = np.ones((3, 8), dtype=np.float32)
    sketch = make_sketch(vectors[0], np.ones((1, 8), dtype=np.float32))
    found = nearest_sentences([b"", sketch, b""], vectors, np.ones(8, dtype=np.float32))
    assert np.isnan(found).tolist() == [True, False, True]


def test_nothing_to_compare_gives_nothing() -> None:
    assert nearest_sentences([], np.zeros((0, 8), np.float32), np.ones(8, dtype=np.float32)).shape == (0,)


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_the_estimate_is_that_of_the_signs(texts: list[tuple[FloatArray, FloatArray]]) -> None:
    found = ask(texts, QUESTION)
    signs = [np.where(sentences > 0, 1, -1) for _, sentences in texts]
    assert np.allclose(found, [float((its @ QUESTION).max() / np.sqrt(DIMS)) for its in signs], atol=1e-5)


def test_sentences_like_their_text_take_half_a_bit_a_dimension() -> None:
    """What says little that the vector of the text does not say is kept in little room."""
    vector, sentences = near_copies(1, 8, 384, noise=0.53)
    assert 180 < len(make_sketch(vector, sentences)) <= 8 * 384 // 16 + 24


def test_sentences_unlike_their_text_take_no_more_than_their_bits() -> None:
    vector, sentences = near_copies(2, 8, 384, noise=20)
    assert len(make_sketch(vector, -sentences)) == 2 + 8 * 48


def test_a_sentence_that_is_its_text_takes_a_few_bytes() -> None:
    vector, _ = near_copies(3, 1, 384, noise=0)
    assert len(make_sketch(vector, vector[None])) <= 2 + 13


@pytest.mark.parametrize("damage", [b"\xff", b"\x01\x00\xff\xff", b"\x00\x00junk", b"\x09\x00" + b"\xff" * 40])
def test_a_sketch_that_cannot_be_read_counts_as_none(damage: bytes) -> None:
    vector, sentences = near_copies(4, 3, 384, noise=0.5)
    found = nearest_sentences([damage, make_sketch(vector, sentences)], np.stack([vector, vector]), vector)
    assert np.isnan(found).tolist() == [True, False]
