"""The pipeline of one question: lanes, fusion, decay, variety, hits (OC-31)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from clawvault.config import SearchSettings
from clawvault.embed.protocol import FloatArray
from clawvault.index.records import Generation
from clawvault.index.store import Store
from clawvault.index.vectors import VectorBackend
from clawvault.search.decay import decay_factor
from clawvault.search.diversity import normalised, order_by_variety, token_set
from clawvault.search.fusion import (
    Fused,
    LaneView,
    adaptive_sum,
    best_is_one,
    reciprocal_rank,
    score_sum,
    text_score,
    weighted_sum,
)
from clawvault.search.lanes import Passage, fill_cosines, keyword_lane, read_passages, vector_lane
from clawvault.search.query import Query, guess_language, parse_query
from clawvault.search.request import SearchRequest
from clawvault.search.result import Hit, SearchResult
from clawvault.search.snippet import make_snippet
from clawvault.search.trust import FAINT_TRUST, choose_reading, vector_confidence, vector_trust

EMPTY_LANE = LaneView({}, {})
# Room for passages that turn out to be copies or whose note is gone. The number does not depend on how many hits are
# asked for, so that asking for more only makes the list longer.
SPARE = 2


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
class _Lanes:
    fts: LaneView
    vector: LaneView
    is_faint: bool


@dataclass(frozen=True, slots=True)
class _Ranked:
    passage: Passage
    fused: Fused
    decay: float
    copies: int = 1
    likeness: float = 0.0

    @property
    def score(self) -> float:
        return self.fused.score * self.decay


def answer(request: SearchRequest, at: Circumstances) -> SearchResult:
    """Answer one question; the same index, question and day give the same answer (I26)."""
    began = time.perf_counter()
    query = parse_query(request.query)
    lanes = _ask_lanes(request, query, at)
    fused = _fuse(request.fusion or at.settings.fusion, query, lanes, at.settings)
    ranked = _rank(fused, read_passages(at.store, fused), lanes.fts, at)
    chosen = _diversify(ranked, request, at.settings)
    hits = tuple(_hit(rank, item, lanes, request, at) for rank, item in enumerate(chosen, 1))
    return SearchResult(
        query=request.query,
        mode=request.mode,
        hits=hits,
        took_ms=(time.perf_counter() - began) * 1000,
        degraded=at.degraded,
        stale=at.stale or any(hit.stale for hit in hits),
        no_confident_match=not hits or lanes.is_faint,
    )


def _ask_lanes(request: SearchRequest, query: Query, at: Circumstances) -> _Lanes:
    limit = max(at.settings.candidates * SPARE, request.limit)
    fts = vector = EMPTY_LANE
    if request.mode != "vector":
        fts = keyword_lane(at.store, at.generation, query, limit, request.filters)
    if request.mode == "fts" or at.backend is None or at.vector is None or not query.text.strip():
        return _Lanes(fts, vector, is_faint=bool(fts.ranks) and fts.trust == 0.0)
    vector = vector_lane(at.store, at.generation, at.backend, at.vector, limit, request.filters)
    vector = fill_cosines(at.store, at.generation, at.vector, vector, fts.ranks)
    reading = choose_reading(at.generation.readings, guess_language(query.text))
    best = max(vector.scores.values(), default=0.0)
    is_faint = (not fts.ranks or fts.trust < FAINT_TRUST) and vector_confidence(reading, best) == 0.0
    return _Lanes(fts, replace(vector, trust=vector_trust(reading, best)), is_faint)


def _fuse(fusion: str, query: Query, lanes: _Lanes, settings: SearchSettings) -> Mapping[int, Fused]:
    fts, vector = lanes.fts, lanes.vector
    if fusion == "rrf":
        return best_is_one(reciprocal_rank(fts, vector, k=settings.rrf_k))
    if fusion == "weighted":
        return weighted_sum(fts, vector)
    if fusion == "adaptive":
        return adaptive_sum(fts, vector, n_terms=len(query.terms))
    return score_sum(fts, vector, vector_weight=settings.vector_weight)


def _rank(
    fused: Mapping[int, Fused], passages: Mapping[int, Passage], fts: LaneView, at: Circumstances
) -> list[_Ranked]:
    """Decay and order candidates, drop those whose note is gone, and collapse equal texts (B089, B095)."""
    ranked = [
        _Ranked(passages[chunk], item, _decay(passages[chunk], item.score, at))
        for chunk, item in fused.items()
        if chunk in passages and passages[chunk].path not in at.gone and item.score >= at.settings.min_score
    ]
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


def _decay(passage: Passage, score: float, at: Circumstances) -> float:
    if at.settings.decay == "off":
        return 1.0
    return decay_factor(
        None if passage.date is None else date.fromisoformat(passage.date),
        at.today,
        evergreen=passage.evergreen and at.settings.decay == "dated",
        half_life_days=at.settings.half_life_days,
        # The better the match, the less it may fade; among notes that are all old the order stays (limits L2).
        floor=at.settings.decay_floor * score,
    )


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
    if not settings.mmr or not ranked:
        return ranked[: request.limit]
    pool, rest = ranked[: settings.candidates], ranked[settings.candidates :]
    tokens = [token_set(item.passage.text) for item in pool]
    # As shares of the best: otherwise likeness would outweigh everything where all scores are low.
    top = ranked[0].score or 1.0
    shares = [item.score / top for item in pool]
    chosen = order_by_variety(shares, tokens, weight=settings.mmr_lambda, limit=request.limit)
    return ([replace(pool[index], likeness=likeness) for index, likeness in chosen] + rest)[: request.limit]


def _hit(rank: int, item: _Ranked, lanes: _Lanes, request: SearchRequest, at: Circumstances) -> Hit:
    passage, fts, vector = item.passage, lanes.fts, lanes.vector
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
        explain=_explain(item, lanes) if request.explain else None,
    )


def _explain(item: _Ranked, lanes: _Lanes) -> dict[str, Any]:
    """Take the score apart: ``(keyword + vector) * decay`` is the score, ``likeness`` only moved the place."""
    chunk = item.passage.chunk_id
    return {
        "keyword": {
            "adds": round(item.fused.keyword, 6),
            "strength": lanes.fts.scores.get(chunk),
            "trust": round(lanes.fts.trust, 6),
        },
        "vector": {
            "adds": round(item.fused.vector, 6),
            "cosine": lanes.vector.scores.get(chunk),
            "trust": round(lanes.vector.trust, 6),
        },
        "fused": round(item.fused.score, 6),
        "decay": round(item.decay, 6),
        "likeness": round(item.likeness, 6),
    }
