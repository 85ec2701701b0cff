"""The pipeline of one question: lanes, fusion, decay, variety, hits (OC-31)."""

from __future__ import annotations

import time
from collections.abc import Mapping

from clawvault.config import SearchSettings
from clawvault.search.choosing import choose_hits
from clawvault.search.circumstances import Circumstances
from clawvault.search.fusion import Fused, adaptive_sum, best_is_one, reciprocal_rank, score_sum, weighted_sum
from clawvault.search.hits import make_hit
from clawvault.search.lanes import Lanes, ask_lanes, read_passages
from clawvault.search.query import Query, parse_query
from clawvault.search.ranking import rank_candidates
from clawvault.search.request import SearchRequest
from clawvault.search.result import SearchResult


def answer(request: SearchRequest, at: Circumstances) -> SearchResult:
    """Answer one question; the same index, question and day give the same answer (I26)."""
    began = time.perf_counter()
    query = parse_query(request.query)
    lanes = ask_lanes(request, query, at)
    fused = _fuse(request.fusion or at.settings.fusion, query, lanes, at.settings)
    ranked = rank_candidates(fused, read_passages(at.store, fused), lanes.fts, at)
    chosen = choose_hits(ranked, request, at.settings)
    hits = tuple(make_hit(rank, item, lanes, request, at) for rank, item in enumerate(chosen, 1))
    return SearchResult(
        query=request.query,
        mode=request.mode,
        hits=hits,
        took_ms=(time.perf_counter() - began) * 1000,
        degraded=at.degraded,
        stale=at.stale or any(hit.stale for hit in hits),
        no_confident_match=not hits or lanes.is_faint,
    )


def _fuse(fusion: str, query: Query, lanes: Lanes, settings: SearchSettings) -> Mapping[int, Fused]:
    fts, vector = lanes.fts, lanes.vector
    if fusion == "rrf":
        return best_is_one(reciprocal_rank(fts, vector, k=settings.rrf_k))
    if fusion == "weighted":
        return weighted_sum(fts, vector)
    if fusion == "adaptive":
        return adaptive_sum(fts, vector, n_terms=len(query.terms))
    return score_sum(fts, vector, vector_weight=settings.vector_weight)
