"""Generations: which way of cutting and embedding answers, and which is being built beside it.

An active generation answers until its successor is complete; then one transaction swaps them (I17, limits L1, B101).
Vectors are kept by text and space, so going back to an earlier model embeds nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clawvault.embed.probe import Reading
from clawvault.embed.protocol import EmbeddingSpace, FloatArray
from clawvault.index.connection import read_text
from clawvault.index.damage import check_integrity
from clawvault.index.lengths import prune_lengths
from clawvault.index.records import Generation
from clawvault.index.store import Store

DELETE_BATCH = 500
# Vectors of texts that are gone are worth keeping, since texts come back; so many in all for each chunk, and some more.
KEPT_PER_CHUNK = 2
KEPT_IN_ANY_CASE = 2000

# A generation whose space is not in the store of vectors, because that was lost, has a space without vectors.
_SELECT = """SELECT g.id, g.state, g.chunker, iif(g.space_key = '', NULL, coalesce(s.id, 0)), g.space_key,
                    coalesce(s.dims, 0), coalesce(s.readings, '{}'), g.settings
             FROM generations g LEFT JOIN spaces s ON s.key = g.space_key WHERE g.state = ?"""

# What stands before the text of a note is found by its words and never has a vector. It is counted apart, each by an
# index: going through the rows takes long.
COUNT_TEXTS = """SELECT (SELECT count(*) FROM chunks WHERE generation = :generation)
                 - (SELECT count(*) FROM chunks WHERE ordinal < 0 AND generation = :generation)"""
_PENDING = """FROM chunks c WHERE c.generation = :generation AND c.ordinal >= 0
              AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.space_id = :space AND v.text_hash = c.text_hash)
              AND NOT EXISTS (SELECT 1 FROM refused r WHERE r.space_id = :space AND r.text_hash = c.text_hash)"""


def find_generation(store: Store, state: str) -> Generation | None:
    """Return the generation that is ``active`` or ``building``, or ``None``."""
    row: Any = store.connection.execute(_SELECT, (state,)).fetchone()
    return None if row is None else Generation(*(*row[:6], _readings(row[6]), json.loads(row[7])))


def begin_generation(
    store: Store, chunker: str, space: EmbeddingSpace | None, settings: Mapping[str, Any]
) -> Generation:
    """Begin a generation: the active one when there is none yet, otherwise one to build beside it.

    A generation that was being built for something else is given up; its vectors stay as cache.
    """
    drop_building(store)
    state = "building" if find_generation(store, "active") else "active"
    with store.transaction():
        key, model = ("", "") if space is None else (space.key, space.model)
        store.connection.execute(
            "INSERT INTO generations (state, chunker, space_key, model, settings) VALUES (?, ?, ?, ?, ?)",
            (state, chunker, key, model, json.dumps(settings)),
        )
    keep_spaces(store)
    if space is not None:
        store.connection.execute("UPDATE spaces SET dims = ? WHERE key = ? AND dims = 0", (space.dims, space.key))
    generation = find_generation(store, state)
    if generation is None:
        raise LookupError(state)
    return generation


def keep_spaces(store: Store) -> None:
    """Give every generation its space in the store of vectors, which may be new or another than it was begun with.

    How many numbers a vector has is learnt again with the first ones.
    """
    store.connection.execute(
        """INSERT INTO spaces (key, model, dims) SELECT DISTINCT space_key, model, 0 FROM generations
           WHERE space_key <> '' AND space_key NOT IN (SELECT key FROM spaces)"""
    )


def drop_building(store: Store) -> None:
    """Give up a generation that is being built."""
    building = find_generation(store, "building")
    if building is None:
        return
    with store.transaction():
        active = find_generation(store, "active")
        store.connection.execute(
            "UPDATE notes SET generation = ? WHERE generation = ?", (active.id if active else 0, building.id)
        )
        store.connection.execute("DELETE FROM generations WHERE id = ?", (building.id,))
    _delete_chunks(store, building.id)


def swap_generation(store: Store, building: Generation) -> str:
    """Let a complete generation answer from now on, after a check of the file.

    Returns:
        An empty string, or what the check found; then nothing was swapped (B119).
    """
    problem = check_integrity(store.connection)
    if problem:
        return problem
    active = find_generation(store, "active")
    with store.transaction():
        store.connection.execute("DELETE FROM generations WHERE state = 'active'")
        store.connection.execute("UPDATE generations SET state = 'active' WHERE id = ?", (building.id,))
    if active is not None:
        _delete_chunks(store, active.id)
    return ""


def _delete_chunks(store: Store, generation: int) -> None:
    """Delete in short transactions, so that no writer waits long (B099, I19)."""
    while True:
        ids = [
            row[0]
            for row in store.connection.execute(
                "SELECT id FROM chunks WHERE generation = ? LIMIT ?", (generation, DELETE_BATCH)
            )
        ]
        if not ids:
            return
        with store.transaction():
            store.connection.executemany("DELETE FROM lexicon WHERE rowid = ?", ((row,) for row in ids))
            store.connection.executemany("DELETE FROM chunks WHERE id = ?", ((row,) for row in ids))


def delete_orphan_chunks(store: Store) -> None:
    """Finish deletions that a kill interrupted: chunks of a generation that no longer exists (F01)."""
    orphans: list[Any] = store.connection.execute(
        "SELECT DISTINCT generation FROM chunks WHERE generation NOT IN (SELECT id FROM generations)"
    ).fetchall()
    for row in orphans:
        _delete_chunks(store, row[0])


def count_pending(store: Store, generation: Generation, after: int = 0) -> int:
    """Return how many chunks of a generation have no vector yet; 0 when it has no space.

    Args:
        store: The index.
        generation: Which.
        after: Only chunks with a greater id than this count.
    """
    return _count("*", store, generation, after)


def count_pending_texts(store: Store, generation: Generation) -> int:
    """Return how many texts have no vector yet: of chunks that are equal one is embedded for all."""
    return _count("DISTINCT c.text_hash", store, generation)


def _count(what: str, store: Store, generation: Generation, after: int = 0) -> int:
    if generation.space_id is None:
        return 0
    parameters = {"generation": generation.id, "space": generation.space_id, "after": after}
    return int(store.connection.execute(f"SELECT count({what}) {_PENDING} AND c.id > :after", parameters).get)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A chunk without a vector: its id, that of its note, and its text."""

    chunk: int
    note: int
    text_hash: bytes
    text: str


