"""Which texts a model reads whole, known from what was cut before: counting tokens takes longer than all else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clawvault.index.packing import hash_text
from clawvault.index.records import Generation
from clawvault.index.store import Store

# Kept among the texts without a vector: what is too long never is a chunk, and never gets one.
TOO_LONG = "too long"
# Who asks for so many texts asks for many more: all that have a vector are then read at once, unless they are too many.
FEW_TEXTS = 64
MOST_KEPT = 50_000


def prune_lengths(store: Store, most: int) -> None:
    """Forget all texts that are too long when there are more than ``most``: most of those are gone."""
    if int(store.connection.execute("SELECT count(*) FROM refused WHERE reason = ?", (TOO_LONG,)).get) > most:
        store.connection.execute("DELETE FROM refused WHERE reason = ?", (TOO_LONG,))


class KnownLengths:
    """What is known of the lengths of texts in the space of one generation."""

    def __init__(self, store: Store, generation: Generation) -> None:
        self._store = store
        self._space = generation.space_id
        self._too_long: list[bytes] = []
        self._n_asked = 0
        self._fitting: frozenset[bytes] = frozenset()

    def fits(self, text: str) -> bool | None:
        """Say whether the model reads a text whole; ``None`` when that is not known.

        What has a vector was a chunk before, so it was found to be no longer than the model reads.
        """
        text_hash = hash_text(text)
        self._n_asked += 1
        if self._n_asked == FEW_TEXTS:
            self._fitting = self._read_fitting()
        # What fits once fits for ever, so nothing that was read becomes wrong.
        if text_hash in self._fitting:
            return True
        key = (self._space, text_hash)
        execute = self._store.connection.execute
        if execute("SELECT 1 FROM vectors WHERE space_id = ? AND text_hash = ?", key).get is not None:
            return True
        reason = execute("SELECT reason FROM refused WHERE space_id = ? AND text_hash = ?", key).get
        return False if reason == TOO_LONG else None

    def _read_fitting(self) -> frozenset[bytes]:
        rows: list[Any] = self._store.connection.execute(
            "SELECT text_hash FROM vectors WHERE space_id = ? LIMIT ?", (self._space, MOST_KEPT + 1)
        ).fetchall()
        return frozenset(row[0] for row in rows) if len(rows) <= MOST_KEPT else frozenset()

    def add_long(self, texts: Iterable[str]) -> None:
        """Take in that texts were found to be too long."""
        self._too_long.extend(hash_text(text) for text in texts)

    @property
    def has_news(self) -> bool:
        """Say whether there is anything to save."""
        return bool(self._too_long)

    def save(self) -> None:
        """Remember what was taken in, for the next time the same notes are cut."""
        self._store.connection.executemany(
            "INSERT OR IGNORE INTO refused (space_id, text_hash, reason) VALUES (?, ?, ?)",
            ((self._space, text_hash, TOO_LONG) for text_hash in self._too_long),
        )
        self._too_long.clear()
