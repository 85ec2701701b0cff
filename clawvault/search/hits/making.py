"""Turn ranked candidates into hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clawvault.search.asking.circumstances import Circumstances
from clawvault.search.asking.request import SearchRequest
from clawvault.search.fusion.joining import text_score
from clawvault.search.hits.explaining import explain_hit
from clawvault.search.hits.result import Hit
from clawvault.search.hits.snippet import make_snippet
from clawvault.search.lanes.candidates import Lanes
from clawvault.search.ranking.ordering import Ranked

MOST_COPY_PATHS = 10


def make_hits(chosen: Sequence[Ranked], lanes: Lanes, request: SearchRequest, at: Circumstances) -> tuple[Hit, ...]:
    """Return what is shown of candidates in their places."""
    hits = tuple(_make_hit(rank, item, lanes, request, at) for rank, item in enumerate(chosen, 1))
    if not request.explain:
        return hits
    weight = at.settings.mmr_lambda if at.settings.mmr else None
    return tuple(
        replace(hit, explain=explain_hit(item, following, lanes, weight))
        for hit, item, following in zip(hits, chosen, [*chosen, None][1:], strict=True)
    )


def _make_hit(rank: int, item: Ranked, lanes: Lanes, request: SearchRequest, at: Circumstances) -> Hit:
    passage, fts, vector = item.passage, lanes.fts, lanes.vector
    chunk = passage.chunk_id
    return Hit(
        rank=rank,
        path=passage.path,
        line_start=passage.line_start,
        line_end=passage.line_end,
        heading=passage.heading,
        text=passage.text,
        snippet=make_snippet(passage.text, request.query, item.best_text) or passage.name,
        score=item.score,
        cosine=vector.raw_scores[chunk] if chunk in vector.ranks else None,
        text_score=text_score(fts.scores[chunk]) if chunk in fts.ranks else None,
        fts_rank=fts.ranks.get(chunk),
        vector_rank=vector.ranks.get(chunk),
        date=passage.date,
        evergreen=passage.evergreen,
        decay=item.decay,
        time=item.time,
        superseded_by=_superseded_by(item),
        vault=at.vault,
        title=passage.title,
        copies=item.copies,
        copy_paths=tuple(path for path in dict.fromkeys(item.copy_paths) if path != passage.path)[:MOST_COPY_PATHS],
        merged=item.merged,
        more_in_note=item.more_in_note,
        flagged=passage.flags,
        stale=bool(passage.stale) or passage.path in at.changed,
    )


def _superseded_by(item: Ranked) -> str | None:
    if item.superseded_by is None:
        return None
    (path, line), passage = item.superseded_by, item.passage
    # Joined with what replaces it, a passage tells both.
    if path == passage.path and passage.line_start <= line <= passage.line_end:
        return None
    return f"{path}:{line}"
