"""Ask each lane for candidates and lay their rows side by side."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from clawvault.embed.probe import Reading
from clawvault.embed.protocol import FloatArray
from clawvault.index.connection import read_text
from clawvault.index.lexicon import count_chunks, count_matches, filter_matches, find_keyword_candidates
from clawvault.index.records import Filters, Generation
from clawvault.index.store import Store
from clawvault.search.asking.circumstances import Circumstances
from clawvault.search.asking.query import Query, guess_language
from clawvault.search.asking.request import SearchRequest
from clawvault.search.lanes.shipped import find_shipped, leave_out
from clawvault.search.lanes.trust import choose_reading, is_no_answer, keyword_trust, vector_trust
from clawvault.search.lanes.view import LaneView

if TYPE_CHECKING:
    from clawvault.index.vectors.backends import VectorBackend

EMPTY_LANE = LaneView({}, {})
# Room for passages that turn out to be copies or whose note is gone. The number does not depend on how many hits are
# asked for, so that asking for more only makes the list longer.
SPARE = 2
SENTENCE_WEIGHT = 0.5
LOOKED_AT = 3
# Chunks of one section have the same headings.
KEPT_HEADINGS = 4096
# SQLite takes a CROSS JOIN in the order written. Left to choose, it may begin with all vectors there are and look for
# the few ids among them, which takes hundreds of times as long.
_VECTORS = """SELECT c.id, v.signs, v.vector FROM json_each(:ids) AS wanted CROSS JOIN chunks c ON c.id = wanted.value
    CROSS JOIN vectors v ON v.space_id = :space AND v.text_hash = c.text_hash"""


@dataclass(frozen=True, slots=True)
class Passage:
    """One chunk with what its note says about it."""

    chunk_id: int
    path: str
    title: str
    date: str | None
    evergreen: bool
    char_start: int
    line_start: int
    line_end: int
    heading: tuple[str, ...]
    text: str
    stale: str
    flags: tuple[str, ...] = ()
    in_front_matter: bool = False

    @property
    def name(self) -> str:
        """Return what the note is called: its title, else the name of its file without the ending."""
        return self.title or self.path.rpartition("/")[2].rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Lanes:
    """What both lanes say; ``is_faint`` when neither has anything worth showing."""

    fts: LaneView
    vector: LaneView
    is_faint: bool


def ask_lanes(request: SearchRequest, query: Query, at: Circumstances) -> Lanes:
    """Ask the lanes that the mode wants and that can run, and say how far each can be trusted."""
    limit = max(at.settings.candidates * SPARE, request.limit)
    fts = vector = EMPTY_LANE
    shipped = find_shipped(at.store) if request.path is None else frozenset[int]()
    if request.mode != "vector":
        with at.stages.stage("fts"):
            fts = leave_out(keyword_lane(at.store, at.generation, query, limit, request.filters), shipped)
    if request.mode == "fts" or at.backend is None or at.vector is None or not query.text.strip():
        return Lanes(fts, vector, is_faint=False)
    with at.stages.stage("vector"):
        vector = vector_lane(at.store, at.generation, at.backend, at.vector, limit, request.filters)
    with at.stages.stage("sentences"):
        vector = judge_candidates(at.store, at.generation, at.vector, leave_out(vector, shipped), fts.ranks)
    with at.stages.stage("trust"):
        reading = choose_reading(at.generation.readings, guess_language(query.text))
        best = max(vector.raw_scores.values(), default=0.0)
        pair = _read_pair(at, query, vector) or reading
        is_faint = is_no_answer(pair, best, lambda: _held_share(at.store, query, fts))
    return Lanes(fts, replace(vector, trust=vector_trust(reading, best)), is_faint)


def _read_pair(at: Circumstances, query: Query, vector: LaneView) -> Reading | None:
    """Return how the model reads questions of this language about passages of the nearest one's, if it was asked."""
    nearest = max(vector.raw_scores, key=lambda chunk: (vector.raw_scores[chunk], -chunk), default=None)
    row = at.store.connection.execute("SELECT text, text_hash FROM chunks WHERE id = ?", (nearest,)).fetchone()
    text = "" if row is None else read_text(*row)
    return at.generation.readings.get(f"{guess_language(query.text)}-{guess_language(text)}")


def keyword_lane(store: Store, generation: Generation, query: Query, limit: int, filters: Filters) -> LaneView:
    """Return what the words of a question find."""
    terms = {term: count_matches(store, term) for term in query.expressions}
    found = find_keyword_candidates(store, generation.id, terms, limit, filters)
    if not found:
        return EMPTY_LANE
    ranks = {chunk: rank for rank, (chunk, _) in enumerate(found, 1)}
    trust = keyword_trust(found[0][1], count_chunks(store), list(terms.values()))
    return LaneView(ranks, dict(found), trust)


