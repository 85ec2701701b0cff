"""Mark candidates that a later one replaces, and put the later first (limits L18)."""

from __future__ import annotations

from dataclasses import replace

from clawvault.search.claims.superseded import Candidate, find_superseded, order_changes
from clawvault.search.passages.diversity import token_set
from clawvault.search.ranking.ordering import Ranked

# Two statements of what is asked for both stand high; further down, only time would be spent.
MOST_JUDGED = 30


def mark_superseded(ranked: list[Ranked], asked: str) -> list[Ranked]:
    """Return the candidates with what no longer holds marked, right behind what replaces it.

    Whoever asks for the time of the earlier statement, or for a number that only the earlier holds, gets it first,
    marked as replaced.

    Args:
        ranked: Candidates, best first.
        asked: The question.
    """
    judged = [item for item in ranked[:MOST_JUDGED] if item.score > 0]
    replaced = find_superseded([_candidate(item) for item in judged], asked)
    if not replaced:
        return ranked
    moved = {
        older: later
        for older, later in replaced.items()
        if judged[later.newer].time >= judged[older].time and not _is_named(asked, judged[older], judged[later.newer])
    }
    factors = order_changes([item.score for item in judged], moved)
    marked = [replace(item, change=factor) for item, factor in zip(judged, factors, strict=True)]
    for older, (newer, line) in replaced.items():
        marked[older] = replace(marked[older], superseded_by=(judged[newer].passage.path, line))
    places = sorted(range(len(marked)), key=lambda place: (-round(marked[place].score, 9), place in replaced, place))
    return [marked[place] for place in places] + ranked[len(judged) :]


def _is_named(asked: str, older: Ranked, newer: Ranked) -> bool:
    """Say whether the question holds a number that the earlier passage has and the later has not."""
    only = token_set(older.passage.text) - token_set(newer.passage.text)
    return any(any(map(str.isdigit, word)) for word in token_set(asked) & only)


def _candidate(item: Ranked) -> Candidate:
    passage = item.passage
    # A property is of its note alone: that of a later note does not replace it.
    text = "" if passage.in_front_matter else passage.text
    return Candidate(passage.path, passage.date, passage.line_start, text)
