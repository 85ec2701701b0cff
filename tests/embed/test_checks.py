"""Every vector that enters is finite, has a direction and the right length (I22, F29)."""

from __future__ import annotations

import numpy as np
import pytest

from clawvault.embed.checks import check_vectors, length_order, model_text
from clawvault.errors import EmbedderError


def test_vectors_leave_at_unit_length_as_float32() -> None:
    vectors = check_vectors([[3.0, 4.0], [0.0, -2.0]], count=2, dims=2, model="m")
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0.0, -1.0]]


def test_huge_and_tiny_numbers_keep_their_direction() -> None:
    vectors = check_vectors([[3e30, 4e30], [3e-10, 4e-10]], count=2, dims=2, model="m")
    assert vectors.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)]] * 2


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        ([[float("nan"), 1.0]], "not finite"),
        ([[float("inf"), 1.0]], "not finite"),
        ([[0.0, 0.0]], "zeros"),
        ([[1.0, 2.0, 3.0]], "3 numbers where 2"),
        ([[1.0, 2.0], [1.0, 2.0]], "shape"),
        ([1.0, 2.0], "shape"),
        ([[]], "shape"),
        ([["a", "b"]], "not numbers"),
        ([[1.0, None]], "NaN|not numbers"),
    ],
)
def test_a_faulty_answer_is_an_error_that_names_the_model(raw: object, word: str) -> None:
    """F29."""
    with pytest.raises(EmbedderError, match=word) as caught:
        check_vectors(raw, count=1, dims=2, model="odd-model")  # type: ignore[arg-type]
    assert '"odd-model"' in caught.value.message
    assert caught.value.hint


def test_vectors_of_unequal_length_are_an_error() -> None:
    with pytest.raises(EmbedderError, match="unequal"):
        check_vectors([[1.0, 2.0], [1.0]], count=2, dims=0, model="m")


def test_text_for_a_model_has_no_nul_and_no_lone_surrogate() -> None:
    """B085."""
    assert model_text("a\x00b \ud800 c") == "a b \ufffd c"
    assert model_text("\ud83d\ude00") == "😀"
    assert model_text("数据 ok") == "数据 ok"


def test_texts_are_taken_longest_first() -> None:
    """B063: a batch of like lengths is padded little."""
    assert length_order(["aa", "aaaa", "", "aa"]) == [1, 0, 3, 2]
