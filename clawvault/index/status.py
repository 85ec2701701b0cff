"""Count what the index holds: what ``status`` shows of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clawvault.index.generations import COUNT_TEXTS, count_pending, find_generation
from clawvault.index.lengths import TOO_LONG
from clawvault.index.records import Generation
from clawvault.index.store import Store

EMPTY_COUNTS: dict[str, Any] = {
    "notes": 0,
    "chunks": 0,
    "vectors": 0,
    "pending": 0,
    "indexed_model": None,
    "reindexing_percent": None,
    "stale_notes": [],
    "warnings": [],
    "refused_texts": 0,
    "skipped": [],
    "db_bytes": 0,
}


def count_index(store: Store, count_active: Callable[[Generation], int]) -> dict[str, Any]:
    """Return the counts of an index; ``pending`` are chunks without a vector in any live generation.

    Args:
        store: The index.
        count_active: Counts those of the active generation; who answers questions knows them without going through all.
    """
    one = store.connection.execute
    active = find_generation(store, "active")
    building = find_generation(store, "building")
    chunks = vectors = pending = 0
    model = None
    if active is not None:
        chunks = int(one(COUNT_TEXTS, {"generation": active.id}).get)
        pending = count_active(active)
    if active is not None and active.space_id is not None:
        refused = "SELECT count(*) FROM refused WHERE space_id = ? AND reason <> ?"
        vectors = chunks - pending - int(one(refused, (active.space_id, TOO_LONG)).get)
        model = str(one("SELECT model FROM generations WHERE id = ?", (active.id,)).get)
    warnings = one(
        "SELECT n.path, w.value FROM notes n, json_each(n.warnings) w WHERE n.warnings <> '[]' ORDER BY n.path"
    )
    return {
        "notes": int(one("SELECT count(*) FROM notes").get),
        "chunks": chunks,
        "vectors": max(0, vectors),
        "pending": pending + (count_pending(store, building) if building else 0),
        "indexed_model": model,
        "reindexing_percent": reindexing_percent(store),
        "stale_notes": [
            {"path": path, "reason": reason}
            for path, reason in one("SELECT path, stale FROM notes WHERE stale <> '' ORDER BY path")
        ],
        "warnings": [{"path": path, "warning": warning} for path, warning in warnings],
        "refused_texts": int(one("SELECT count(*) FROM refused WHERE reason <> ?", (TOO_LONG,)).get),
        "skipped": [{"path": skip.path, "reason": skip.reason, "detail": skip.detail} for skip in store.list_skips()],
        "db_bytes": store.size_bytes(),
    }


def reindexing_percent(store: Store) -> int | None:
    """Return how far the generation being built is, 0..100, or ``None`` when none is (limits L1)."""
    building = find_generation(store, "building")
    if building is None:
        return None
    one = store.connection.execute
    notes = max(1, int(one("SELECT count(*) FROM notes").get))
    cut = int(one("SELECT count(*) FROM notes WHERE generation >= ?", (building.id,)).get) / notes
    chunks = max(1, int(one(COUNT_TEXTS, {"generation": building.id}).get))
    return int(100 * cut * (1 - count_pending(store, building) / chunks))
