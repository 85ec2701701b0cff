"""Order the fused candidates: decay, copies, variety (OC-31: freshness outranks variety)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from clawvault.config import SearchSettings
from clawvault.search.circumstances import Circumstances
from clawvault.search.decay import decay_factor
from clawvault.search.diversity import normalised, order_by_variety, token_set
from clawvault.search.fusion import Fused, LaneView
from clawvault.search.lanes import Passage
from clawvault.search.request import SearchRequest


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate on its way to a hit.

    ``decay`` is a factor, 0..1; ``copies`` counts passages with the same text, itself included; ``likeness`` is that to
    the nearest hit before it, 0..1.
    """

    passage: Passage
    fused: Fused
    decay: float
    copies: int = 1
    likeness: float = 0.0

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
            kept[first[key]] = replace(kept[first[key]], copies=kept[first[key]].copies + 1)
        else:
            first[key] = len(kept)
            kept.append(item)
    return kept


def choose_hits(ranked: list[Ranked], request: SearchRequest, settings: SearchSettings) -> list[Ranked]:
    """Choose what is shown: the best of each note where asked, and not the same twice (OC-26)."""
    if request.group == "note":
        best: dict[str, Ranked] = {}
        for item in ranked:
            best.setdefault(item.passage.path, item)
        ranked = list(best.values())
    if not settings.mmr or not ranked:
        return ranked[: request.limit]
    pool, rest = ranked[: settings.candidates], ranked[settings.candidates :]
    tokens = [token_set(item.passage.text) for item in pool]
    # As shares of the best: otherwise likeness would outweigh everything where all scores are low.
    top = ranked[0].score or 1.0
    shares = [item.score / top for item in pool]
    chosen = order_by_variety(shares, tokens, weight=settings.mmr_lambda, limit=request.limit)
    return ([replace(pool[index], likeness=likeness) for index, likeness in chosen] + rest)[: request.limit]
