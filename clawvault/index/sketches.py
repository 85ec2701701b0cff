"""One bit a dimension for each sentence of a text: pure.

The bits of a vector's signs, compared with the whole vector of a question, keep nearly all of the order that the full
vectors give, at a thirty-second of their size (Charikar 2002; Gao and Long 2024, RaBitQ).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clawvault.embed.protocol import FloatArray


def make_sketch(sentences: FloatArray) -> bytes:
    """Return the signs of vectors, one bit each.

    Args:
        sentences: (n, dims) float32.

    Returns:
        n rows of ``ceil(dims / 8)`` bytes, one after the other.
    """
    return np.packbits(sentences > 0, axis=1).tobytes()


def nearest_sentences(sketches: Sequence[bytes], question: FloatArray) -> FloatArray:
    """Estimate how near the nearest sentence of each text is.

    Args:
        sketches: What ``make_sketch`` returned, one a text; an empty one has no sentences.
        question: (dims,) float32, unit length.

    Returns:
        float32 of shape (n,), about a cosine: the best of each text, NaN where there are no sentences.
    """
    dims = len(question)
    width = (dims + 7) // 8
    counts = np.array([len(sketch) // width for sketch in sketches], dtype=np.int64)
    best = np.full(len(sketches), np.nan, dtype=np.float32)
    if not counts.any():
        return best
    rows = np.frombuffer(b"".join(sketches), dtype=np.uint8).reshape(-1, width)
    signs = np.unpackbits(rows, axis=1, count=dims).astype(np.float32) * 2 - 1
    nearness = (signs @ question) / np.float32(np.sqrt(dims))
    filled = counts > 0
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])[filled]
    best[filled] = np.maximum.reduceat(nearness, starts)
    return best
