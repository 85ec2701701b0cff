"""Ask the keyword rows: candidates by BM25, and how common a term is."""

from __future__ import annotations

import json
from collections.abc import Sequence

from clawvault.index.lexical import WEIGHT_BODY, WEIGHT_HEADING, WEIGHT_TITLE
from clawvault.index.records import FILTER_SQL, Filters
from clawvault.index.store import Store

_CANDIDATES = (
    """SELECT c.id, -bm25(lexicon, :title, :heading, :body) AS strength
    FROM lexicon JOIN chunks c ON c.id = lexicon.rowid JOIN notes n ON n.id = c.note_id
    WHERE lexicon MATCH :match AND c.generation = :generation AND """  # noqa: S608
    + FILTER_SQL
    + " ORDER BY strength DESC, c.id LIMIT :limit"
)


def find_keyword_candidates(
    store: Store, generation: int, match: str, limit: int, filters: Filters
) -> list[tuple[int, float]]:
    """Return chunks that match an expression, best first.

    Args:
        store: The index.
        generation: Which generation answers.
        match: An FTS5 expression from ``render_match``; empty finds nothing.
        limit: The most chunks to return.
        filters: Which notes count.

    Returns:
        (chunk id, strength) pairs; strength is BM25 turned so that higher is better, 0 or more.
    """
    if not match:
        return []
    weights = {"title": WEIGHT_TITLE, "heading": WEIGHT_HEADING, "body": WEIGHT_BODY}
    rows = store.connection.execute(
        _CANDIDATES,
        {"match": match, "generation": generation, "limit": limit, **weights, **filters.parameters()},
    )
    return [(row[0], max(0.0, row[1])) for row in rows]


def count_matches(store: Store, match: str) -> int:
    """Return how many chunks match one term; the fewer, the more the term tells."""
    return int(store.connection.execute("SELECT count(*) FROM lexicon WHERE lexicon MATCH ?", (match,)).get)


def filter_matches(store: Store, match: str, chunks: Sequence[int]) -> list[int]:
    """Return those of some chunks that match one term."""
    rows = store.connection.execute(
        "SELECT rowid FROM lexicon WHERE lexicon MATCH ? AND rowid IN (SELECT value FROM json_each(?))",
        (match, json.dumps(list(chunks))),
    )
    return [row[0] for row in rows]


def count_chunks(store: Store) -> int:
    """Return how many chunks there are, of all generations: those that ``count_matches`` and BM25 count."""
    return int(store.connection.execute("SELECT count(*) FROM chunks").get)
