"""What a model wants put before a question and before a passage, where its own files do not say."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Hold the text put before each question and each passage."""

    query: str = ""
    passage: str = ""


# From each model's card; a model that was trained with prefixes loses several points without them.
_KNOWN: tuple[tuple[re.Pattern[str], Prefixes], ...] = (
    (re.compile(r"^intfloat/(multilingual-)?e5-(small|base|large)(-v2)?$"), Prefixes("query: ", "passage: ")),
    (
        re.compile(r"^BAAI/bge-(small|base|large)-en(-v1\.5)?$"),
        Prefixes("Represent this sentence for searching relevant passages: "),
    ),
    (re.compile(r"^(nomic-ai/)?nomic-embed-text(-v1(\.5)?)?(:\S+)?$"), Prefixes("search_query: ", "search_document: ")),
    (
        re.compile(r"^(mixedbread-ai/)?mxbai-embed-large(-v1)?(:\S+)?$"),
        Prefixes("Represent this sentence for searching relevant passages: "),
    ),
)


def known_prefixes(model: str) -> Prefixes:
    """Look up the prefixes a model's card asks for.

    Args:
        model: Full name of the model, as the hub or the server spells it.

    Returns:
        The prefixes; empty ones for a model that is not known.
    """
    return next((prefixes for pattern, prefixes in _KNOWN if pattern.match(model)), Prefixes())
