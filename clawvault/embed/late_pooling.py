"""Vectors of pieces of a text from the one reading of the whole: pure.

A model with mean pooling has a vector for each token before it averages them. Averaging those of a sentence alone gives
its vector for nothing, and one that knows what stood before (Günther et al. 2024, late chunking).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clawvault.embed.protocol import FloatArray


def pool_spans(tokens: FloatArray, offsets: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]) -> FloatArray:
    """Average the tokens of each span.

    Args:
        tokens: (t, dims) float32, one row a token.
        offsets: t (start, end) in characters, ascending; empty ones are the model's own marks.
        spans: (start, end) in characters, ascending, without overlap.

    Returns:
        (m, dims) float32, one row for each span that holds the beginning of a token, in order.
    """
    own = np.array([end > start for start, end in offsets], dtype=bool)
    starts = np.array([start for start, _ in offsets], dtype=np.int64)[own]
    if not len(starts):
        return np.zeros((0, tokens.shape[1]), dtype=np.float32)
    sums = np.concatenate([np.zeros((1, tokens.shape[1])), np.cumsum(tokens[own], axis=0, dtype=np.float64)])
    first = np.searchsorted(starts, [start for start, _ in spans])
    last = np.searchsorted(starts, [end for _, end in spans])
    filled = last > first
    totals = sums[last[filled]] - sums[first[filled]]
    return np.asarray(totals / (last - first)[filled, None], dtype=np.float32)
