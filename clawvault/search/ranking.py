"""Order the fused candidates: decay, then copies; variety comes after (OC-31: freshness outranks it)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from clawvault.search.circumstances import Circumstances
from clawvault.search.decay import decay_factor
from clawvault.search.diversity import normalised
from clawvault.search.fusion import Fused, LaneView
from clawvault.search.lanes import Passage


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate on its way to a hit.

    ``decay`` is a factor, 0..1; ``copies`` counts passages with the same text, itself included, and ``copy_paths``
    names the notes of the others; ``likeness`` is that to the nearest hit before it, 0..1; ``merged`` counts the chunks
    that its passage is made of; ``more_in_note`` the other candidates of its note, where each note is shown once.
    """

    passage: Passage
    fused: Fused
    decay: float
    copies: int = 1
    likeness: float = 0.0
    copy_paths: tuple[str, ...] = ()
    merged: int = 1
    more_in_note: int = 0

    @property
    def score(self) -> float:
        """Return the score shown, 0..1."""
        return self.fused.score * self.decay


def rank_candidates(
    fused: Mapping[int, Fused], passages: Mapping[int, Passage], fts: LaneView, at: Circumstances
) -> list[Ranked]:
    """Decay and order candidates, drop those whose note is gone, and collapse equal texts (B089, B095)."""
    ranked = [
        Ranked(passages[chunk], item, _decay(passages[chunk], item.score, at))
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


def _collapse(ranked: Sequence[Ranked]) -> list[Ranked]:
    first: dict[str, int] = {}
    kept: list[Ranked] = []
    for item in ranked:
        key = normalised(item.passage.text)
        if key in first:
            shown = kept[first[key]]
            paths = (*shown.copy_paths, item.passage.path)
            kept[first[key]] = replace(shown, copies=shown.copies + 1, copy_paths=paths)
        else:
            first[key] = len(kept)
            kept.append(item)
    return kept
