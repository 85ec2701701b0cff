"""Whether a note belongs to a day, and whether it fades (pure)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

# Notes of a day are written to the first of these; the other is what some agents call it.
DAILY_FOLDERS = ("memory", "daily")
DAY_IN_NAME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[-_ ].*)?\.[^.]+", re.DOTALL)
DAY_IN_TEXT = re.compile(r"\s*([0-9]{4})-([0-9]{2})-([0-9]{2})(?:$|[T\s])")


def note_date(path: str) -> date | None:
    """Get the day a file name starts with, such as ``2026-03-09.md`` or ``2026-03-09-standup.md``.

    Args:
        path: Vault-relative path with ``/``; folders do not matter.

    Returns:
        The day, or ``None`` when the name holds none or one that never was, such as 30 February.

    Source: OC-09, CB-25, B057, B093.
    """
    return _real_day(DAY_IN_NAME.fullmatch(path.rpartition("/")[2]))


def note_day(path: str, front_matter: Mapping[str, object]) -> date | None:
    """Get the day a note is about: from its name, else ``date`` or ``created`` of its front matter."""
    named = note_date(path)
    if named:
        return named
    for key in ("date", "created"):
        day = _real_day(DAY_IN_TEXT.match(str(front_matter.get(key, ""))))
        if day:
            return day
    return None


def is_evergreen(path: str, front_matter: Mapping[str, object]) -> bool:
    """Tell whether a note never fades: it has no day in its name, or says so (L2a).

    Args:
        path: Vault-relative path.
        front_matter: ``evergreen: true`` or ``importance: 1..10`` keep a dated note.
    """
    return note_date(path) is None or front_matter.get("evergreen") is True or importance(front_matter) is not None


def importance(front_matter: Mapping[str, object]) -> int | None:
    """Get ``importance`` of the front matter, 1 to 10; ``None`` when it is absent or anything else."""
    value = front_matter.get("importance")
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 2:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 10:
        return value
    return None


def _real_day(found: re.Match[str] | None) -> date | None:
    if found is None:
        return None
    try:
        return date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None