def list_pending(store: Store, generation: Generation, limit: int, after: int = 0) -> list[Waiting]:
    """Return up to ``limit`` chunks without a vector and with an id greater than ``after``, newest first."""
    if generation.space_id is None:
        return []
    parameters = {"generation": generation.id, "space": generation.space_id, "limit": limit, "after": after}
    rows = store.connection.execute(
        "SELECT c.id, c.note_id, c.text_hash, c.text "
        + _PENDING
        + " AND c.id > :after ORDER BY c.id DESC LIMIT :limit",
        parameters,
    )
    return [Waiting(chunk, note, text_hash, read_text(text, text_hash)) for chunk, note, text_hash, text in rows]


def list_texts(store: Store, generation: Generation | None) -> Iterator[tuple[str, str]]:
    """Yield the text of each chunk of a generation with its place, ``path:line``.

    Raises:
        DamagedIndexError: A text is not the one its hash was taken of (I14).
    """
    rows = store.connection.execute(
        "SELECT n.path || ':' || c.line_start, c.text, c.text_hash FROM chunks c JOIN notes n ON n.id = c.note_id "
        "WHERE c.generation = ?",
        (0 if generation is None else generation.id,),
    )
    for place, packed, text_hash in rows:
        yield place, read_text(packed, text_hash)


def add_vectors(
    store: Store, generation: Generation, hashes: Sequence[bytes], vectors: FloatArray, sketches: Sequence[bytes]
) -> None:
    """Store vectors of texts in one transaction.

    Args:
        store: The index.
        generation: Whose space the vectors are of.
        hashes: n text hashes.
        vectors: (n, dims) float32, unit length; kept as little-endian bytes (TC-05).
        sketches: n sketches of the same texts, empty for a text that has none.
    """
    # Most of those who ask for the generations store no vector.
    import numpy as np

    blobs = (row.tobytes() for row in np.ascontiguousarray(vectors, dtype="<f4"))
    with store.transaction():
        if not generation.dims:
            store.connection.execute("UPDATE spaces SET dims = ? WHERE id = ?", (vectors.shape[1], generation.space_id))
        store.connection.executemany(
            "INSERT OR IGNORE INTO vectors (space_id, text_hash, signs, vector) VALUES (?, ?, ?, ?)",
            ((generation.space_id, *row) for row in zip(hashes, sketches, blobs, strict=True)),
        )


def prune_vectors(store: Store) -> int:
    """Forget vectors of texts that are in no chunk, in each space that holds many more vectors than there are chunks.

    Returns:
        How many vectors were deleted.
    """
    n_chunks = int(store.connection.execute("SELECT count(*) FROM chunks").get)
    spaces: list[Any] = store.connection.execute("SELECT space_id, count(*) FROM vectors GROUP BY space_id").fetchall()
    prune_lengths(store, KEPT_PER_CHUNK * n_chunks + KEPT_IN_ANY_CASE)
    before = store.connection.total_changes()
    for space_id, n_vectors in spaces:
        if n_vectors > KEPT_PER_CHUNK * n_chunks + KEPT_IN_ANY_CASE:
            with store.transaction():
                store.connection.execute(
                    """DELETE FROM vectors WHERE space_id = ?
                       AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.text_hash = vectors.text_hash)""",
                    (space_id,),
                )
    return store.connection.total_changes() - before


def set_readings(store: Store, generation: Generation, readings: Mapping[str, Reading]) -> None:
    """Remember how well the model of a generation reads each language."""
    store.connection.execute("UPDATE spaces SET readings = ? WHERE id = ?", (json.dumps(readings), generation.space_id))


def _readings(text: str) -> dict[str, Reading]:
    return {language: Reading(*values) for language, values in json.loads(text).items()}


def refuse_text(store: Store, generation: Generation, text_hash: bytes, reason: str) -> None:
    """Remember that a text cannot be embedded in this space, so that it is not tried for ever (I29)."""
    store.connection.execute(
        "INSERT OR REPLACE INTO refused (space_id, text_hash, reason) VALUES (?, ?, ?)",
        (generation.space_id, text_hash, reason),
    )
