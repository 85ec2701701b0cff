"""Vectors of chunks in memory: as float32, or as one bit a dimension where that would be too much. Pure NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from clawvault.embed.protocol import FloatArray

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Bits = npt.NDArray[np.uint64]
Scalar = TypeVar("Scalar", bound=np.generic)

WORD_BITS = 64
# Room for this share more rows than there are, so that new rows seldom move the old ones.
SPARE_SHARE = 0.25
LEAST_SPARE = 256
READ_AT_ONCE = 4096
# Where fewer rows than this share count, they alone are compared; more take longer to copy than to compare.
FEW_SHARE = 0.03
# Rows whose signs are compared at a time: what is made on the way stays in the processor's cache.
BLOCK = 32_768
# Farther than any row of up to 65,534 dimensions can be.
NEVER = np.iinfo(np.uint16).max


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows to add.

    ``ids`` are those of the chunks, ``notes`` of their notes, ``stored`` of their rows among the stored vectors, (n,)
    int64; ``pinned`` (n,) bool; ``vectors`` (n, dims) float32, unit length.
    """

    ids: Ints
    notes: Ints
    stored: Ints
    pinned: Bools
    vectors: FloatArray


@dataclass(frozen=True, slots=True)
class View:
    """The rows as they were at one moment; rows that are added later do not show, rows that die do."""

    ids: Ints
    notes: Ints
    stored: Ints
    pinned: Bools
    dead: Bools
    matrix: FloatArray | None
    signs: Bits | None


class Rows:
    """Rows that only grow at their end, so that who compares a view needs no lock against who adds.

    Args:
        dims: Numbers in a vector.
        most_bytes: Above this size of all vectors, only the signs of their numbers are kept: a thirty-second.
    """

    def __init__(self, dims: int, *, most_bytes: int) -> None:
        self.dims = dims
        self.n = 0
        self.n_dead = 0
        self._most_bytes = most_bytes
        self._ids: Ints = np.empty(0, dtype=np.int64)
        self._notes: Ints = np.empty(0, dtype=np.int64)
        self._stored: Ints = np.empty(0, dtype=np.int64)
        self._pinned: Bools = np.empty(0, dtype=np.bool_)
        self._dead: Bools = np.empty(0, dtype=np.bool_)
        self._matrix: FloatArray | None = np.empty((0, dims), dtype=np.float32)
        self._signs: Bits | None = None

    @property
    def n_bytes(self) -> int:
        """Return how much memory the rows take, their spare room included."""
        parts = (self._ids, self._notes, self._stored, self._pinned, self._dead, self._matrix, self._signs)
        return sum(part.nbytes for part in parts if part is not None)

    def view(self) -> View:
        """Return the rows as they are now."""
        n = self.n
        return View(
            ids=self._ids[:n],
            notes=self._notes[:n],
            stored=self._stored[:n],
            pinned=self._pinned[:n],
            dead=self._dead[:n],
            matrix=None if self._matrix is None else self._matrix[:n],
            signs=None if self._signs is None else self._signs[:, :n],
        )

    def reserve(self, n: int) -> None:
        """Make room for so many rows in all, and choose how their vectors are kept."""
        if self._matrix is not None and n * self.dims * 4 > self._most_bytes:
            self._signs, self._matrix = pack_signs(self._matrix), None
        if n <= len(self._ids):
            return
        n += max(LEAST_SPARE, int(n * SPARE_SHARE)) if self.n else LEAST_SPARE
        self._ids = _grown(self._ids, n)
        self._notes = _grown(self._notes, n)
        self._stored = _grown(self._stored, n)
        self._pinned = _grown(self._pinned, n)
        self._dead = _grown(self._dead, n)
        if self._matrix is not None:
            matrix = np.empty((n, self.dims), dtype=np.float32)
            matrix[: self.n] = self._matrix[: self.n]
            self._matrix = matrix
        if self._signs is not None:
            signs = np.zeros((len(self._signs), n), dtype=np.uint64)
            signs[:, : self.n] = self._signs[:, : self.n]
            self._signs = signs

    def append(self, batch: Batch) -> None:
        """Add rows at the end."""
        first, end = self.n, self.n + len(batch.ids)
        self.reserve(end)
        self._ids[first:end] = batch.ids
        self._notes[first:end] = batch.notes
        self._stored[first:end] = batch.stored
        self._pinned[first:end] = batch.pinned
        self._dead[first:end] = False
        if self._matrix is not None:
            self._matrix[first:end] = batch.vectors
        if self._signs is not None:
            self._signs[:, first:end] = pack_signs(batch.vectors)
        self.n = end

    def bury(self, ids: Ints) -> None:
        """Let the rows of these chunks no longer count."""
        self._dead[: self.n][np.isin(self._ids[: self.n], ids)] = True
        self.n_dead = int(np.count_nonzero(self._dead[: self.n]))

    def compact(self) -> None:
        """Give back the room of rows that no longer count; views go on with what they have."""
        kept = np.flatnonzero(~self._dead[: self.n])
        self._ids, self._notes, self._stored = self._ids[kept], self._notes[kept], self._stored[kept]
        self._pinned = self._pinned[kept]
        self._dead = np.zeros(len(kept), dtype=np.bool_)
        if self._matrix is not None:
            self._matrix = self._matrix[kept]
        if self._signs is not None:
            self._signs = np.ascontiguousarray(self._signs[:, kept])
        self.n, self.n_dead = len(kept), 0


