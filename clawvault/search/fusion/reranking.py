"""Let a model that reads question and passage together judge the first candidates: pure but for that model."""

from __future__ import annotations

import math
from collections.abc import Mapping

from clawvault.embed.protocol import Reranker
from clawvault.errors import EmbedderError
from clawvault.search.fusion.joining import Fused
from clawvault.search.lanes.candidates import Passage

RERANKER_WEIGHT = 0.7


def rerank(
    question: str, fused: Mapping[int, Fused], passages: Mapping[int, Passage], reranker: Reranker, top: int
) -> tuple[Mapping[int, Fused], str]:
    """Score the best candidates anew, before they are decayed.

    Args:
        question: As it was asked.
        fused: What each lane adds, by chunk.
        passages: The rows of those that may be shown.
        reranker: Reads the passages.
        top: How many of the best it reads.

    Returns:
        The candidates, and why they are as they were, empty when they are not.
    """
    best = sorted(
        passages.keys() & fused.keys(),
        key=lambda chunk: (-round(fused[chunk].score, 9), passages[chunk].path, passages[chunk].line_start, chunk),
    )[:top]
    if not best:
        return fused, ""
    try:
        scores = reranker.score(question, [passages[chunk].text for chunk in best])
    except EmbedderError as error:
        return fused, f"reranking off: {error.message}"
    return blend(fused, dict(zip(best, scores, strict=True))), ""


def blend(fused: Mapping[int, Fused], raw: Mapping[int, float]) -> dict[int, Fused]:
    """Return ``0.3 (keyword + vector) + 0.7 sigmoid(raw)``; what was not read gets nothing for the second part.

    So no candidate that was not read passes one that was, and every score stays within 0..1.
    """
    rest = 1 - RERANKER_WEIGHT
    return {
        chunk: item._replace(
            keyword=rest * item.keyword,
            vector=rest * item.vector,
            reranker=RERANKER_WEIGHT * _sigmoid(raw[chunk]) if chunk in raw else 0.0,
            raw=raw.get(chunk),
        )
        for chunk, item in fused.items()
    }


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(min(700.0, -value)))
