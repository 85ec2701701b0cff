"""Choose what is shown of the ranked candidates: variety, one of each note where asked, neighbours as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, takewhile

from clawvault.config import SearchSettings
from clawvault.guard.findings import worst_first
from clawvault.search.asking.request import SearchRequest
from clawvault.search.passages.diversity import order_by_variety, token_set
from clawvault.search.passages.merging import Merged, Stretch, merge_neighbours
from clawvault.search.ranking.ordering import Ranked


def choose_hits(ranked: list[Ranked], request: SearchRequest, settings: SearchSettings) -> list[Ranked]:
    """Choose what is shown, and not the same twice (OC-26).

    Args:
        ranked: Candidates, best first.
        request: The question; ``group`` and ``limit`` count here.
        settings: The vault's; ``mmr``, ``mmr_lambda`` and ``candidates`` count here.

    Returns:
        At most ``request.limit`` passages in the order shown; asking for more only makes the list longer.
    """
    if request.group == "note":
        return list(islice(_vary(_best_of_each_note(ranked), settings), request.limit))
    read: list[Ranked] = []

    def stretches() -> Iterator[Stretch]:
        for item in _vary(ranked, settings):
            read.append(item)
            yield _stretch(item)

    return [_shown(merged, read) for merged in merge_neighbours(stretches(), request.limit)]


def _best_of_each_note(ranked: list[Ranked]) -> list[Ranked]:
    # Candidates without any score are there to fill the list, not because they match.
    matches = Counter(item.passage.path for item in ranked if item.score > 0)
    best: dict[str, Ranked] = {}
    for item in ranked:
        best.setdefault(item.passage.path, item)
    return [replace(item, more_in_note=max(0, matches[path] - 1)) for path, item in best.items()]


def _vary(ranked: list[Ranked], settings: SearchSettings) -> Iterator[Ranked]:
    """Yield candidates in the order of variety; those beyond the pool follow by score."""
    if not settings.mmr or not ranked:
        yield from ranked
        return
    # What has no score at all would be chosen for being unlike, which says nothing for it.
    pool = [item for item in ranked[: settings.candidates] if item.score > 0]
    # As shares of the best: otherwise likeness would outweigh everything where all scores are low.
    top = ranked[0].score or 1.0
    scores = [item.score / top for item in pool]

    def tokens(index: int) -> frozenset[str]:
        return token_set(pool[index].passage.text)

    for index, likeness in order_by_variety(scores, tokens, weight=settings.mmr_lambda):
        yield replace(pool[index], likeness=likeness)
    yield from ranked[len(pool) :]


def _stretch(item: Ranked) -> Stretch:
    passage = item.passage
    return Stretch(
        path=passage.path,
        start=passage.char_start,
        end=passage.char_start + len(passage.text),
        line_start=passage.line_start,
        line_end=passage.line_end,
        text=passage.text,
        copies=tuple(sorted(item.copy_paths)),
        score=item.score,
    )


def _shown(merged: Merged, read: list[Ranked]) -> Ranked:
    item, stretch = read[merged.place], merged.stretch
    if stretch.text == item.passage.text:
        return item
    passage = replace(
        item.passage,
        line_start=stretch.line_start,
        line_end=stretch.line_end,
        heading=_shared_start([read[place].passage.heading for place in merged.chunks]),
        text=stretch.text,
        flags=worst_first(flag for place in merged.chunks for flag in read[place].passage.flags),
    )
    return replace(item, passage=passage, merged=len(merged.chunks), best_text=item.passage.text)


def _shared_start(headings: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the headings that all chunks stand under; those further in stand in the passage itself."""
    levels = zip(*headings, strict=False)
    return tuple(titles[0] for titles in takewhile(lambda titles: len(set(titles)) == 1, levels))