def pack_signs(vectors: FloatArray) -> Bits:
    """Return which numbers of vectors are above 0, one bit each.

    Args:
        vectors: (n, dims) float32.

    Returns:
        (words, n) uint64, 64 dimensions a word, so that one word of all rows lies together.
    """
    n, dims = vectors.shape
    padded = np.zeros((n, -(-dims // WORD_BITS) * WORD_BITS // 8), dtype=np.uint8)
    padded[:, : -(-dims // 8)] = np.packbits(vectors > 0, axis=1)
    return np.ascontiguousarray(padded.view(np.uint64).T)


def nearest_exact(
    view: View, matrix: FloatArray, query: FloatArray, limit: int, mask: Bools | None
) -> tuple[Ints, FloatArray]:
    """Return the chunks nearest to a question, and their cosines.

    Args:
        view: The rows.
        matrix: Its vectors.
        query: (dims,) float32, unit length.
        limit: The most rows.
        mask: Which rows count; ``None`` is all that live.

    Returns:
        (n,) chunk ids and (n,) cosines, nearest first, ties by chunk id.
    """
    ids, alive = view.ids, _alive(view, mask)
    if alive is not None and np.count_nonzero(alive) < FEW_SHARE * len(alive):
        places = np.flatnonzero(alive)
        ids, matrix, alive = ids[places], matrix[places], None
    cosines = matrix @ query
    if alive is not None:
        cosines[~alive] = -np.inf
    best = best_places(ids, cosines, limit)
    best = best[cosines[best] > -np.inf]
    return ids[best], cosines[best]


def nearest_signs(view: View, signs: Bits, query: FloatArray, limit: int, mask: Bools | None) -> Ints:
    """Return the places of the rows whose signs differ least from those of a question, in no order.

    Args:
        view: The rows.
        signs: Their packed signs.
        query: (dims,) float32.
        limit: The most rows.
        mask: Which rows count; ``None`` is all that live.
    """
    alive = _alive(view, mask)
    places = None
    if alive is not None and np.count_nonzero(alive) < FEW_SHARE * len(alive):
        places, alive = np.flatnonzero(alive), None
        signs = signs[:, places]
    differ = _differing(signs, pack_signs(query[None, :])[:, 0])
    if alive is not None:
        differ[~alive] = NEVER
    near = np.flatnonzero(differ < NEVER)
    if len(near) > limit:
        last = int(np.searchsorted(np.cumsum(np.bincount(differ)), limit))
        closer = np.flatnonzero(differ < last)
        near = np.concatenate([closer, np.flatnonzero(differ == last)[: limit - len(closer)]])
    return near if places is None else places[near]


def _differing(signs: Bits, wanted: Bits) -> npt.NDArray[np.uint16]:
    """Return in how many dimensions the signs of each row differ from those wanted."""
    n = signs.shape[1]
    differ = np.zeros(n, dtype=np.uint16)
    bits, counts = np.empty(min(n, BLOCK), dtype=np.uint64), np.empty(min(n, BLOCK), dtype=np.uint8)
    for first in range(0, n, BLOCK):
        block = differ[first : first + BLOCK]
        some, few = bits[: len(block)], counts[: len(block)]
        for word, row in zip(wanted, signs, strict=True):
            np.bitwise_xor(row[first : first + BLOCK], word, out=some)
            np.bitwise_count(some, out=few)
            block += few
    return differ


def best_places(ids: Ints, cosines: FloatArray, limit: int) -> Ints:
    """Return the places of the highest cosines, highest first, ties by id.

    Args:
        ids: (n,) int64.
        cosines: (n,) float32.
        limit: The most places.
    """
    top: Ints = np.arange(len(ids), dtype=np.int64)
    if len(ids) > limit:
        # Everything level with the last place is kept, so that ties are settled by id as in SQL.
        threshold = np.partition(cosines, len(ids) - limit)[len(ids) - limit]
        top = np.flatnonzero(cosines >= threshold)
    order: Ints = top[np.lexsort((ids[top], -cosines[top]))][:limit]
    return order


def read_batches(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    """Yield rows as they come, a few thousand at a time."""
    iterator = iter(rows)
    while batch := list(islice(iterator, READ_AT_ONCE)):
        yield batch


def _alive(view: View, mask: Bools | None) -> Bools | None:
    if not view.dead.any():
        return mask
    return ~view.dead if mask is None else mask & ~view.dead


def _grown(array: npt.NDArray[Scalar], n: int) -> npt.NDArray[Scalar]:
    grown = np.zeros(n, dtype=array.dtype)
    grown[: len(array)] = array
    return grown
