"""Decide when the next full comparison of disk and index is due: pure, time and chance are arguments."""

from __future__ import annotations

from collections.abc import Callable

FREE_SWEEPS = 3
BACK_OFF_FIRST_S = 0.1
BACK_OFF_MAX_S = 10.0
# A sweep asked for so long after the one before it starts with a clean sheet again.
CALM_S = 60.0
# Looking at the disk before an answer may cost a twentieth of the time.
LOOK_RATIO = 20.0
# Where events come in, what a look could find besides is rare: a watch that was lost is told of by itself.
LOOK_RATIO_WITH_EVENTS = 200.0
# Events that came in so long ago show that they work.
EVENTS_S = 10.0


class SweepSchedule:
    """Know when to sweep next and why.

    Args:
        sweep_s: Seconds between periodic sweeps, give or take a quarter so that machines do not march in step.
        poll_s: Seconds between sweeps where events do not work.
        chance: Returns a number from 0 up to 1.

    Source: I07, B001, B003, L12; reliability, "Default numbers".
    """

    def __init__(self, *, sweep_s: float, poll_s: float, chance: Callable[[], float]) -> None:
        self._sweep_s = sweep_s
        self._poll_s = poll_s
        self._chance = chance
        self._asked: dict[str, float] = {}
        self._periodic_at = 0.0
        self._asked_in_a_row = 0
        self._last_end = float("-inf")
        self._look_cost_s = 0.0
        self._heard_at = float("-inf")

    def ask(self, reason: str, now: float, *, delay_s: float = 0.0) -> None:
        """Ask for a sweep soon.

        The first three come at once, then they back off from 0.1 s doubling to 10 s until there was calm.

        Args:
            reason: Why, in a few words for status and log; the same reason asked again changes nothing.
            now: Seconds of a clock that only goes forward.
            delay_s: Seconds to wait in any case.
        """
        if now - self._last_end > CALM_S:
            self._asked_in_a_row = 0
        at = max(now + delay_s, self._last_end + self._back_off_s())
        self._asked[reason] = min(at, self._asked.get(reason, at))

    def due(self, now: float) -> str:
        """Return why a sweep is due now, or an empty string."""
        ready = [reason for reason, at in self._asked.items() if at <= now]
        if ready:
            return ", ".join(ready)
        return "periodic" if now >= self._periodic_at else ""

    def next_at(self) -> float:
        """Return the time at which the next sweep falls due."""
        return min([self._periodic_at, *self._asked.values()])

    def swept(self, started: float, ended: float, *, polling: bool, changed: bool = False) -> None:
        """Note that a sweep was made.

        Args:
            started: When it began; what was asked for later than this stays asked for.
            ended: When it ended, same clock.
            polling: Whether sweeps are all there is.
            changed: Whether notes had to be read, so that the time it took is not what a look costs.
        """
        asked_before = [reason for reason, at in self._asked.items() if at <= started]
        self._asked_in_a_row += 1 if asked_before else 0
        for reason in asked_before:
            del self._asked[reason]
        self._last_end = ended
        if not changed:
            self._look_cost_s = ended - started
        if polling:
            self._periodic_at = ended + max(self._poll_s, LOOK_RATIO * self._look_cost_s)
        else:
            self._periodic_at = ended + self._sweep_s * (0.75 + 0.5 * self._chance())

    def poll_from(self, now: float) -> None:
        """Begin to poll: the next sweep comes no later than the poll interval says."""
        self._periodic_at = min(self._periodic_at, now + self._poll_s)

    def hear(self, now: float) -> None:
        """Note that an event came in."""
        self._heard_at = now

    def is_look_worth_it(self, now: float) -> bool:
        """Say whether the last sweep is old enough, for what it cost, to look again before an answer."""
        ratio = LOOK_RATIO_WITH_EVENTS if now - self._heard_at < EVENTS_S else LOOK_RATIO
        return now - self._last_end > ratio * self._look_cost_s

    def _back_off_s(self) -> float:
        over = self._asked_in_a_row - FREE_SWEEPS
        return 0.0 if over < 0 else min(BACK_OFF_FIRST_S * 2.0**over, BACK_OFF_MAX_S)
