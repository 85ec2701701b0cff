"""How much an episode counts as it grows old, or lies outside the time asked for: pure (OC-29, OC-30, CB-38)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from clawvault.search.time_words.day_spans import Span

# A passage inside the time asked for passes one outside only where its match is at least half as strong. Notes without
# a day may well be of that time: they stand between.
OUTSIDE = 0.5
UNKNOWN = 0.75
# What happened on a day is often written down some days later.
SOON_AFTER = 0.9
SOON_DAYS = 7
_ISO_DAY = re.compile("(?<![0-9-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9-])")


def decay_factor(day: date | None, today: date, *, evergreen: bool, half_life_days: float, floor: float = 0.0) -> float:
    """Return what share of its score a passage keeps.

    Args:
        day: The day of the note; ``None`` does not fade.
        today: The day of the question; a note of a later day counts as new (I27).
        evergreen: Whether the passage is exempt.
        half_life_days: Days until the share is one half, above 0.
        floor: The share is never lower, 0..1; a strong match has one (limits L2).

    Returns:
        1.0 for what does not fade, else ``0.5 ** (age / half-life)`` but at least ``floor``:
        0.5, 0.25 and 0.125 after 30, 60 and 90 days by default.
    """
    if evergreen or day is None:
        return 1.0
    return fade(max(0, (today - day).days), half_life_days=half_life_days, floor=floor)


def fade(age_days: int, *, half_life_days: float, floor: float = 0.0) -> float:
    """Return ``0.5 ** (age / half-life)`` but at least ``floor``."""
    return max(floor, float(0.5 ** (age_days / half_life_days)))


def time_share(day: date | None, text: str, span: Span, *, evergreen: bool) -> float:
    """Return what share of its score a passage keeps when a question asks for a time.

    Args:
        day: The day of the note; ``None`` when it has none.
        text: The passage with its headings; a day written in it counts like that of its note.
        span: The days asked for.
        evergreen: Whether the passage holds at any time.

    Returns:
        1.0 inside the span, 0.9 up to a week after it, 0.5 further outside, 0.75 where that is not known.
    """
    if (day is not None and span.holds(day)) or any(span.holds(written) for written in _days_in(text)):
        return 1.0
    if day is not None and span.until is not None and day > span.until and span.distance(day) <= SOON_DAYS:
        return SOON_AFTER
    return UNKNOWN if day is None or evergreen else OUTSIDE


def _days_in(text: str) -> Iterator[date]:
    for found in _ISO_DAY.findall(text):
        try:
            yield date.fromisoformat(found)
        except ValueError:
            continue
