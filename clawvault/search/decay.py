"""How much an episode counts as it grows old: pure (OC-29, OC-30, CB-38)."""

from __future__ import annotations

from datetime import date


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
    age = max(0, (today - day).days)
    return max(floor, float(0.5 ** (age / half_life_days)))
