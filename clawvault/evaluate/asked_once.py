"""An embedder that reads each text once, whoever asks: every lane gets the same vector, and time is taken once."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from clawvault.embed.parts import Spans, embed_parts
from clawvault.embed.protocol import Embedder, EmbeddingSpace, FloatArray


class AskedOnceEmbedder:
    """Remember every vector of another embedder, and how long each question took.

    Args:
        inner: The embedder that is asked for what is not known yet.
    """

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._questions: dict[str, FloatArray] = {}
        self._passages: dict[str, FloatArray] = {}
        self._took_ms: dict[str, float] = {}

    @property
    def space(self) -> EmbeddingSpace:
        """Name the space of the vectors."""
        return self._inner.space

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count what the model would read of each passage."""
        return self._inner.count_tokens(texts)

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed texts that are to be found; see ``Embedder.embed_passages``."""
        unknown = [text for text in dict.fromkeys(texts) if text not in self._passages]
        if unknown:
            self._passages.update(zip(unknown, self._inner.embed_passages(unknown), strict=True))
        if not texts:
            return self._inner.embed_passages(texts)
        return np.stack([self._passages[text] for text in texts])

    def embed_parts(self, texts: Sequence[str], spans: Sequence[Spans]) -> tuple[FloatArray, list[FloatArray]]:
        """Embed texts and pieces of them; see ``PartsEmbedder``. An index asks for each text once, so none is kept."""
        return embed_parts(self._inner, texts, spans)

    def embed_query(self, text: str) -> FloatArray:
        """Embed a question; see ``Embedder.embed_query``."""
        if text not in self._questions:
            began = time.perf_counter()
            self._questions[text] = self._inner.embed_query(text)
            self._took_ms[text] = (time.perf_counter() - began) * 1000
        return self._questions[text]

    def took_ms(self, text: str) -> float:
        """Return how many milliseconds a question took to embed; 0 when it never was."""
        return self._took_ms.get(text, 0.0)