def _held_share(store: Store, query: Query, fts: LaneView) -> float:
    """Return the largest share of a question's terms that one of the first keyword candidates holds, 0..1.

    It is 1 where one of them holds a name or a quoted phrase: who asks for Globex wants what is known of Globex.
    """
    first = [chunk for chunk, rank in fts.ranks.items() if rank <= LOOKED_AT]
    if any(filter_matches(store, term, first) for term in (*query.phrases, *query.names)):
        return 1.0
    held = Counter(chunk for term in query.expressions for chunk in filter_matches(store, term, first))
    return max(held.values(), default=0) / max(1, len(query.expressions))


def vector_lane(
    store: Store, generation: Generation, backend: VectorBackend, vector: FloatArray, limit: int, filters: Filters
) -> LaneView:
    """Return what the meaning of a question finds."""
    found = backend.nearest(store, generation, vector, limit, filters)
    return LaneView({chunk: rank for rank, (chunk, _) in enumerate(found, 1)}, dict(found))


def judge_candidates(
    store: Store, generation: Generation, vector: FloatArray, lane: LaneView, others: Iterable[int] = ()
) -> LaneView:
    """Let the nearest sentence of each candidate count as much as the whole of it.

    A question is about one statement, which the vector of a long passage blurs. Candidates without a sketch keep their
    cosine.

    Args:
        store: The index.
        generation: Whose vectors.
        vector: The question, (dims,) float32.
        lane: What the vector lane found.
        others: Chunks that another lane found, which get a cosine too, so that both lanes judge every candidate.
    """
    # Who asks by words alone must not pay for it.
    import numpy as np

    from clawvault.index.sketches import nearest_sentences

    wanted = json.dumps([*lane.scores, *(chunk for chunk in others if chunk not in lane.scores)])
    rows: list[Any] = store.connection.execute(_VECTORS, {"ids": wanted, "space": generation.space_id}).fetchall()
    vectors: dict[int, FloatArray] = {row[0]: np.frombuffer(row[2], dtype="<f4") for row in rows}
    cosines = dict(lane.scores)
    cosines.update((chunk, float(its @ vector)) for chunk, its in vectors.items() if chunk not in cosines)
    scores = dict(cosines)
    if vectors:
        nearest = nearest_sentences([row[1] for row in rows], np.stack(list(vectors.values())), vector)
        scores.update(
            (chunk, (1 - SENTENCE_WEIGHT) * scores[chunk] + SENTENCE_WEIGHT * best)
            for chunk, best in zip(vectors, nearest.tolist(), strict=True)
            if not math.isnan(best)
        )
    order = sorted(lane.ranks, key=lambda chunk: (-scores[chunk], lane.ranks[chunk]))
    return LaneView({chunk: rank for rank, chunk in enumerate(order, 1)}, scores, lane.trust, raw=cosines)


def read_passages(store: Store, chunks: Iterable[int]) -> dict[int, Passage]:
    """Return the rows of chunks by id.

    Raises:
        DamagedIndexError: A text is not the one its hash was taken of (I14).
    """
    rows = store.connection.execute(
        """SELECT c.id, n.path, n.title, n.date, n.evergreen OR c.pinned, c.line_start, c.line_end, c.heading, c.text,
                  n.stale, c.text_hash, c.char_start, c.flags, c.ordinal < 0
           FROM json_each(?) AS wanted CROSS JOIN chunks c ON c.id = wanted.value
                CROSS JOIN notes n ON n.id = c.note_id""",
        (json.dumps(list(chunks)),),
    )
    passages: dict[int, Passage] = {}
    for row in rows:
        passages[row[0]] = Passage(
            chunk_id=row[0],
            path=row[1],
            title=row[2],
            date=row[3],
            evergreen=bool(row[4]),
            char_start=row[11],
            line_start=row[5],
            line_end=row[6],
            heading=_read_heading(row[7], row[2]),
            text=read_text(row[8], row[10]),
            stale=row[9],
            flags=tuple(row[12].split()),
            in_front_matter=bool(row[13]),
        )
    return passages


@lru_cache(maxsize=KEPT_HEADINGS)
def _read_heading(text: str, title: str) -> tuple[str, ...]:
    return tuple(title if part is None else part for part in json.loads(text)) if text else (title,)
