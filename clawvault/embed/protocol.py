"""What every embedder is: text in, unit vectors out, and the name of the space they live in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# A text, since who only names the type must not pay for NumPy.
FloatArray: TypeAlias = "npt.NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class EmbeddingSpace:
    """Name the space a vector lives in, so that vectors of two spaces are never compared (L1, I21).

    Args:
        key: Hex identity of provider, model, revision, prefixes and normalisation; known without loading the model.
        provider: Value of ``embedding.provider``.
        model: Name a person would recognise.
        dims: Vector length; 0 while it is not known.
        max_tokens: Tokens the model reads of one text, special tokens included; 0 when it has no limit.
    """

    key: str
    provider: str
    model: str
    dims: int
    max_tokens: int


class Embedder(Protocol):
    """Turn text into unit vectors of one space."""

    @property
    def space(self) -> EmbeddingSpace:
        """Name the space of the vectors this embedder makes."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count what the model would read of each passage, special tokens and prefix included, never cut off."""

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed texts that are to be found.

        Returns:
            float32 of shape (n, dims), rows of unit length in the order of ``texts``.

        Raises:
            EmbedderError: The model cannot load or answer, or its answer is not usable.
        """

    def embed_query(self, text: str) -> FloatArray:
        """Embed a question.

        Returns:
            float32 of shape (dims,), unit length.

        Raises:
            EmbedderError: The model cannot load or answer, or its answer is not usable.
        """


class Reranker(Protocol):
    """Say how well passages answer a question."""

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the raw score of each text, any finite number, higher is better.

        Raises:
            EmbedderError: The model cannot load or answer, or its answer is not usable.
        """


def space_key(parts: Mapping[str, object]) -> str:
    """Hash what decides a vector's meaning into the key of its space.

    Args:
        parts: JSON-safe values; order does not matter.

    Returns:
        32 hexadecimal digits.
    """
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]
