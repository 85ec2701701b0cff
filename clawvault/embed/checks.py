"""What is held of every vector and every text that crosses the border to a model (I22, F29)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from clawvault.embed.protocol import FloatArray
from clawvault.errors import EmbedderError

if TYPE_CHECKING:
    import numpy.typing as npt

MIN_NORM = 1e-12


def check_vectors(raw: npt.ArrayLike, *, count: int, dims: int, model: str) -> FloatArray:
    """Return the vectors a model gave at unit length, or say what is wrong with them.

    Args:
        raw: What the model returned for ``count`` texts.
        count: Number of texts asked for.
        dims: Vector length to insist on; 0 takes any.
        model: Named in the error.

    Returns:
        float32 of shape (count, dims), C-contiguous, rows of unit length.

    Raises:
        EmbedderError: The shape is wrong, a value is not finite, or a vector has no direction.

    Source: I22, F29.
    """
    # Who opens an embedder may never ask it for a vector.
    import numpy as np

    try:
        array = np.array(raw, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EmbedderError(
            f'The model "{model}" gave vectors of unequal length or with values that are not numbers.',
            "Nothing was stored; check the model or server, then run the command again.",
        ) from error
    if array.ndim != 2 or array.shape[0] != count or array.shape[1] == 0:
        raise EmbedderError(
            f'The model "{model}" gave an answer of shape {array.shape} for {count} texts.',
            "Nothing was stored; check that this is an embedding model.",
        )
    if dims and array.shape[1] != dims:
        raise EmbedderError(
            f'The model "{model}" gave vectors of {array.shape[1]} numbers where {dims} are expected.',
            "Set embedding.dims to what the model gives, or choose the model again with: clawvault model use.",
        )
    if not np.isfinite(array).all():
        raise EmbedderError(
            f'The model "{model}" gave a vector that is not finite (NaN or infinity).',
            "Nothing was stored; try another model or precision: clawvault model list.",
        )
    norms = np.linalg.norm(array, axis=1, keepdims=True)
    if not (norms > MIN_NORM).all():
        raise EmbedderError(
            f'The model "{model}" gave a vector of zeros, which has no direction.',
            "Nothing was stored; try another model: clawvault model list.",
        )
    return np.ascontiguousarray(array / norms, dtype=np.float32)


def model_text(text: str) -> str:
    """Return text every tokenizer takes: lone surrogates and NUL, which some refuse, become U+FFFD and a space."""
    clean = text.replace("\x00", " ")
    try:
        clean.encode("utf-8")
    except UnicodeEncodeError:
        # A surrogate pair that was decoded apart is joined again; one that stands alone is replaced.
        clean = clean.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return clean


def length_order(texts: Sequence[str]) -> list[int]:
    """Order positions by text length, longest first, so that a batch holds texts of like length (B063)."""
    return sorted(range(len(texts)), key=lambda position: (-len(texts[position]), position))
