"""One bit a dimension for each sentence."""

from __future__ import annotations

import hypothesis.extra.numpy as hnp
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clawvault.embed.protocol import FloatArray
from clawvault.index.sketches import make_sketch, nearest_sentences

VECTORS = hnp.arrays(np.float32, st.tuples(st.integers(1, 5), st.just(12)), elements=st.sampled_from([-0.5, 0.25]))


def test_a_sentence_takes_one_bit_a_dimension() -> None:
    assert make_sketch(np.array([[1, -1, 1, 1, -1, -1, -1, -1, 1]], dtype=np.float32)) == bytes(
        [0b10110000, 0b10000000]
    )


def test_the_nearest_sentence_of_each_text_counts() -> None:
    question = np.array([0.5, 0.5, -0.5, -0.5], dtype=np.float32)
    near = np.array([[-1, -1, 1, 1], [1, 1, -1, -1]], dtype=np.float32)
    far = np.array([[1, -1, 1, -1]], dtype=np.float32)
    assert nearest_sentences([make_sketch(near), make_sketch(far)], question).tolist() == [1.0, 0.0]


def test_a_text_without_sentences_has_no_nearness() -> None:
    found = nearest_sentences([b"", make_sketch(np.ones((1, 8), dtype=np.float32)), b""], np.ones(8, dtype=np.float32))
    assert np.isnan(found).tolist() == [True, False, True]


def test_nothing_to_compare_gives_nothing() -> None:
    assert nearest_sentences([], np.ones(8, dtype=np.float32)).shape == (0,)


@given(st.lists(VECTORS, min_size=1, max_size=4))
def test_the_estimate_is_that_of_the_signs(texts: list[FloatArray]) -> None:
    question = np.linspace(-1, 1, 12, dtype=np.float32)
    found = nearest_sentences([make_sketch(vectors) for vectors in texts], question)
    expected = [float((np.sign(vectors) @ question).max() / np.sqrt(12)) for vectors in texts]
    assert np.allclose(found, expected, atol=1e-5)
