"""Say why a note is, or is not, among the hits of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from clawvault.index.records import Filters
from clawvault.search.asking.circumstances import Circumstances
from clawvault.search.asking.query import parse_query
from clawvault.search.asking.request import SearchRequest
from clawvault.search.lanes.candidates import SPARE, judge_candidates, keyword_lane, read_passages, vector_lane
from clawvault.search.lanes.in_time import text_to_ask
from clawvault.search.lanes.shipped import find_shipped
from clawvault.search.lanes.view import LaneView
from clawvault.search.searcher import answer
from clawvault.vault.archived import is_archived

IN_ARCHIVE = "The note is in the archive, which a search leaves out; clawvault search --archive looks there too."
AS_SHIPPED = "The note is still as the template made it; such notes answer nothing until somebody edits them."
NOTHING_SHOWN = "No note of the vault matches the question well enough to be shown."


def explain_note(path: str, request: SearchRequest, at: Circumstances) -> dict[str, Any]:
    """Follow one indexed note through the lanes of a question.

    Args:
        path: A note that is in the index.
        request: The question; its filters are honoured for the final rank only.
        at: What the question meets.

    Returns:
        ``verdict`` (one sentence), ``rank`` among the hits or ``None``, and the note's ``chunks`` in order, each with
        its lines, ``fts_rank`` and ``vector_rank`` among all chunks (``None``: the lane does not find it), ``cosine``
        and ``score``.
    """
    n_chunks = max(1, int(at.store.connection.execute("SELECT count(*) FROM chunks").get))
    fts = keyword_lane(
        at.store, at.generation, parse_query(text_to_ask(request, at.today, at.store)), n_chunks, Filters()
    )
    vector = LaneView({}, {})
    if at.backend is not None and at.vector is not None:
        vector = vector_lane(at.store, at.generation, at.backend, at.vector, n_chunks, Filters())
        vector = judge_candidates(at.store, at.generation, at.vector, vector)
    ids = [
        row[0]
        for row in at.store.connection.execute(
            "SELECT c.id FROM chunks c JOIN notes n ON n.id = c.note_id "
            "WHERE n.path = ? AND c.generation = ? ORDER BY c.ordinal",
            (path, at.generation.id),
        )
    ]
    # As deep as any search looks, so that the rank is the one that a search shows.
    result = answer(replace(request, limit=max(request.limit, at.settings.candidates * SPARE)), at)
    hits = [hit for hit in result.hits if hit.path == path]
    chunks = []
    for chunk, passage in read_passages(at.store, ids).items():
        # A chunk may stand in a longer passage, or be shown in part.
        hit = next((hit for hit in hits if hit.text in passage.text or passage.text in hit.text), None)
        chunks.append(
            {
                "line_start": passage.line_start,
                "line_end": passage.line_end,
                "fts_rank": fts.ranks.get(chunk),
                "vector_rank": vector.ranks.get(chunk),
                "cosine": vector.raw_scores.get(chunk),
                "score": hit.score if hit else None,
                "rank": hit.rank if hit else None,
            }
        )
    rank = min((hit.rank for hit in hits), default=None)
    is_refused = not result.hits and request.filters == Filters()
    verdict = NOTHING_SHOWN if is_refused else _verdict(rank, request.limit, chunks)
    if rank is None and not request.archive and is_archived(path):
        verdict = IN_ARCHIVE
    if rank is None and request.path is None and find_shipped(at.store).intersection(ids):
        verdict = AS_SHIPPED
    return {"path": path, "verdict": verdict, "rank": rank, "chunks": chunks}


def _verdict(rank: int | None, limit: int, chunks: Sequence[Mapping[str, Any]]) -> str:
    if not chunks:
        return "The note is indexed but holds no text to find."
    if rank is not None and rank <= limit:
        return f"The note is hit {rank}."
    if rank is not None:
        return f"The note is hit {rank}, below the {limit} shown; ask for more with -n."
    if all(chunk["fts_rank"] is None and chunk["vector_rank"] is None for chunk in chunks):
        return "No word of the question is in the note, and it has no vector to compare."
    if all(chunk["fts_rank"] is None for chunk in chunks):
        return "No word of the question is in the note, and other notes are nearer in meaning."
    return "The note matches, but a filter leaves it out or every lane prefers other notes."
