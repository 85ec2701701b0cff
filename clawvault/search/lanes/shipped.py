"""Notes that are still as a template made them: an agent is given them anyway, and they answer nothing."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache

from clawvault.index.store import Store
from clawvault.search.lanes.view import LaneView
from clawvault.vault.template_texts import LANGUAGES, template_folder

# Not MEMORY.md, whose template holds the day it was made, and which is there to be filled.
NAMES = ("AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md", "HEARTBEAT.md", "README.md")
_NOTES = "SELECT id, sha256 FROM notes WHERE path IN (?, ?, ?, ?, ?, ?)"
_CHUNKS = "SELECT id FROM chunks WHERE note_id = ?"


def find_shipped(store: Store) -> frozenset[int]:
    """Return the chunks of notes at the top of a vault that nobody has changed since a template made them."""
    rows = store.connection.execute(_NOTES, NAMES).fetchall()
    notes = [note for note, digest in rows if digest in _shipped_hashes()] if rows else []
    return frozenset(row[0] for note in notes for row in store.connection.execute(_CHUNKS, (note,)))


def is_shipped(path: str, data: bytes) -> bool:
    """Say whether a note is one at the top of a vault, still as a template made it."""
    return path in NAMES and hashlib.sha256(data).digest() in _shipped_hashes()


def leave_out(lane: LaneView, chunks: frozenset[int]) -> LaneView:
    """Return a lane without some chunks; the ranks of the others close up."""
    if not chunks.intersection(lane.scores):
        return lane
    kept = sorted((chunk for chunk in lane.ranks if chunk not in chunks), key=lane.ranks.__getitem__)
    raw = lane.raw and {chunk: score for chunk, score in lane.raw.items() if chunk not in chunks}
    return replace(
        lane,
        ranks={chunk: rank for rank, chunk in enumerate(kept, 1)},
        scores={chunk: score for chunk, score in lane.scores.items() if chunk not in chunks},
        raw=raw,
    )


@cache
def _shipped_hashes() -> frozenset[bytes]:
    files = (template_folder() / language / name for language in LANGUAGES for name in NAMES)
    return frozenset(hashlib.sha256(file.read_text("utf-8").encode()).digest() for file in files if file.is_file())
