"""Compare one query vector with every stored vector, exactly: in SQLite through sqlite-vec, or in NumPy.

Both give the same top results (I23); which one runs is a matter of what can load and of ``vector_backend``.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from clawvault.embed.protocol import FloatArray
from clawvault.errors import IndexFaultError
from clawvault.index.connection import load_vector_extension
from clawvault.index.records import FILTER_SQL, Filters, Generation
from clawvault.index.store import Store

_JOIN = """ FROM chunks c JOIN notes n ON n.id = c.note_id
    JOIN vectors v ON v.space_id = :space AND v.text_hash = c.text_hash
    WHERE c.generation = :generation AND """

_NEAREST = (
    "SELECT c.id, 1.0 - vec_distance_cosine(v.vector, :query) AS cosine"
    + _JOIN
    + FILTER_SQL
    + " ORDER BY cosine DESC, c.id LIMIT :limit"
)
_ALL = "SELECT c.id, v.vector" + _JOIN + FILTER_SQL + " ORDER BY c.id"
_ALLOWED = (
    "SELECT c.id FROM chunks c JOIN notes n ON n.id = c.note_id WHERE c.generation = :generation AND "  # noqa: S608
    + FILTER_SQL
)


class VectorBackend(Protocol):
    """One way to compare vectors; see ``nearest``."""

    name: str

    def nearest(
        self, store: Store, generation: Generation, query: FloatArray, limit: int, filters: Filters
    ) -> list[tuple[int, float]]:
        """Return the chunks whose vectors are nearest.

        Args:
            store: The index.
            generation: Which generation answers; its ``dims`` are those of ``query``.
            query: (dims,) float32, unit length.
            limit: The most chunks to return.
            filters: Which notes count.

        Returns:
            (chunk id, cosine) pairs, cosine -1..1, highest first, ties by chunk id.
        """
        ...


class SqliteVecBackend:
    """Compares inside SQLite; needs no memory beyond one page at a time."""

    name = "sqlite-vec"

    def nearest(
        self, store: Store, generation: Generation, query: FloatArray, limit: int, filters: Filters
    ) -> list[tuple[int, float]]:
        """See ``VectorBackend.nearest``."""
        parameters = {
            "space": generation.space_id,
            "generation": generation.id,
            "query": np.ascontiguousarray(query, dtype="<f4").tobytes(),
            "limit": limit,
            **filters.parameters(),
        }
        return [(row[0], float(row[1])) for row in store.connection.execute(_NEAREST, parameters)]


class NumpyBackend:
    """Compares in memory; keeps the matrix until the index changes (OC-17, limits L4)."""

    name = "numpy"

    def __init__(self) -> None:
        self._key: tuple[int, int] | None = None
        self._ids: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._matrix: FloatArray = np.empty((0, 0), dtype=np.float32)

    def nearest(
        self, store: Store, generation: Generation, query: FloatArray, limit: int, filters: Filters
    ) -> list[tuple[int, float]]:
        """See ``VectorBackend.nearest``."""
        self._load(store, generation)
        ids, matrix = self._ids, self._matrix
        if filters.narrow:
            rows = store.connection.execute(_ALLOWED, {"generation": generation.id, **filters.parameters()})
            kept = np.isin(ids, np.fromiter((row[0] for row in rows), dtype=np.int64))
            ids, matrix = ids[kept], matrix[kept]
        if not len(ids):
            return []
        cosines = matrix @ query
        top = np.arange(len(ids))
        if len(ids) > limit:
            # Everything level with the last place is kept, so that ties are settled by id as in SQL.
            threshold = np.partition(cosines, len(ids) - limit)[len(ids) - limit]
            top = np.flatnonzero(cosines >= threshold)
        order = top[np.lexsort((ids[top], -cosines[top]))][:limit]
        return [(int(ids[i]), float(cosines[i])) for i in order]

    def _load(self, store: Store, generation: Generation) -> None:
        key = (store.version(), generation.id)
        if key == self._key:
            return
        parameters = {"space": generation.space_id, "generation": generation.id, **Filters().parameters()}
        ids: list[int] = []
        blob = bytearray()
        for chunk_id, vector in store.connection.execute(_ALL, parameters):
            ids.append(chunk_id)
            blob += vector
        self._ids = np.array(ids, dtype=np.int64)
        self._matrix = np.frombuffer(bytes(blob), dtype="<f4").reshape(len(ids), -1) if ids else self._matrix[:0]
        self._key = key


def open_vector_backend(store: Store, wanted: str) -> tuple[VectorBackend | None, str]:
    """Choose what compares vectors on one connection.

    Args:
        store: The index whose connection gets the extension.
        wanted: ``auto``, ``sqlite-vec``, ``numpy`` or ``off``.

    Returns:
        The backend, ``None`` when it is off; and why it is not the first choice, or an empty string.

    Raises:
        IndexFaultError: ``sqlite-vec`` was insisted on and cannot load.
    """
    if wanted == "off":
        return None, ""
    if wanted == "numpy":
        return NumpyBackend(), ""
    problem = load_vector_extension(store.connection)
    if not problem:
        return SqliteVecBackend(), ""
    if wanted == "sqlite-vec":
        raise IndexFaultError(f"{problem}.", 'Set vector_backend to "auto" or "numpy".')
    return NumpyBackend(), f"{problem}; NumPy compares vectors instead"
