"""Ask each lane for candidates and lay their rows side by side."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from clawvault.embed.protocol import FloatArray
from clawvault.index.connection import DamagedIndexError
from clawvault.index.lexicon import count_chunks, count_matches, find_keyword_candidates
from clawvault.index.records import Filters, Generation, hash_text
from clawvault.index.store import Store
from clawvault.index.vectors import VectorBackend
from clawvault.search.fusion import LaneView
from clawvault.search.query import Query
from clawvault.search.trust import keyword_trust


@dataclass(frozen=True, slots=True)
class Passage:
    """One chunk with what its note says about it."""

    chunk_id: int
    path: str
    title: str
    date: str | None
    evergreen: bool
    line_start: int
    line_end: int
    heading: tuple[str, ...]
    text: str
    stale: str


def keyword_lane(store: Store, generation: Generation, query: Query, limit: int, filters: Filters) -> LaneView:
    """Return what the words of a question find."""
    found = find_keyword_candidates(store, generation.id, query.match, limit, filters)
    if not found:
        # Better than nothing, but any text at all holds common words.
        common = find_keyword_candidates(store, generation.id, " OR ".join(query.common), limit, filters)
        return LaneView({chunk: rank for rank, (chunk, _) in enumerate(common, 1)}, dict(common), trust=0.0)
    ranks = {chunk: rank for rank, (chunk, _) in enumerate(found, 1)}
    n_matches = [count_matches(store, term) for term in query.expressions]
    trust = keyword_trust(found[0][1], count_chunks(store), n_matches)
    return LaneView(ranks, dict(found), trust)


def vector_lane(
    store: Store, generation: Generation, backend: VectorBackend, vector: FloatArray, limit: int, filters: Filters
) -> LaneView:
    """Return what the meaning of a question finds."""
    found = backend.nearest(store, generation, vector, limit, filters)
    return LaneView({chunk: rank for rank, (chunk, _) in enumerate(found, 1)}, dict(found))


def fill_cosines(
    store: Store, generation: Generation, vector: FloatArray, lane: LaneView, others: Iterable[int]
) -> LaneView:
    """Add the cosines of chunks that another lane found, so that both lanes judge every candidate."""
    missing = [chunk for chunk in others if chunk not in lane.scores]
    rows = store.connection.execute(
        """SELECT c.id, v.vector FROM json_each(?) AS wanted JOIN chunks c ON c.id = wanted.value
           JOIN vectors v ON v.space_id = ? AND v.text_hash = c.text_hash""",
        (json.dumps(missing), generation.space_id),
    )
    cosines = {chunk: float(np.frombuffer(blob, dtype="<f4") @ vector) for chunk, blob in rows}
    return LaneView(lane.ranks, {**lane.scores, **cosines}, lane.trust)


def read_passages(store: Store, chunks: Iterable[int]) -> dict[int, Passage]:
    """Return the rows of chunks by id.

    Raises:
        DamagedIndexError: A text is not the one its hash was taken of (I14).
    """
    rows = store.connection.execute(
        """SELECT c.id, n.path, n.title, n.date, n.evergreen OR c.pinned, c.line_start, c.line_end, c.heading, c.text,
                  n.stale, c.text_hash
           FROM json_each(?) AS wanted JOIN chunks c ON c.id = wanted.value JOIN notes n ON n.id = c.note_id""",
        (json.dumps(list(chunks)),),
    )
    passages: dict[int, Passage] = {}
    for row in rows:
        if hash_text(row[8]) != row[10]:
            raise DamagedIndexError("The index holds a text that is not what was written.")
        passages[row[0]] = Passage(
            chunk_id=row[0],
            path=row[1],
            title=row[2],
            date=row[3],
            evergreen=bool(row[4]),
            line_start=row[5],
            line_end=row[6],
            heading=tuple(json.loads(row[7])),
            text=row[8],
            stale=row[9],
        )
    return passages
