"""List what is of a time, for a question that asks for nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from clawvault.index.records import FILTER_SQL
from clawvault.search.asking.circumstances import Circumstances
from clawvault.search.asking.query import parse_query
from clawvault.search.asking.request import SearchRequest
from clawvault.search.fusion.joining import Fused, scale_to_best
from clawvault.search.lanes.candidates import EMPTY_LANE, SPARE, Lanes, ask_lanes
from clawvault.search.lanes.in_time import within
from clawvault.search.time_words.reading import TimeReading

# Beside a date that was written out, the notes of that day come after passages that hold the very words.
LISTED_BESIDE_WORDS = 0.6
# Keeps the order of a list in its scores, too little to be seen.
STEP = 1e-6

_OF_SPAN = (
    "SELECT c.id FROM chunks c JOIN notes n ON n.id = c.note_id "  # noqa: S608
    "WHERE c.generation = :generation AND n.date IS NOT NULL AND c.char_end > c.char_start AND "
    + FILTER_SQL
    + " ORDER BY n.date DESC, n.path, c.ordinal < 0, c.ordinal LIMIT :limit"
)


def list_time(
    request: SearchRequest, reading: TimeReading, at: Circumstances
) -> tuple[Lanes, Mapping[int, Fused]] | None:
    """Answer a question of nothing but time: the passages of those days, newest note first, top of note first.

    Returns:
        What the lanes say of written dates, and the passages with scores in order; ``None`` when the question asks
        for more, or nothing is of that time.
    """
    listed = _list_chunks(request, reading, at) if reading.is_time_only else []
    if not listed:
        return None
    lanes = Lanes(EMPTY_LANE, EMPTY_LANE, is_faint=False)
    words: Mapping[int, float] = {}
    if reading.written and request.mode != "vector":
        found = ask_lanes(replace(request, mode="fts"), parse_query(" ".join(reading.written)), at)
        if found.fts.trust > 0:
            lanes, words = replace(lanes, fts=found.fts), scale_to_best(found.fts.scores)
    base = LISTED_BESIDE_WORDS if words else 1.0
    scores = {chunk: base - STEP * place for place, chunk in enumerate(listed)}
    return lanes, {
        chunk: Fused(max(words.get(chunk, 0.0), scores.get(chunk, 0.0)), 0.0) for chunk in words.keys() | scores.keys()
    }


def _list_chunks(request: SearchRequest, reading: TimeReading, at: Circumstances) -> list[int]:
    span = None if request.has_days else reading.span
    filters = request.filters if span is None else within(request, span).filters
    limit = max(at.settings.candidates * SPARE, request.limit)
    values = {"generation": at.generation.id, "limit": limit, **filters.parameters()}
    return [row[0] for row in at.store.connection.execute(_OF_SPAN, values)]
