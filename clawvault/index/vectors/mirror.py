"""Keep the vectors of one generation in memory, and follow what other threads and processes write."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import numpy as np

from clawvault.embed.protocol import FloatArray
from clawvault.index.connection import DamagedIndexError
from clawvault.index.generations import COUNT_TEXTS
from clawvault.index.records import FILTER_SQL, Filters, Generation
from clawvault.index.store import Store
from clawvault.index.vectors.rows import (
    Batch,
    Bools,
    Ints,
    Rows,
    View,
    best_places,
    nearest_exact,
    nearest_signs,
    read_batches,
)

# Above this size of all vectors only their signs are kept; one look at 300 MB takes some 30 ms.
MOST_BYTES = 300_000_000
# How many of the chunks nearest by sign are compared exactly: with as many, none of the true first ten was missed among
# a million.
COMPARED_EXACTLY = 2000
# More are looked up than asked for, since some may be gone.
SPARE = 16
FEW_NOTES = 64
DEAD_SHARE = 0.2
# All rows are looked through for dead ones when there are so many more of them than at the last time.
GROWN_SHARE = 0.5
GROWN_ROWS = 1000
# So many answers about an index that rests are looked up one by one; then all rows are looked at once.
FEW_ANSWERS = 16

_ALL = """SELECT c.id, c.note_id, c.pinned, v.id, v.vector FROM chunks c
    LEFT JOIN vectors v ON v.space_id = :space AND v.text_hash = c.text_hash
    WHERE c.generation = :generation AND c.id > :after AND c.id <= :last AND c.ordinal >= 0 ORDER BY c.id"""
_LATE = """SELECT c.id, c.note_id, c.pinned, v.id, v.vector FROM vectors v
    CROSS JOIN chunks c ON c.text_hash = v.text_hash AND c.generation = :generation AND c.id <= :known
    WHERE c.ordinal >= 0 AND v.id > :after AND v.id <= :last AND v.space_id = :space ORDER BY v.id"""
_LIVING = """SELECT c.id FROM json_each(:ids) AS wanted CROSS JOIN chunks c ON c.id = wanted.value
    WHERE c.generation = :generation"""
_OF_NOTES = """SELECT c.id FROM json_each(:notes) AS wanted
    CROSS JOIN chunks c ON c.note_id = wanted.value AND c.generation = :generation"""
_STORED = "SELECT v.id, v.vector FROM json_each(?) AS wanted CROSS JOIN vectors v ON v.id = wanted.value"
_WAITING = """SELECT count(*) FROM json_each(:ids) AS wanted CROSS JOIN chunks c ON c.id = wanted.value
    WHERE c.generation = :generation
    AND NOT EXISTS (SELECT 1 FROM refused r WHERE r.space_id = :space AND r.text_hash = c.text_hash)"""
_LEFT_OUT = "SELECT id FROM notes WHERE path GLOB :without OR path GLOB :nor"
_NOTES = "SELECT n.id, n.evergreen FROM notes n, (SELECT 0 AS pinned) c WHERE " + FILTER_SQL  # noqa: S608


class Mirror:
    """The vectors of a generation in memory.

    Ids of chunks and vectors only grow, so what is new is what has a greater id than the last one seen. What is gone is
    noticed when its note comes back with other chunks, and at the latest when it is about to be an answer. So one edit
    costs its own rows, however large the vault is. Where nothing is gone and nothing was written since, no answer need
    be looked up.

    Args:
        generation: Whose vectors.
        most_bytes: See ``Rows``.
    """

    def __init__(self, generation: Generation, *, most_bytes: int = MOST_BYTES) -> None:
        self.key = key_of(generation)
        self.n_read = 0
        self._of = {"generation": generation.id, "space": generation.space_id}
        self._rows = Rows(generation.dims, most_bytes=most_bytes)
        self._waiting: set[int] = set()
        self._last_chunk = 0
        self._last_vector = 0
        self._n_looked_through = 0
        self._version: int | None = None
        # While the index has this version, every row that is not dead is a chunk.
        self._whole: int | None = None
        self._n_looked_up = 0
        self._lock = threading.Lock()

    @property
    def n_bytes(self) -> int:
        """Return how much memory the vectors take."""
        return self._rows.n_bytes

    @property
    def n_rows(self) -> int:
        """Return how many rows there are, those of chunks that are gone included."""
        return self._rows.n

    def load(self, store: Store, *, stop: Callable[[], bool] = lambda: False) -> bool:
        """Read everything; return whether it came to its end.

        Args:
            store: The index, through a connection that nobody else uses meanwhile.
            stop: Asked between batches.
        """
        with self._lock:
            version = store.version()
            self._rows.reserve(self._count(store))
            done = self._read_new(store, stop)
            self._n_looked_through = self._rows.n
            # Versions are of one connection; the first question through another one follows anyway.
            self._version = self._whole = version
        return done

    def detach(self) -> None:
        """Forget through which connection the rows were read, for another one will follow."""
        with self._lock:
            self._version = self._whole = None

    def follow(self, store: Store) -> None:
        """Take in what was written since."""
        with self._lock:
            version = store.version()
            if version == self._version:
                return
            self._read_new(store, lambda: False)
            if self._rows.n > self._n_looked_through * (1 + GROWN_SHARE) + GROWN_ROWS:
                self._look_through(store)
            if self._rows.n_dead > DEAD_SHARE * self._rows.n:
                self._rows.compact()
            self._version, self._n_looked_up = version, 0

    def nearest(self, store: Store, query: FloatArray, limit: int, filters: Filters) -> list[tuple[int, float]]:
        """Return the chunks whose vectors are nearest; see ``VectorBackend.nearest``."""
        self.follow(store)
        # A vector of another type would have all rows converted first, which takes several times as long.
        query = np.ascontiguousarray(query, dtype=np.float32)
        n_wanted = limit + SPARE
        while True:
            with self._lock:
                view = self._rows.view()
            mask = _allowed(store, view, filters) if filters.narrow else None
            found, n_looked_up = self._look_up(store, view, query, n_wanted, mask)
            if len(found) >= limit or n_looked_up < n_wanted:
                return found[:limit]
            n_wanted *= 4

    def count_pending(self, store: Store) -> int | None:
        """Return how many chunks wait for a vector; ``None`` when they are too many to look at each."""
        self.follow(store)
        with self._lock:
            if len(self._waiting) > COMPARED_EXACTLY:
                return None
            ids = json.dumps(sorted(self._waiting))
        if ids == "[]":
            return 0
        return int(store.connection.execute(_WAITING, {"ids": ids, **self._of}).get)

    def _look_up(
        self, store: Store, view: View, query: FloatArray, limit: int, mask: Bools | None
    ) -> tuple[list[tuple[int, float]], int]:
        """Return the nearest chunks that still exist, and how many were found before that was asked."""
        if view.matrix is not None:
            ids, cosines = nearest_exact(view, view.matrix, query, limit, mask)
        else:
            ids, cosines = self._nearest_by_signs(store, view, query, limit, mask)
        pairs = list(zip(ids.tolist(), cosines.tolist(), strict=True))
        # Asked only now: what was deleted while the vectors were compared is gone as well.
        version = store.version()
        if version != self._whole:
            living = self._living(store, ids)
            pairs = [pair for pair in pairs if pair[0] in living]
            self._make_sure(store, version)
        return pairs, len(ids)

    def _nearest_by_signs(
        self, store: Store, view: View, query: FloatArray, limit: int, mask: Bools | None
    ) -> tuple[Ints, FloatArray]:
        """Compare the signs of all rows, and then the stored vectors of the nearest."""
        if view.signs is None:
            raise LookupError("signs")
        places = nearest_signs(view, view.signs, query, max(limit, COMPARED_EXACTLY), mask)
        places = places[np.argsort(view.stored[places], kind="stable")]
        wanted = view.stored[places]
        rows: list[Any] = store.connection.execute(_STORED, (json.dumps(wanted.tolist()),)).fetchall()
        if len(rows) < len(places):
            # A vector is deleted after the last chunk that has its text.
            places = places[np.isin(wanted, np.array([row[0] for row in rows], dtype=np.int64))]
        ids, cosines = view.ids[places], self._stack([row[1] for row in rows]) @ query
        best = best_places(ids, cosines, limit)
        return ids[best], cosines[best]

    def _living(self, store: Store, ids: Ints) -> set[int]:
        rows = store.connection.execute(_LIVING, {"ids": json.dumps(ids.tolist()), **self._of})
        living: set[int] = {row[0] for row in cast(Iterable[tuple[int]], rows)}
        self._bury(ids, living)
        return living

    def _make_sure(self, store: Store, version: int) -> None:
        """Find out once in a while whether anything is gone, so that the next answers need not be looked up.

        Signs are compared so slowly that looking up their answers is nothing beside it.
        """
        with self._lock:
            self._n_looked_up += 1
            if self._n_looked_up != FEW_ANSWERS or version != self._version or self._rows.view().matrix is None:
                return
            if self._rows.n - self._rows.n_dead + len(self._waiting) != self._count(store):
                self._look_through(store)
            if store.version() == version:
                self._whole = version

    def _count(self, store: Store) -> int:
        return int(store.connection.execute(COUNT_TEXTS, self._of).get)

    def _bury(self, ids: Ints, living: set[int]) -> None:
        gone = [chunk for chunk in ids.tolist() if chunk not in living]
        if gone:
            with self._lock:
                self._rows.bury(np.array(gone, dtype=np.int64))

    def _read_new(self, store: Store, stop: Callable[[], bool]) -> bool:
        """Append what has a greater id than what is known; ids are read first, so that nothing falls between."""
        one = store.connection.execute
        last_chunk = int(one("SELECT coalesce(max(id), 0) FROM chunks").get)
        last_vector = int(one("SELECT coalesce(max(id), 0) FROM vectors").get)
        known, late_after = self._last_chunk, self._last_vector
        after = {"after": known, "last": last_chunk, **self._of}
        notes: set[int] = set()
        for rows in read_batches(store.connection.execute(_ALL, after)):
            notes.update(row[1] for row in rows)
            self._waiting.update(row[0] for row in rows if row[4] is None)
            self._append([row for row in rows if row[4] is not None])
            if stop():
                return False
        late = {"after": late_after, "last": last_vector, "known": known, **self._of}
        for rows in read_batches(store.connection.execute(_LATE, late) if known else ()):
            # A vector that was already there when its chunk was read comes a second time.
            arrived = [row for row in rows if row[0] in self._waiting]
            self._waiting.difference_update(row[0] for row in arrived)
            self._append(arrived)
        self._last_chunk, self._last_vector = last_chunk, last_vector
        if known and notes:
            self._drop_former(store, notes)
        return True

    def _append(self, rows: Sequence[Sequence[Any]]) -> None:
        if not rows:
            return
        self.n_read += len(rows)
        self._rows.append(
            Batch(
                ids=np.array([row[0] for row in rows], dtype=np.int64),
                notes=np.array([row[1] for row in rows], dtype=np.int64),
                pinned=np.array([row[2] for row in rows], dtype=np.bool_),
                stored=np.array([row[3] for row in rows], dtype=np.int64),
                vectors=self._stack([row[4] for row in rows]),
            )
        )

    def _stack(self, blobs: Sequence[bytes]) -> FloatArray:
        joined = b"".join(blobs)
        if len(joined) != 4 * self._rows.dims * len(blobs):
            raise DamagedIndexError("The index holds a vector of another length than its model gives.")
        return np.frombuffer(joined, dtype="<f4").reshape(len(blobs), self._rows.dims)

    def _drop_former(self, store: Store, notes: set[int]) -> None:
        """Let the chunks that changed notes had before no longer count, so that edits do not pile up."""
        if len(notes) > FEW_NOTES:
            self._look_through(store)
            return
        view = self._rows.view()
        mine = view.ids[np.isin(view.notes, np.fromiter(notes, dtype=np.int64)) & ~view.dead]
        living = store.connection.execute(_OF_NOTES, {"notes": json.dumps(sorted(notes)), **self._of})
        gone = np.setdiff1d(mine, np.fromiter((row[0] for row in living), dtype=np.int64))
        if len(gone):
            self._rows.bury(gone)
        if not 0 < len(self._waiting) <= GROWN_ROWS:
            return
        ids = json.dumps(sorted(self._waiting))
        self._waiting = {row[0] for row in store.connection.execute(_LIVING, {"ids": ids, **self._of})}

    def _look_through(self, store: Store) -> None:
        """Find all rows that are gone."""
        rows = store.connection.execute("SELECT id FROM chunks WHERE generation = :generation", self._of)
        living = np.fromiter((row[0] for row in rows), dtype=np.int64)
        view = self._rows.view()
        gone = view.ids[~np.isin(view.ids, living)]
        if len(gone):
            self._rows.bury(gone)
        self._waiting.intersection_update(living.tolist())
        self._n_looked_through = len(living)


def key_of(generation: Generation) -> tuple[int, int | None, int]:
    """Return what makes the vectors of one generation others than those of another."""
    return generation.id, generation.space_id, generation.dims


def _allowed(store: Store, view: View, filters: Filters) -> Bools:
    """Return which rows a question is about: its filters are of notes, except that a line may pin its chunk."""
    if filters.wide:
        values = filters.parameters()
        left_out = store.connection.execute(_LEFT_OUT, {"without": values["without"], "nor": values["nor"]})
        outside: Bools = ~np.isin(view.notes, np.fromiter((row[0] for row in left_out), dtype=np.int64))
        return outside
    rows: list[Any] = store.connection.execute(_NOTES, {**filters.parameters(), "evergreen": None}).fetchall()
    size = 1 + max((row[0] for row in rows), default=0)
    allowed, evergreen = np.zeros(size + 1, dtype=np.bool_), np.zeros(size + 1, dtype=np.bool_)
    ids = np.array([row[0] for row in rows], dtype=np.int64)
    allowed[ids] = True
    evergreen[ids] = np.array([row[1] for row in rows], dtype=np.bool_)
    # A note beyond the last one that is allowed is not allowed.
    notes = np.minimum(view.notes, size)
    mask: Bools = allowed[notes]
    if filters.evergreen is not None:
        mask &= (evergreen[notes] | view.pinned) == filters.evergreen
    return mask
