"""Order the fused candidates by score and age; variety comes after (OC-31: freshness outranks it)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from clawvault.search.asking.circumstances import Circumstances
from clawvault.search.fusion.joining import Fused
from clawvault.search.lanes.candidates import Passage
from clawvault.search.lanes.view import LaneView
from clawvault.search.ranking.decay import decay_factor, fade, time_share
from clawvault.search.time_words.day_spans import Span

# The best match keeps a place among so many hits, whatever time was asked for.
KEPT_PLACES = 5
SURE_TRUST = 0.5
KEPT_DAYS = 4096


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate on its way to a hit.

    ``decay`` and ``time`` are factors, 0..1; ``copies`` counts passages with the same text, itself included, and
    ``copy_paths`` names the notes of the others; ``likeness`` is that to the nearest hit before it, 0..1; ``merged``
    counts the chunks that its passage is made of, and ``best_text`` is that of the best of them, empty where there is
    one; ``more_in_note`` the other candidates of its note, where each note is shown once. ``change`` is a factor above
    0 that puts a later statement before the one it replaces, and ``superseded_by`` the path and line of the later.
    """

    passage: Passage
    fused: Fused
    decay: float
    copies: int = 1
    likeness: float = 0.0
    copy_paths: tuple[str, ...] = ()
    merged: int = 1
    best_text: str = ""
    more_in_note: int = 0
    time: float = 1.0
    change: float = 1.0
    superseded_by: tuple[str, int] | None = None

    @property
    def score(self) -> float:
        """Return the score shown, 0..1."""
        return self.fused.score * self.decay * self.time * self.change


def rank_candidates(
    fused: Mapping[int, Fused],
    passages: Mapping[int, Passage],
    fts: LaneView,
    at: Circumstances,
    span: Span | None = None,
) -> list[Ranked]:
    """Decay and order candidates, and drop those whose note is gone (B095).

    Args:
        fused: What each lane adds, by chunk.
        passages: Their rows; a chunk without one is dropped.
        fts: The keyword lane, whose order settles ties.
        at: What the question meets.
        span: The days that the question asks for.

    Returns:
        Candidates, best first.
    """
    ranked = [
        Ranked(passages[chunk], item, _decay(passages[chunk], item.score, at, span), time=_time(passages[chunk], span))
        for chunk, item in fused.items()
        if chunk in passages and passages[chunk].path not in at.gone and item.score >= at.settings.min_score
    ]
    ranked = _in_order(ranked, fts)
    if span is not None:
        ranked = _in_order(_keep_strongest(ranked, fts), fts)
    return ranked


def _in_order(ranked: list[Ranked], fts: LaneView) -> list[Ranked]:
    # Where scores tie, exact words win, then what is new.
    last = len(ranked) + len(fts.ranks) + 1
    new = date.max.toordinal()
    return sorted(
        ranked,
        key=lambda item: (
            -round(item.score, 9),
            fts.ranks.get(item.passage.chunk_id, last),
            -(day.toordinal() if (day := _day(item.passage)) else new),
            item.passage.path,
            item.passage.line_start,
            item.passage.chunk_id,
        ),
    )


def _keep_strongest(ranked: list[Ranked], fts: LaneView) -> list[Ranked]:
    """Let the strongest match, and the best one by words, lose no more to time than a place among the first."""
    if len(ranked) <= KEPT_PLACES:
        return ranked
    strongest = {max(ranked, key=lambda item: item.fused.score).passage.chunk_id}
    if fts.trust >= SURE_TRUST:
        strongest.update(chunk for chunk, rank in fts.ranks.items() if rank == 1)
    needed = ranked[KEPT_PLACES - 1].score
    return [
        replace(item, time=min(1.0, item.time * needed / item.score))
        if item.passage.chunk_id in strongest and 0 < item.score < needed
        else item
        for item in ranked
    ]


def _time(passage: Passage, span: Span | None) -> float:
    if span is None:
        return 1.0
    text = "\n".join((*passage.heading, passage.text))
    return time_share(_day(passage), text, span, evergreen=passage.evergreen)


def _decay(passage: Passage, score: float, at: Circumstances, span: Span | None) -> float:
    if at.settings.decay == "off":
        return 1.0
    day, evergreen = _day(passage), passage.evergreen and at.settings.decay == "dated"
    half_life = at.settings.half_life_days
    # The better the match, the less it may fade; among notes that are all old the order stays (limits L2).
    floor = at.settings.decay_floor * score
    if span is not None and day is not None and not evergreen:
        # Who asks for a time does not ask for what is new: age counts from the days asked for.
        return fade(span.distance(day), half_life_days=half_life, floor=floor)
    return decay_factor(day, at.today, evergreen=evergreen, half_life_days=half_life, floor=floor)


def _day(passage: Passage) -> date | None:
    return None if passage.date is None else _parse_day(passage.date)


@lru_cache(maxsize=KEPT_DAYS)
def _parse_day(day: str) -> date:
    return date.fromisoformat(day)
