"""Turn ranked candidates into hits and say how each score came about."""

from __future__ import annotations

from typing import Any

from clawvault.search.circumstances import Circumstances
from clawvault.search.fusion import text_score
from clawvault.search.lanes import Lanes
from clawvault.search.ranking import Ranked
from clawvault.search.request import SearchRequest
from clawvault.search.result import Hit
from clawvault.search.snippet import make_snippet

MOST_COPY_PATHS = 10


def make_hit(rank: int, item: Ranked, lanes: Lanes, request: SearchRequest, at: Circumstances) -> Hit:
    """Return what is shown of a candidate in its place."""
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
        stale=bool(passage.stale) or passage.path in at.changed,
        explain=_explain(item, lanes) if request.explain else None,
    )


def _superseded_by(item: Ranked) -> str | None:
    if item.superseded_by is None:
        return None
    (path, line), passage = item.superseded_by, item.passage
    # Joined with what replaces it, a passage tells both.
    if path == passage.path and passage.line_start <= line <= passage.line_end:
        return None
    return f"{path}:{line}"


def _explain(item: Ranked, lanes: Lanes) -> dict[str, Any]:
    """Take the score apart: ``(keyword + vector) * decay * time * change``; ``likeness`` only moved the place."""
    chunk = item.passage.chunk_id
    return {
        "keyword": {
            "adds": round(item.fused.keyword, 6),
            "strength": lanes.fts.scores.get(chunk),
            "trust": round(lanes.fts.trust, 6),
        },
        "vector": {
            "adds": round(item.fused.vector, 6),
            "cosine": lanes.vector.raw_scores.get(chunk),
            "trust": round(lanes.vector.trust, 6),
        },
        "fused": round(item.fused.score, 6),
        "decay": round(item.decay, 6),
        "time": round(item.time, 6),
        "change": round(item.change, 6),
        "likeness": round(item.likeness, 6),
    }
