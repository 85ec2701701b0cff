"""Which recalled statements deserve to stay, and why the others do not: pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

from clawvault.dream.recall.recalls import Trace
from clawvault.dream.recall.statements import Statement
from clawvault.dream.scoring.concepts import concept_tags
from clawvault.dream.scoring.score import WEIGHTS, Gates, Score, failed_gates, is_long_interval, score_trace
from clawvault.dream.scoring.sentence_like import find_shape_problem, is_generated
from clawvault.dream.scoring.sources import Source
from clawvault.keeping.likeness import NEARLY, find_alike, likeness

REASONS = {
    "score": "the score is below the gate",
    "recalls": "it was found too seldom",
    "queries": "too few different questions found it",
    "days": "it was found on too few days",
    "too_old": "it was not found for a month",
    "source_changed": "its note no longer says it",
    "not_dated": "its note does not fade",
    "untrusted": "it is not its owner's text",
    "generated": "a program wrote it",
    "secret": "it holds a secret",
    "flagged": "it may steer a model",
    "fragment": "it does not stand alone",
    "already_there": "long-term memory says it",
    "taken_back": "a person took it back",
    "duplicate": "another candidate says it",
    "budget": "it waits for the next run",
}
# Reasons that a person may overrule: the rest is about what must never be written, or is there.
OVERRULED = frozenset(
    {"score", "recalls", "queries", "days", "too_old", "not_dated", "untrusted", "fragment", "taken_back"}
)
NUMBERS = frozenset({"score", "recalls", "queries", "days", "too_old"})
Locate = Callable[[Trace], tuple[Source, Statement] | None]


class Candidate(NamedTuple):
    """One statement that was recalled.

    Attributes:
        key: Its claim hash.
        text: The line that would be written; empty when nothing says it any more.
        path: Its note.
        line_start: 1-based line there.
        line_end: Inclusive.
        trace: Its recalls.
        score: What they make.
        tags: Its concepts.
        reasons: Codes of ``REASONS`` why it is not promoted, in that order; none when it is.
        details: What there is to say about a reason, by its code.
        also: Other places that say the same, ``path:line``.
    """

    key: str
    text: str
    path: str
    line_start: int
    line_end: int
    trace: Trace
    score: Score
    tags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    details: Mapping[str, str] = MappingProxyType({})
    also: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Say whether nothing speaks against it."""
        return not self.reasons

    def rejected(self, code: str, detail: str = "") -> Candidate:
        """Return it with one more reason."""
        codes = {*self.reasons, code}
        details = {**self.details, code: detail} if detail else self.details
        return self._replace(reasons=tuple(known for known in REASONS if known in codes), details=details)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "key": self.key,
            "text": self.text,
            "path": self.path,
            "line_start": self.line_start,
            "line_end": self.line_end,
            "score": round(self.score.best, 6),
            "signals": {name: round(self.score.signals[name], 6) for name in WEIGHTS},
            "weights": WEIGHTS,
            "total": round(self.score.total, 6),
            "rare": None if self.score.rare is None else round(self.score.rare, 6),
            "long_interval": is_long_interval(self.trace),
            "recalls": self.trace.recalls,
            "queries": len(self.trace.queries),
            "days": [day.isoformat() for day in self.trace.days],
            "mean_score": round(self.trace.mean_score, 6),
            "mean_strength": round(self.trace.mean_strength, 6),
            "tags": list(self.tags),
            "passes": self.passes,
            "reasons": [{"code": code, "why": self.details.get(code) or REASONS[code]} for code in self.reasons],
            "also": list(self.also),
        }


class KnownNotes(NamedTuple):
    """What the long-term memory note and the topic notes say.

    Attributes:
        claims: Hashes of what was promoted into them.
        texts: Their texts by path.
    """

    claims: frozenset[str] = frozenset()
    texts: Mapping[str, str] = MappingProxyType({})


class Known(NamedTuple):
    """What long-term memory holds already.

    Attributes:
        claims: Hashes of everything that is known to have been promoted.
        taken_back: Those of them that a person took back.
        read_notes: Gives what the notes say, the same each time; asked for the first candidate that nothing else
            speaks against, since there may be thousands of them.
    """

    claims: frozenset[str] = frozenset()
    taken_back: frozenset[str] = frozenset()
    read_notes: Callable[[], KnownNotes] = KnownNotes


