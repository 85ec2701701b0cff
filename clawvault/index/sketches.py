"""One bit a dimension for each sentence of a text, kept by how it differs from the vector of the whole text: pure.

The bits of a vector's signs, compared with the whole vector of a question, keep nearly all of the order that the full
vectors give, at a thirty-second of their size (Charikar 2002; Gao and Long 2024, RaBitQ).

A sentence mostly has the signs of its text, above all where the numbers of the text's own vector are large. So a sketch
says only which signs differ, and ``index/sign_codes.py`` packs that into half the room, without loss.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from clawvault.embed.protocol import FloatArray
from clawvault.index.sign_codes import pack_bytes, unpack_bytes

# A sketch begins with the number of its sentences.
COUNT_BYTES = 2
MOST_SENTENCES = 256**COUNT_BYTES - 1
# A number as large as this many times the average one is ranked no further.
_LEVELS_PER_MEAN = np.float32(64)


def make_sketch(vector: FloatArray, sentences: FloatArray) -> bytes:
    """Return the signs of the sentences of a text.

    Args:
        vector: Of the text, (dims,) float32 of unit length, exactly as it is kept.
        sentences: (n, dims) float32.

    Returns:
        Bytes that ``nearest_sentences`` reads; none where there are no sentences.
    """
    sentences = sentences[:MOST_SENTENCES]
    if not len(sentences):
        return b""
    n, dims = len(sentences), len(vector)
    width = (dims + 7) // 8
    differs = np.zeros((n, width * 8), dtype=bool)
    differs[:, :dims] = ((sentences > 0) != (vector > 0))[:, _order(vector[None])[0]]
    # Bit k of every byte is from the k-th eighth, so that all bytes are alike and one code suits them.
    rows: bytes = np.packbits(differs.reshape(n, 8, width).transpose(0, 2, 1).reshape(n, -1), axis=1).tobytes()
    packed = pack_bytes(rows)
    # Equal length says that they are not packed.
    return n.to_bytes(COUNT_BYTES, "little") + (packed if len(packed) < len(rows) else rows)


def nearest_sentences(sketches: Sequence[bytes], vectors: FloatArray, question: FloatArray) -> FloatArray:
    """Estimate how near the nearest sentence of each text is.

    Args:
        sketches: What ``make_sketch`` returned, one a text; an empty one has no sentences.
        vectors: The vectors of the same texts, (n, dims) float32.
        question: (dims,) float32, unit length.

    Returns:
        float32 of shape (n,), about a cosine: the best of each text, NaN where there are no sentences or the sketch is
        not one: sentences refine an order that the vectors give without them.

    Cost: Some 20 microseconds a text.
    """
    dims = len(question)
    width = (dims + 7) // 8
    best = np.full(len(sketches), np.nan, dtype=np.float32)
    rows = [_read_rows(sketch, width) for sketch in sketches]
    filled = [i for i, its in enumerate(rows) if its]
    if not filled:
        return best
    vectors = vectors[filled]
    adds = np.zeros((len(filled), width * 8), dtype=np.float32)
    signed = np.where(vectors > 0, question, -question) / np.sqrt(np.float32(dims))
    adds[:, :dims] = np.take_along_axis(signed, _order(vectors), axis=1)
    adds = adds.reshape(-1, 8, width).transpose(0, 2, 1).reshape(len(filled), -1)
    counts = [len(rows[i]) // width for i in filled]
    differs = np.unpackbits(np.frombuffer(b"".join(rows), dtype=np.uint8)).reshape(-1, 8 * width).astype(np.float32)
    lost = np.einsum("ij,ij->i", differs, np.repeat(adds, counts, axis=0))
    # The sum over all signs is that of the text's own, less twice what those add that differ.
    best[filled] = adds.sum(axis=1) - 2 * np.minimum.reduceat(lost, np.cumsum([0, *counts[:-1]]))
    return best


def _order(vectors: FloatArray) -> npt.NDArray[np.int64]:
    """Return the dimensions of each vector, largest numbers first; the same on every machine and for ever."""
    scale = np.sqrt(np.float32(vectors.shape[1])) * _LEVELS_PER_MEAN
    levels = np.minimum(np.abs(vectors) * scale, np.float32(255)).astype(np.uint8)
    # A stable sort of bytes counts them, which takes a third of the time of sorting numbers.
    return np.argsort(255 - levels, axis=1, kind="stable")


def _read_rows(sketch: bytes, width: int) -> bytes:
    """Return which signs of each sentence differ, ``width`` bytes each; nothing where that cannot be read."""
    size = int.from_bytes(sketch[:COUNT_BYTES], "little") * width
    kept = sketch[COUNT_BYTES:]
    return kept if len(kept) == size else unpack_bytes(kept, size) or b""
