"""Compare one query vector with every stored vector, exactly: in SQLite through sqlite-vec, or in NumPy.

Both give the same top results (I23); which one runs is a matter of what can load and of ``vector_backend``.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from clawvault.embed.protocol import FloatArray
from clawvault.index.records import FILTER_SQL, Filters, Generation
from clawvault.index.store import Store
from clawvault.index.vectors.rows import best_places, read_batches

# SQLite takes a CROSS JOIN in the order written. All vectors are read in the order of the file, which is several times
# faster than in the order of their hashes; where few notes count, only theirs are read.
_BY_VECTOR = """ FROM vectors v NOT INDEXED CROSS JOIN chunks c ON c.text_hash = v.text_hash
    WHERE v.space_id = :space AND c.generation = :generation AND c.ordinal >= 0"""
_BUT_SOME = _BY_VECTOR.replace(" WHERE", " CROSS JOIN notes n ON n.id = c.note_id WHERE") + " AND " + FILTER_SQL
_BY_NOTE = (
    """ FROM notes n CROSS JOIN chunks c ON c.note_id = n.id AND c.generation = :generation AND c.ordinal >= 0
    CROSS JOIN vectors v ON v.space_id = :space AND v.text_hash = c.text_hash WHERE """
    + FILTER_SQL
)
_COSINE = "SELECT c.id, 1.0 - vec_distance_cosine(v.vector, :query) AS cosine"
_ORDER = " ORDER BY cosine DESC, c.id LIMIT :limit"
_WAYS = {"all": _BY_VECTOR, "most": _BUT_SOME, "few": _BY_NOTE}
_NEAREST = {notes: _COSINE + way + _ORDER for notes, way in _WAYS.items()}
_ALL = {notes: "SELECT c.id, v.vector" + way for notes, way in _WAYS.items()}


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
            "query": np.ascontiguousarray(query, dtype="<f4").tobytes(),
            "limit": limit,
            **_parameters(generation, filters),
        }
        rows = store.connection.execute(_NEAREST[_share(filters)], parameters)
        return [(row[0], float(row[1])) for row in rows]


class NumpyBackend:
    """Compares a few thousand vectors at a time, as they are read (OC-17, limits L4)."""

    name = "numpy"

    def nearest(
        self, store: Store, generation: Generation, query: FloatArray, limit: int, filters: Filters
    ) -> list[tuple[int, float]]:
        """See ``VectorBackend.nearest``."""
        ids, cosines = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
        rows = store.connection.execute(_ALL[_share(filters)], _parameters(generation, filters))
        for batch in read_batches(rows):
            matrix = np.frombuffer(b"".join(row[1] for row in batch), dtype="<f4").reshape(len(batch), -1)
            ids = np.concatenate([ids, np.array([row[0] for row in batch], dtype=np.int64)])
            cosines = np.concatenate([cosines, matrix @ query])
            best = best_places(ids, cosines, limit)
            ids, cosines = ids[best], cosines[best]
        return list(zip(ids.tolist(), cosines.tolist(), strict=True))


def _share(filters: Filters) -> str:
    if not filters.narrow:
        return "all"
    return "most" if filters.wide else "few"


def _parameters(generation: Generation, filters: Filters) -> dict[str, Any]:
    return {"space": generation.space_id, "generation": generation.id, **filters.parameters()}
