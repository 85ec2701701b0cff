"""What became of each night on this machine (I34, B133)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from clawvault.dream.machines.state_lists import read_list, write_list

NIGHTS = "nights.json"
KEPT_NIGHTS = 400
EMPTY_NIGHTS = 7


@dataclass(frozen=True, slots=True)
class Night:
    """What one run of the daemon did.

    Attributes:
        day: Its local day.
        finished: It came to its end; one that did not is tried again.
        attempts: How often it was begun.
        at: When it ended, ISO 8601.
        applied: It was to write, not only to look.
        promoted: How many statements it wrote.
        candidates: How many it weighed.
        reasons: How many were rejected for each reason.
        problem: Why nothing could be written; empty when it could.
    """

    day: str
    finished: bool = False
    attempts: int = 0
    at: str = ""
    applied: bool = False
    promoted: int = 0
    candidates: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    problem: str = ""


def read_nights(state: Path) -> list[Night]:
    """Return the nights of this machine, the oldest first."""
    nights = []
    for raw in read_list(state / NIGHTS):
        with suppress(TypeError, ValueError):
            night = Night(**raw)
            date.fromisoformat(night.day)
            nights.append(night)
    return sorted(nights, key=lambda night: night.day)


def write_night(state: Path, night: Night) -> None:
    """Write down what became of a night, in place of what was known of it."""
    others = [known for known in read_nights(state) if known.day != night.day]
    kept = sorted([*others, night], key=lambda known: known.day)[-KEPT_NIGHTS:]
    write_list(state / NIGHTS, [asdict(known) for known in kept])


def count_empty_nights(nights: Sequence[Night]) -> int:
    """Return how many of the last runs that were to write wrote nothing, in a row."""
    count = 0
    for night in reversed([night for night in nights if night.finished and night.applied]):
        if night.promoted:
            break
        count += 1
    return count


def describe_nights(nights: Sequence[Night], *, applies: bool) -> dict[str, Any]:
    """Return what status says of dreaming: the last run, and what it means when nothing is ever promoted (B133)."""
    last = nights[-1] if nights else None
    empty = count_empty_nights(nights)
    said = ""
    if applies and empty >= EMPTY_NIGHTS:
        reasons: dict[str, int] = {}
        for night in [night for night in nights if night.finished][-empty:]:
            for code, count in night.reasons.items():
                reasons[code] = max(count, reasons.get(code, 0))
        most = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        why = ", ".join(f"{code} {count}" for code, count in most) or "no statement of a dated note was found"
        said = f"nothing promoted for {empty} nights ({why})"
    return {
        "applies": applies,
        "last_run": None if last is None else asdict(last),
        "empty_nights": empty,
        "warning": said,
    }
