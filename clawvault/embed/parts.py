"""The vectors of texts together with those of pieces of them, from models that give both at a bearable cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from clawvault.embed.protocol import Embedder, FloatArray

Spans = Sequence[tuple[int, int]]


@runtime_checkable
class PartsEmbedder(Protocol):
    """An embedder that can embed pieces of its texts as well."""

    def embed_parts(self, texts: Sequence[str], spans: Sequence[Spans]) -> tuple[FloatArray, list[FloatArray]]:
        """Embed texts that are to be found, and pieces of each.

        Args:
            texts: n texts.
            spans: For each text the (start, end) of its pieces in characters.

        Returns:
            The vectors of the texts, (n, dims) float32 of unit length, the same as ``embed_passages`` gives; and for
            each text those of its pieces, (m, dims) float32 of any length, m at most the number of its spans.

        Raises:
            EmbedderError: The model cannot load or answer, or its answer is not usable.
        """


def embed_parts(
    embedder: Embedder, texts: Sequence[str], spans: Sequence[Spans]
) -> tuple[FloatArray, list[FloatArray]]:
    """Embed with any embedder; pieces have no vectors where it is not a ``PartsEmbedder``."""
    if isinstance(embedder, PartsEmbedder) and any(spans):
        return embedder.embed_parts(texts, spans)
    import numpy as np

    vectors = embedder.embed_passages(texts)
    return vectors, [np.zeros((0, vectors.shape[1]), dtype=np.float32) for _ in texts]
