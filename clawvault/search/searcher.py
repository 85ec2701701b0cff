"""The pipeline of one question: lanes, fusion, decay, variety, hits (OC-31)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from clawvault.config import SearchSettings
from clawvault.embed.protocol import FloatArray
from clawvault.index.records import Generation
from clawvault.index.store import Store
from clawvault.index.vectors import VectorBackend
from clawvault.search.decay import decay_factor
from clawvault.search.diversity import normalised, order_by_variety, token_set
from clawvault.search.fusion import (
    LaneView,
    adaptive_sum,
    reciprocal_rank,
    scale_to_best,
    score_sum,
    text_score,
    vector_trust,
    weighted_sum,
)
from clawvault.search.lanes import Passage, fill_cosines, keyword_lane, read_passages, vector_lane
from clawvault.search.query import Query, guess_language, parse_query
from clawvault.search.request import SearchRequest
from clawvault.search.result import Hit, SearchResult
from clawvault.search.snippet import make_snippet

EMPTY_LANE = LaneView({}, {})
# Room for passages that turn out to be copies, or to have changed on disk.
SPARE_CANDIDATES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What a question meets: the index, the clock and the disk.

    ``vector`` is the embedded question, (dims,) float32, ``None`` when the vector lane cannot run; ``changed`` and
    ``gone`` are the paths whose rows no longer match the disk.
    """

    store: Store
    generation: Generation
    backend: VectorBackend | None
    vector: FloatArray | None
    today: date
    vault: str
    settings: SearchSettings
    changed: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    degraded: tuple[str, ...] = ()
    stale: bool = False


@dataclass(frozen=True, slots=True)
class _Ranked:
    passage: Passage
    fused: float
    decay: float
    copies: int = 1

    @property
    def score(self) -> float:
        return self.fused * self.decay


def answer(request: SearchRequest, at: Circumstances) -> SearchResult:
    """Answer one question; the same index, question and day give the same answer (I26)."""
    began = time.perf_counter()
    query = parse_query(request.query)
    fts, vector = _ask_lanes(request, query, at)
    fused = _fuse(request.fusion or at.settings.fusion, query, fts, vector, at.settings)
    passages = read_passages(at.store, fused)
    ranked = _rank(fused, passages, fts, at)
    chosen = _diversify(ranked, request, at.settings)
    hits = tuple(_hit(rank, item, fts, vector, request, at) for rank, item in enumerate(chosen, 1))
    return SearchResult(
        query=request.query,
        mode=request.mode,
        hits=hits,
        took_ms=(time.perf_counter() - began) * 1000,
        degraded=at.degraded,
        stale=at.stale or any(hit.stale for hit in hits),
        no_confident_match=not hits,
    )


def _ask_lanes(request: SearchRequest, query: Query, at: Circumstances) -> tuple[LaneView, LaneView]:
    limit = max(at.settings.candidates, request.limit * SPARE_CANDIDATES)
    fts = vector = EMPTY_LANE
    if request.mode != "vector":
        fts = keyword_lane(at.store, at.generation, query, limit, request.filters)
    if request.mode != "fts" and at.backend is not None and at.vector is not None and query.text.strip():
        vector = vector_lane(at.store, at.generation, at.backend, at.vector, limit, request.filters)
        vector = fill_cosines(at.store, at.generation, at.vector, vector, fts.ranks)
        vector = replace(vector, trust=vector_trust(at.generation.reads, guess_language(query.text)))
    return fts, vector


def _fuse(fusion: str, query: Query, fts: LaneView, vector: LaneView, settings: SearchSettings) -> Mapping[int, float]:
    if not vector.ranks:
        return scale_to_best(fts.scores)
    if not fts.ranks:
        return {chunk: max(0.0, vector.scores[chunk]) for chunk in vector.ranks}
    if fusion == "rrf":
        return scale_to_best(reciprocal_rank((fts, vector), k=settings.rrf_k))
    if fusion == "weighted":
        return weighted_sum(fts, vector)
    if fusion == "adaptive":
        return adaptive_sum(fts, vector, n_terms=len(query.terms))
    return score_sum(fts, vector, vector_weight=settings.vector_weight)


def _rank(
    fused: Mapping[int, float],
    passages: Mapping[int, Passage],
    fts: LaneView,
    at: Circumstances,
) -> list[_Ranked]:
    """Decay and order candidates, drop those whose note is gone, and collapse equal texts (B089, B095)."""
    settings = at.settings
    ranked: list[_Ranked] = []
    for chunk, score in fused.items():
        passage = passages.get(chunk)
        if passage is None or passage.path in at.gone or score < settings.min_score:
            continue
        factor = 1.0
        if settings.decay != "off":
            factor = decay_factor(
                None if passage.date is None else date.fromisoformat(passage.date),
                at.today,
                evergreen=passage.evergreen and settings.decay == "dated",
                half_life_days=settings.half_life_days,
                # The better the match, the less it may fade; among notes that are all old the order stays (limits L2).
                floor=settings.decay_floor * score,
            )
        ranked.append(_Ranked(passage, score, factor))
    # Where scores tie, exact words win.
    last = len(fused) + 1
    ranked.sort(
        key=lambda item: (
            -round(item.score, 9),
            fts.ranks.get(item.passage.chunk_id, last),
            item.passage.path,
            item.passage.line_start,
            item.passage.chunk_id,
        )
    )
    return _collapse(ranked)


def _collapse(ranked: Sequence[_Ranked]) -> list[_Ranked]:
    first: dict[str, int] = {}
    kept: list[_Ranked] = []
    for item in ranked:
        key = normalised(item.passage.text)
        if key in first:
            kept[first[key]] = replace(kept[first[key]], copies=kept[first[key]].copies + 1)
        else:
            first[key] = len(kept)
            kept.append(item)
    return kept


def _diversify(ranked: list[_Ranked], request: SearchRequest, settings: SearchSettings) -> list[_Ranked]:
    if request.group == "note":
        best: dict[str, _Ranked] = {}
        for item in ranked:
            best.setdefault(item.passage.path, item)
        ranked = list(best.values())
    if not settings.mmr:
        return ranked[: request.limit]
    pool = ranked[: max(settings.candidates, request.limit)]
    tokens = [token_set(item.passage.text) for item in pool]
    scores = [item.score for item in pool]
    chosen = order_by_variety(scores, tokens, weight=settings.mmr_lambda, limit=request.limit)
    return [pool[index] for index, _ in chosen]


def _hit(rank: int, item: _Ranked, fts: LaneView, vector: LaneView, request: SearchRequest, at: Circumstances) -> Hit:
    passage = item.passage
    chunk = passage.chunk_id
    return Hit(
        rank=rank,
        path=passage.path,
        line_start=passage.line_start,
        line_end=passage.line_end,
        heading=passage.heading,
        text=passage.text,
        snippet=make_snippet(passage.text, request.query),
        score=item.score,
        cosine=vector.scores[chunk] if chunk in vector.ranks else None,
        text_score=text_score(fts.scores[chunk]) if chunk in fts.ranks else None,
        fts_rank=fts.ranks.get(chunk),
        vector_rank=vector.ranks.get(chunk),
        date=passage.date,
        evergreen=passage.evergreen,
        decay=item.decay,
        vault=at.vault,
        title=passage.title,
        copies=item.copies,
        stale=bool(passage.stale) or passage.path in at.changed,
    )
