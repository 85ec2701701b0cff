"""Fading: pure."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from clawvault.search.ranking.decay import decay_factor

TODAY = date(2026, 4, 15)


def after(days: int, **options: object) -> float:
    values = {"evergreen": False, "half_life_days": 30.0, **options}
    return decay_factor(TODAY - timedelta(days=days), TODAY, **values)


@pytest.mark.parametrize(("days", "share"), [(0, 1.0), (30, 0.5), (60, 0.25), (90, 0.125)])
def test_a_dated_note_halves_every_thirty_days(days: int, share: float) -> None:
    """OC-29, OC-63."""
    assert after(days) == share


def test_an_evergreen_note_does_not_fade() -> None:
    """OC-30."""
    assert after(900, evergreen=True) == 1.0


def test_an_undated_note_does_not_fade() -> None:
    assert decay_factor(None, TODAY, evergreen=False, half_life_days=30) == 1.0


def test_a_note_of_tomorrow_is_new() -> None:
    """I27."""
    assert after(-1) == 1.0


def test_a_strong_match_keeps_at_least_its_floor() -> None:
    """Limits L2."""
    assert after(90, floor=0.5) == 0.5


def test_a_very_old_note_has_a_finite_share() -> None:
    assert decay_factor(date(1, 1, 1), TODAY, evergreen=False, half_life_days=0.1) == 0.0
