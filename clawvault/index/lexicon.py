"""Ask the keyword rows: candidates by BM25, and how common a term is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from clawvault.index.lexical import WEIGHT_BODY, WEIGHT_HEADING, WEIGHT_TITLE
from clawvault.index.records import FILTER_SQL, Filters
from clawvault.index.store import Store

# BM25 of one row costs about a microsecond. Where a question matches more rows than this, its commonest terms choose no
# candidates any more.
MOST_ROWS = 60_000
# The terms that still choose match about this many.
CHOSEN_ROWS = 30_000
# More rows are ranked than asked for: some may be of chunks that are being deleted, or of notes that are left out.
SPARE = 16
SPARE_SHARE = 1.0

_FILTERED = (
    """SELECT c.id, -bm25(lexicon, :title, :heading, :body) AS strength
    FROM lexicon JOIN chunks c ON c.id = lexicon.rowid JOIN notes n ON n.id = c.note_id
    WHERE lexicon MATCH :match AND c.generation = :generation AND """  # noqa: S608
    + FILTER_SQL
    + " ORDER BY strength DESC, c.id LIMIT :limit"
)
# Rows are ranked before any chunk is looked up, which takes a third of the time where a question matches many.
_RANKED = """SELECT ranked.id, ranked.strength, c.id FROM (
        SELECT rowid AS id, -bm25(lexicon, :title, :heading, :body) AS strength
        FROM lexicon WHERE lexicon MATCH :match ORDER BY strength DESC, rowid LIMIT :limit
    ) AS ranked LEFT JOIN chunks c ON c.id = ranked.id AND c.generation = :generation"""
_RANKED_WIDE = (
    _RANKED.replace("c.id FROM", f"c.id IS NOT NULL AND {FILTER_SQL} FROM") + " LEFT JOIN notes n ON n.id = c.note_id"
)
_WEIGHTS = {"title": WEIGHT_TITLE, "heading": WEIGHT_HEADING, "body": WEIGHT_BODY}


def find_keyword_candidates(
    store: Store, generation: int, terms: Mapping[str, int], limit: int, filters: Filters
) -> list[tuple[int, float]]:
    """Return chunks that match one of some terms, best first.

    Args:
        store: The index.
        generation: Which generation answers.
        terms: FTS5 expressions, each with how many rows match it.
        limit: The most chunks to return.
        filters: Which notes count.

    Returns:
        (chunk id, strength) pairs; strength is BM25 turned so that higher is better, 0 or more. Where all terms
        together match more than ``MOST_ROWS`` rows, chunks that hold none of the rarer terms are left out.
    """
    if not terms:
        return []
    rarer, common = split_terms(terms)
    found = _rank(store, generation, " OR ".join(rarer), limit, filters)
    if common:
        # Each row is in one of the two lists with the strength that all terms give it: what holds no common term has
        # it by the rarer ones alone, and whoever passes it there passes it with all.
        both = f"({' OR '.join(rarer)}) AND ({' OR '.join(common)})"
        strengths = dict(found)
        for chunk, strength in _rank(store, generation, both, limit, filters):
            strengths[chunk] = max(strength, strengths.get(chunk, strength))
        found = sorted(strengths.items(), key=lambda item: (-item[1], item[0]))[:limit]
    return [(chunk, max(0.0, strength)) for chunk, strength in found]


def split_terms(terms: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """Return the terms that choose candidates, and the commoner ones that only order them.

    Args:
        terms: Expressions, each with how many rows match it.

    Returns:
        All terms and none where few rows match; else the rarest, one at least, as given.
    """
    if sum(terms.values()) <= MOST_ROWS:
        return list(terms), []
    n_rows = 0
    rarer: set[str] = set()
    for term in sorted(terms, key=lambda term: terms[term]):
        n_rows += terms[term]
        if rarer and n_rows > CHOSEN_ROWS:
            break
        # A term that no row holds chooses nothing.
        if terms[term]:
            rarer.add(term)
    return [term for term in terms if term in rarer], [term for term in terms if term not in rarer and terms[term]]


def _rank(store: Store, generation: int, match: str, limit: int, filters: Filters) -> list[tuple[int, float]]:
    values: dict[str, Any] = {"match": match, "generation": generation, **_WEIGHTS}
    if filters.wide:
        statement, n_ranked = _RANKED, limit + SPARE
        if filters.narrow:
            statement, n_ranked = _RANKED_WIDE, n_ranked + int(SPARE_SHARE * limit)
            values |= filters.parameters()
        ranked: list[Any] = store.connection.execute(statement, {**values, "limit": n_ranked}).fetchall()
        found = list(islice(((row[0], row[1]) for row in ranked if row[2]), limit))
        if len(found) == limit or len(ranked) < n_ranked:
            return found
    rows = store.connection.execute(_FILTERED, {**values, "limit": limit, **filters.parameters()})
    return [(row[0], row[1]) for row in rows]


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
