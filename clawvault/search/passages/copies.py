"""Give passages with the same text one place among the hits: pure (B089)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from clawvault.search.passages.diversity import normalised, opening
from clawvault.search.ranking.ordering import Ranked

# Copies this near in score differ only by what stands around them, their title above all.
NEARLY = 0.95
NEVER_OLD = "9999-12-31"


def collapse_copies(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Keep one candidate of each text, and say where else it stands.

    Args:
        ranked: Candidates, best first.

    Returns:
        Candidates, best first. Of copies that score nearly the same the one without a date is kept, else the newest,
        else the best; ``copy_paths`` names the notes of the others in that order too.
    """
    openings = [() if item.passage.in_front_matter else opening(item.passage.text) for item in ranked]
    n_alike = Counter(openings)
    copies: dict[str | int, list[Ranked]] = {}
    for place, (item, first) in enumerate(zip(ranked, openings, strict=True)):
        # What begins like nothing else needs no further look. Notes with the same property, or without text, are not
        # the same: which note it is says all.
        key = normalised(item.passage.text) if first and n_alike[first] > 1 else place
        copies.setdefault(key, []).append(item)
    return sorted((_kept(same) for same in copies.values()), key=lambda item: -round(item.score, 9))


def _kept(same: list[Ranked]) -> Ranked:
    if len(same) == 1:
        return same[0]
    new_first = sorted(same, key=lambda item: item.passage.date or NEVER_OLD, reverse=True)
    shown = next(item for item in new_first if item.score >= NEARLY * same[0].score)
    others = tuple(item.passage.path for item in new_first if item is not shown)
    return replace(shown, copies=len(same), copy_paths=others)
