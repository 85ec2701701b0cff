"""Have a search asked for passages of a context or of a lane, by whoever can answer it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clawvault.errors import ClawvaultError
from clawvault.guard.presenting import clean_line

# Takes the fields of a ``SearchRequest`` and gives what ``SearchResult.to_dict`` does.
Ask = Callable[[dict[str, Any]], Mapping[str, Any]]
# Many hits may fall to the filters of a lane, so more are asked for than are shown (MN-49).
FETCHED_PER_PASSAGE = 8
LEAST_FETCHED = 64


def fetch_hits(
    ask: Ask, fields: dict[str, Any], n_passages: int
) -> tuple[Sequence[Mapping[str, Any]], tuple[str, ...]]:
    """Ask for enough hits that filters starve no passage; without a question, for none.

    Args:
        ask: Answers a search.
        fields: Of the search: ``query``, and whatever narrows it.
        n_passages: How many are to be shown.

    Returns:
        The hits, best first, and what was missing. Memory is best effort, so a search that fails is no error.

    Source: MN-46, MN-49.
    """
    if not fields["query"].strip():
        return (), ()
    n_hits = max(LEAST_FETCHED, FETCHED_PER_PASSAGE * n_passages)
    try:
        found = ask({**fields, "limit": n_hits, "asked_by": "context"})
    except (ClawvaultError, OSError) as error:
        return (), (f"no passages: {clean_line(str(error))}",)
    return found["hits"], tuple(found["degraded"])
