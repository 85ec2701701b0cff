"""The pipeline of one question: lanes, fusion, decay, variety, hits (OC-31)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clawvault.config import SearchSettings
from clawvault.index.store import Store
from clawvault.search.asking.circumstances import Circumstances
from clawvault.search.asking.query import Query, parse_query
from clawvault.search.asking.request import SearchRequest
from clawvault.search.claims.marking import mark_superseded
from clawvault.search.fusion.joining import (
    Fused,
    adaptive_sum,
    best_is_one,
    reciprocal_rank,
    score_sum,
    weighted_sum,
    without_faint,
)
from clawvault.search.fusion.listing import list_time
from clawvault.search.fusion.reranking import rerank
from clawvault.search.hits.making import make_hits
from clawvault.search.hits.result import SearchResult
from clawvault.search.lanes.candidates import Lanes, read_passages
from clawvault.search.lanes.in_time import ask_lanes_in_time, span_of, text_to_ask
from clawvault.search.passages.choosing import choose_hits
from clawvault.search.passages.copies import collapse_copies
from clawvault.search.ranking.ordering import rank_candidates
from clawvault.search.time_words.reading import read_time


def answer(request: SearchRequest, at: Circumstances) -> SearchResult:
    """Answer one question; the same index, question and day give the same answer (I26)."""
    began = time.perf_counter()
    request = _without_aside(request, at.store)
    stage = at.stages.stage
    reading = read_time(request.query, at.today)
    span = span_of(request, reading, at.store)
    listed = list_time(request, reading, at)
    if listed is None:
        query = parse_query(text_to_ask(request, at.today, at.store))
        lanes = ask_lanes_in_time(request, query, at, span)
        fused = _fuse(request.fusion or at.settings.fusion, query, lanes, at.settings)
        fused = without_faint(fused, lanes.fts, lanes.vector)
    else:
        lanes, fused = listed
        # A list is in the order of its days.
        at = replace(at, settings=replace(at.settings, mmr=False, decay="off"))
    with stage("passages"):
        passages = read_passages(at.store, fused)
    problem = ""
    if listed is None and at.reranker is not None:
        shown = {chunk: passage for chunk, passage in passages.items() if passage.path not in at.gone}
        with stage("rerank"):
            fused, problem = rerank(query.text, fused, shown, at.reranker, at.settings.rerank_top)
    with stage("rank"):
        ranked = collapse_copies(rank_candidates(fused, passages, lanes.fts, at, span))
        if listed is None:
            ranked = mark_superseded(ranked, request.query)
    with stage("choose"):
        chosen = [] if lanes.is_faint else choose_hits(ranked, request, at.settings)
    with stage("hits"):
        hits = make_hits(chosen, lanes, request, at)
    return SearchResult(
        query=request.query,
        mode=request.mode,
        hits=hits,
        took_ms=(time.perf_counter() - began) * 1000,
        degraded=(*at.degraded, problem) if problem else at.degraded,
        stale=at.stale or any(hit.stale for hit in hits),
        no_confident_match=not hits,
        time=replace(reading, span=None if request.has_days else reading.span).to_dict(),
        readings=at.generation.readings,
    )


def _without_aside(request: SearchRequest, store: Store) -> SearchRequest:
    """Leave recorded conversations and archived notes out of a question that does not name them.

    Where there are none, the question stays as it is and costs nothing.
    """
    absent: dict[str, Any] = {}
    for name, glob in request.undecided.items():
        folder = glob.partition("/")[0]
        there = store.connection.execute(
            "SELECT 1 FROM notes WHERE path >= ? AND path < ? AND path GLOB ? LIMIT 1",
            (f"{folder}/", f"{folder}0", glob),
        )
        if there.get is not None:
            absent[name] = False
    return replace(request, **absent) if absent else request


def _fuse(fusion: str, query: Query, lanes: Lanes, settings: SearchSettings) -> Mapping[int, Fused]:
    fts, vector = lanes.fts, lanes.vector
    if fusion == "rrf":
        return best_is_one(reciprocal_rank(fts, vector, k=settings.rrf_k))
    if fusion == "weighted":
        return weighted_sum(fts, vector)
    if fusion == "adaptive":
        return adaptive_sum(fts, vector, n_terms=len(query.terms))
    return score_sum(fts, vector, vector_weight=settings.vector_weight)
