"""Find candidates for a question that speaks of time, and list what is of that time when it asks for nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from clawvault.index.records import FILTER_SQL
from clawvault.index.store import Store
from clawvault.search.circumstances import Circumstances
from clawvault.search.day_spans import Span
from clawvault.search.fusion import Fused, LaneView, scale_to_best
from clawvault.search.lanes import EMPTY_LANE, SPARE, Lanes, ask_lanes
from clawvault.search.query import Query, parse_query
from clawvault.search.request import SearchRequest
from clawvault.search.time_words import TimeReading, read_time

# Beside a date that was written out, the notes of that day come after passages that hold the very words.
LISTED_BESIDE_WORDS = 0.6
# Keeps the order of a list in its scores, too little to be seen.
STEP = 1e-6

_OF_SPAN = (
    "SELECT c.id FROM chunks c JOIN notes n ON n.id = c.note_id "  # noqa: S608
    "WHERE c.generation = :generation AND n.date IS NOT NULL AND "
    + FILTER_SQL
    + " ORDER BY n.date DESC, n.path, c.ordinal LIMIT :limit"
)


_ANY_NOTE = (
    "SELECT 1 FROM notes WHERE (:since IS NULL OR date >= :since) AND (:until IS NULL OR date <= :until) LIMIT 1"
)


def span_of(request: SearchRequest, reading: TimeReading, store: Store) -> Span | None:
    """Return the days that order the hits.

    Returns:
        ``None`` where the question names none, where the caller gave ``since`` or ``until``, which stand alone, and
        where no note is of those days: what happened before there were notes is told in later ones.
    """
    if reading.span is None or request.has_days:
        return None
    days = {name: day.isoformat() if day else None for name, day in reading.span._asdict().items()}
    return reading.span if store.connection.execute(_ANY_NOTE, days).get is not None else None


def text_to_ask(request: SearchRequest, today: date, store: Store) -> str:
    """Return what the lanes look for: the question without its relative time words.

    Where it holds nothing else, or no note is of those days, it stays whole: a note may hold the very words.
    """
    reading = read_time(request.query, today)
    is_void = reading.span is not None and not request.has_days and span_of(request, reading, store) is None
    return request.query if reading.is_time_only or is_void else reading.text


def ask_lanes_in_time(request: SearchRequest, query: Query, at: Circumstances, span: Span | None) -> Lanes:
    """Ask the lanes, and once more for the days asked for, so that no busy year hides a quiet week."""
    lanes = ask_lanes(request, query, at)
    if span is None:
        return lanes
    # Whoever asks for a time wants to see it, even if nothing there matches well.
    lanes = replace(lanes, is_faint=False)
    inside = ask_lanes(_within(request, span), query, at)
    fts = lanes.fts if lanes.fts.trust > 0 and inside.fts.trust == 0 else _add(lanes.fts, inside.fts)
    return replace(lanes, fts=fts, vector=_add(lanes.vector, inside.vector))


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
    filters = request.filters if span is None else _within(request, span).filters
    limit = max(at.settings.candidates * SPARE, request.limit)
    values = {"generation": at.generation.id, "limit": limit, **filters.parameters()}
    return [row[0] for row in at.store.connection.execute(_OF_SPAN, values)]


def _within(request: SearchRequest, span: Span) -> SearchRequest:
    since, until = span
    return replace(
        request,
        since=since.isoformat() if since else None,
        until=until.isoformat() if until else None,
    )


def _add(lane: LaneView, inside: LaneView) -> LaneView:
    """Put what only the second look found behind what the first one did."""
    added = [chunk for chunk in inside.ranks if chunk not in lane.ranks]
    ranks = {**lane.ranks, **{chunk: len(lane.ranks) + place for place, chunk in enumerate(added, 1)}}
    return LaneView(ranks, {**inside.scores, **lane.scores}, lane.trust)
