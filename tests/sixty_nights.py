"""Sixty days of a machine that sleeps, crashes and travels, an hour at a time (F39)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from dreaming import Clock, Dreaming

from clawvault.dream.nightly.night_log import Night
from clawvault.dream.nightly.nights import Nightly

BEGIN = datetime(2026, 3, 4, 8, 0, tzinfo=UTC)
ZONES = ("Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles")
NOTE = "memory/2026-03-03.md"
ASLEEP_DAYS = frozenset({10, 11, 12, 13, 40})
ASKED_DAYS = frozenset({1, 2, 3, 30, 31})
# On the night of the first number the process is killed twice, on that of the second as well.
CRASHES = {5: 2, 20: 2}


class Killed(BaseException):
    """The end of the process."""


class FragileNightly(Nightly):
    """A run that is cut short after it has begun."""

    def _dream(self, night: Night) -> Night:
        raise Killed


def simulate(vault: Dreaming, fact: str) -> tuple[list[str], int]:
    """Live through sixty days.

    Returns:
        The date of each run that came to its end, in order, and how often the process was killed.
    """
    elapsed, crashes, finished = Clock(), dict(CRASHES), list[str]()
    killed = 0
    for step in range(60 * 24):
        day, hour = divmod(step, 24)
        if day in ASLEEP_DAYS or hour < day % 5:
            continue
        elapsed.now = step * 3600.0
        vault.now = (BEGIN + timedelta(hours=step)).astimezone(ZoneInfo(ZONES[day // 20]))
        if hour == 20 and day in ASKED_DAYS:
            vault.recall(NOTE, fact, f"question {day}")
        if not Nightly(vault.dreamer(), elapsed).is_due():
            continue
        if crashes.get(day, 0):
            crashes[day] -= 1
            killed += 1
            try:
                FragileNightly(vault.dreamer(), elapsed).run()
            except Killed:
                continue
        night = Nightly(vault.dreamer(), elapsed).run()
        finished += [night.day] * night.finished
    return finished, killed