def weigh(
    traces: Mapping[str, Trace],
    locate: Locate,
    known: Known,
    today: date,
    gates: Gates,
    accepted: frozenset[str] = frozenset(),
    most_failing: int | None = None,
) -> list[Candidate]:
    """Weigh every recalled statement.

    Args:
        traces: By claim.
        locate: Finds a statement in the notes as they are now.
        known: What is promoted already.
        today: The local day.
        gates: The thresholds.
        accepted: Claims that a person wants to be kept whatever their numbers are.
        most_failing: Of those that fail a gate, only so many of the best; ``None`` is all of them.

    Returns:
        The best first; equal ones in order of place.

    Source: OC-42..56, L22, L23, I36, I38, I39, B131, B133.
    """
    placed = [_place(trace, locate(trace), today) for trace in traces.values()]
    placed.sort(key=lambda one: (-one.item.score.best, one.item.path, one.item.line_start, one.item.key))
    found: list[Candidate] = []
    n_failing = 0
    for one in placed:
        failed = failed_gates(one.item.trace, one.item.score, today, gates)
        if failed and one.item.key not in accepted:
            n_failing += 1
            if most_failing is not None and n_failing > most_failing:
                continue
        found.append(_judge(one, failed, known, accepted))
    return _merge([_compare_with_memory(item, known) for item in found])


class _Placed(NamedTuple):
    """A candidate without its reasons, and where it stands."""

    item: Candidate
    place: tuple[Source, Statement] | None


def _place(trace: Trace, place: tuple[Source, Statement] | None, today: date) -> _Placed:
    said = place[1] if place else None
    path, text = (place[0].path, place[1].text) if place else (trace.path, "")
    tags = concept_tags(path, text)
    score = score_trace(trace, today, len(tags))
    first, last = (said.line_start, said.line_end) if said else (trace.line, trace.line)
    return _Placed(Candidate(trace.claim, text, path, first, last, trace, score, tags), place)


def _judge(placed: _Placed, failed: Sequence[str], known: Known, accepted: frozenset[str]) -> Candidate:
    item = placed.item
    reasons = dict.fromkeys(failed, "")
    reasons |= source_reasons(*placed.place) if placed.place else {"source_changed": ""}
    if item.key in known.taken_back:
        reasons["taken_back"] = ""
    elif item.key in known.claims:
        reasons["already_there"] = ""
    for code, detail in reasons.items():
        if item.key not in accepted or code not in OVERRULED:
            item = item.rejected(code, detail)
    return item


def source_reasons(source: Source, said: Statement) -> dict[str, str]:
    """Return what speaks against a statement as it stands in its note, as words by code of ``REASONS``."""
    reasons: dict[str, str] = {}
    if not source.is_dated:
        reasons["not_dated"] = ""
    if source.untrusted or said.kind == "quote":
        reasons["untrusted"] = source.untrusted or "it is quoted"
    if source.is_generated or is_generated(said):
        reasons["generated"] = ""
    if source.touches(said, source.secret):
        reasons["secret"] = ""
    if source.touches(said, source.flagged):
        reasons["flagged"] = ""
    if problem := find_shape_problem(said):
        reasons["fragment"] = f"it does not stand alone: {problem}"
    return reasons


def _compare_with_memory(item: Candidate, known: Known) -> Candidate:
    # Reading every known note for candidates that are out anyway would take long.
    if not item.passes:
        return item
    notes = known.read_notes()
    if item.key in notes.claims and item.key not in known.taken_back:
        return item.rejected("already_there")
    for path, text in notes.texts.items():
        alike = find_alike(text, item.text)
        if alike is not None:
            same = "says it" if alike.score == 1.0 else "says nearly the same; change that line if it no longer holds"
            return item.rejected("already_there", f'line {alike.line} of "{path}" {same}')
    return item


def _merge(items: Sequence[Candidate]) -> list[Candidate]:
    """Let one of several candidates stand that say nearly the same: that of the newest note, which may correct them."""
    passing = [item for item in items if item.passes]
    stands: dict[str, Candidate] = {item.key: item for item in items}
    for item in sorted(passing, key=lambda one: (_day(one), one.line_start, one.key), reverse=True):
        if not stands[item.key].passes:
            continue
        for other in passing:
            if other.key != item.key and stands[other.key].passes and likeness(item.text, other.text) >= NEARLY:
                place = f"{other.path}:{other.line_start}"
                stands[item.key] = stands[item.key]._replace(also=(*stands[item.key].also, place))
                stands[other.key] = other.rejected("duplicate", f'"{item.path}" says it in line {item.line_start}')
    return [stands[item.key] for item in items]


def _day(item: Candidate) -> str:
    return item.path.rpartition("/")[2]


def choose(
    items: Sequence[Candidate], *, max_entries: int, max_bytes: int, size_of: Callable[[Candidate], int]
) -> list[Candidate]:
    """Keep what one run may write; the rest waits (I37).

    Args:
        items: As ``weigh`` returns them.
        max_entries: Most entries.
        max_bytes: Most bytes of all of them.
        size_of: Bytes of the line of a candidate.

    Returns:
        The same candidates; those that no longer pass have the reason ``budget``.
    """
    left, room = max_entries, max_bytes
    chosen = []
    for item in items:
        if not item.passes:
            chosen.append(item)
            continue
        size = size_of(item)
        if left <= 0 or size > room:
            chosen.append(item.rejected("budget"))
            continue
        left, room = left - 1, room - size
        chosen.append(item)
    return chosen
