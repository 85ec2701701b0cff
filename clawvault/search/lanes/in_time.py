"""Ask the lanes a question that speaks of time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from clawvault.index.store import Store
from clawvault.search.asking.circumstances import Circumstances
from clawvault.search.asking.query import Query
from clawvault.search.asking.request import SearchRequest
from clawvault.search.lanes.candidates import Lanes, ask_lanes
from clawvault.search.lanes.view import LaneView
from clawvault.search.time_words.day_spans import Span
from clawvault.search.time_words.reading import TimeReading, read_time

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
    inside = ask_lanes(within(request, span), query, at)
    fts = lanes.fts if lanes.fts.trust > 0 and inside.fts.trust == 0 else _add(lanes.fts, inside.fts)
    return replace(lanes, fts=fts, vector=_add(lanes.vector, inside.vector))


def within(request: SearchRequest, span: Span) -> SearchRequest:
    """Return the question, asked of the notes of some days alone."""
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
