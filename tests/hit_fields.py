"""The fields of a hit in JSON, in the order of the contract."""

from __future__ import annotations

HIT_FIELDS = [
    "rank",
    "path",
    "line_start",
    "line_end",
    "heading",
    "text",
    "snippet",
    "score",
    "cosine",
    "text_score",
    "fts_rank",
    "vector_rank",
    "is_hybrid_match",
    "date",
    "evergreen",
    "decay",
    "vault",
]
