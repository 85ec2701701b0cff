"""Tell which of two passages states what no longer holds: pure (limits L18, IW-104, TC-20)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from clawvault.search.asking.query import STOP_WORDS
from clawvault.search.claims.reading import Claim, read_claims
from clawvault.search.passages.diversity import token_set

# A value that is written down on more days than this is a series, not a fact that changed.
MOST_DAYS = 4
MOST_DAYS_OF_FORM = 2
MOST_STATEMENTS = 20
SHORT_CHARS = 300
_SUPERSEDES = re.compile(r"(?i)(?<!\w)supersedes\s?:{0,2}\s?((?:\[\[[^\[\]\n]{1,200}\]\][,\s]{0,3})+)")
_TARGET = re.compile(r"\[\[([^\[\]|#]+)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One passage as it is judged: ``date`` is the ISO day of its note, ``line_start`` 1-based."""

    path: str
    date: str | None
    line_start: int
    text: str


class Replacement(NamedTuple):
    """Which candidate replaces another, and where it says so (1-based line of its note)."""

    newer: int
    line: int


class _Said(NamedTuple):
    """A claim with where it stands: ``place`` in the list, ``line`` in the note."""

    place: int
    line: int
    claim: Claim


def find_superseded(candidates: Sequence[Candidate], asked: str) -> dict[int, Replacement]:
    """Find candidates that a later one replaces.

    Two statements meet when they are of the same subject in the same respect with another value, and of different
    days, or of different lines of one dated note. Notes without a day are only replaced by a statement that names what
    it replaces, or by a link: when they were written is not known.

    Args:
        candidates: Passages, best first.
        asked: The question; of a long passage only statements that share a word with it count.

    Returns:
        By place in the list: what replaces it.
    """
    replaced = dict(_linked(candidates))
    said = _read(candidates, asked, dated=True)
    if any(item.claim.old for item in said):
        said += _read(candidates, asked, dated=False)
    groups: dict[tuple[frozenset[str], str], list[_Said]] = defaultdict(list)
    for item in said:
        groups[item.claim.subject, "is" if item.claim.is_form else item.claim.about].append(item)
    for group in groups.values():
        if len(group) > 1 and not _is_series(group, candidates):
            for place, replacement in _replaced(group, candidates):
                replaced.setdefault(place, replacement)
    return replaced


def _read(candidates: Sequence[Candidate], asked: str, *, dated: bool) -> list[_Said]:
    words = [word[:5] for word in token_set(asked) if word not in STOP_WORDS]
    return [
        _Said(place, candidate.line_start + claim.line, claim)
        for place, candidate in enumerate(candidates)
        if bool(candidate.date) == dated
        for claim in read_claims(candidate.text if len(candidate.text) <= SHORT_CHARS else _keep(candidate.text, words))
    ]


def _is_series(group: Sequence[_Said], candidates: Sequence[Candidate]) -> bool:
    days = {candidates[item.place].date for item in group}
    return len(group) > MOST_STATEMENTS or len(days) > (
        MOST_DAYS_OF_FORM if any(item.claim.is_form for item in group) else MOST_DAYS
    )


def _replaced(group: Sequence[_Said], candidates: Sequence[Candidate]) -> Iterator[tuple[int, Replacement]]:
    """Yield what the latest statement of a group replaces; nothing when it is not clear which is the latest."""
    for one, other in combinations(group, 2):
        if _order(one, other, candidates) is None and one.claim.value != other.claim.value:
            return
    latest = group[0]
    for item in group[1:]:
        if _order(latest, item, candidates) == -1:
            latest = item
    for item in group:
        if item.place != latest.place and _is_other_value(item.claim, latest.claim):
            yield item.place, Replacement(latest.place, latest.line)


def _order(one: _Said, other: _Said, candidates: Sequence[Candidate]) -> int | None:
    """Return -1 when the first is the earlier, 1 when it is the later, ``None`` when that is not known."""
    first, second = candidates[one.place], candidates[other.place]
    if first.date and second.date and first.date != second.date:
        return -1 if first.date < second.date else 1
    if first.date and first.path == second.path and one.line != other.line:
        return -1 if one.line < other.line else 1
    if other.claim.old and other.claim.old <= one.claim.value and not (first.date and second.date):
        return -1
    if one.claim.old and one.claim.old <= other.claim.value and not (first.date and second.date):
        return 1
    return None


def _is_other_value(earlier: Claim, later: Claim) -> bool:
    if earlier.value <= later.value or later.value <= earlier.value:
        return False
    if later.old:
        return bool(later.old & earlier.value) or not later.about.startswith("~")
    shared = bool(earlier.value & later.value)
    return shared if later.about.startswith("~") else _is_same_kind(earlier.value, later.value)


def _is_same_kind(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether both values hold a number or neither does: "5433" does not replace "PostgreSQL"."""
    return any(word[0].isdigit() for word in one) == any(word[0].isdigit() for word in other)


def _keep(text: str, words: Sequence[str]) -> str:
    """Blank the lines of a text that hold no word asked for, but not the ends of code."""
    return "\n".join(
        line if any(word in line.lower() for word in words) or line.lstrip().startswith(("```", "~~~")) else ""
        for line in text.split("\n")
    )


def _linked(candidates: Sequence[Candidate]) -> Iterator[tuple[int, Replacement]]:
    """Yield the passages of notes that another says it supersedes."""
    for newer, candidate in enumerate(candidates):
        if "[[" not in candidate.text:
            continue
        for found in _SUPERSEDES.finditer(candidate.text):
            targets = {target.strip().lower().removesuffix(".md") for target in _TARGET.findall(found[1])}
            line = candidate.line_start + candidate.text.count("\n", 0, found.start())
            for place, other in enumerate(candidates):
                if other.path != candidate.path and _names(other.path) & targets:
                    yield place, Replacement(newer, line)


def _names(path: str) -> frozenset[str]:
    whole = path.lower().rpartition(".")[0] or path.lower()
    return frozenset({whole, whole.rpartition("/")[2]})


def order_changes(scores: Sequence[float], replaced: Mapping[int, Replacement]) -> list[float]:
    """Return factors that put each passage right behind what replaces it, and take no other's place.

    Args:
        scores: Of the candidates, best first.
        replaced: What ``find_superseded`` returned.

    Returns:
        One factor a candidate, above 0: the later takes the score of the best one it replaces, where that is higher.
    """
    factors = [1.0] * len(scores)
    best: dict[int, float] = defaultdict(float)
    for older, (newer, _) in replaced.items():
        best[newer] = max(best[newer], scores[older])
    for newer, score in best.items():
        if scores[newer] > 0:
            factors[newer] = max(1.0, score / scores[newer])
    for older, (newer, _) in replaced.items():
        above = scores[newer] * factors[newer]
        if scores[older] * factors[older] >= above > 0:
            factors[older] = 0.99 * above / scores[older]
    return factors
