"""Once a local date: whether it is time, and what became of it (I34, F39)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from clawvault.config import Config
from clawvault.context.heartbeat import find_open_items
from clawvault.dream.dreamer import Dreamer
from clawvault.dream.nightly.night_log import Night, describe_nights, read_nights, write_night
from clawvault.dream.recall.later import do_later
from clawvault.dream.telling.outcome import Dream
from clawvault.errors import ClawvaultError, LockedError, NotFoundError
from clawvault.index.known import is_indexed
from clawvault.keeping.keeper import Keeper
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import SearchResult
from clawvault.vault.notes import decode_note
from clawvault.vault.paths import open_inside
from clawvault.vault.prompt_files import HEARTBEAT

MOST_ATTEMPTS = 3
RETRY_S = 600.0
WAIT_S = 60.0
# So many times a run waits for quiet; then it leaves its proposal for the person.
MOST_WAITS = 60
# A clock that is set back, or a journey to the west, goes back by less.
BACK_DAYS = 2
ASKS = "clawvault dream"
MAX_HEARTBEAT_BYTES = 200_000

log = logging.getLogger("clawvault.dream.nightly.nights")


def is_due(now: datetime, nights: Sequence[Night], *, hour: int, asked: bool = False) -> bool:
    """Say whether the run of this local date is to be made; pure.

    Args:
        now: Local time.
        nights: Runs so far, in order of their days.
        hour: Local hour before which nothing runs, 0..23.
        asked: A person asked for it, whatever the hour.

    Returns:
        ``False`` once there was one on this date, and on a date before one that was already run, to which only a clock
        that was set back, or a journey, leads. A date further ahead was a wrong clock and counts for nothing. A run
        that was missed on the day before is made up for at once.

    Source: I34, F15, F39.
    """
    today = now.date()
    ran = [date.fromisoformat(night.day) for night in nights if night.finished or night.attempts >= MOST_ATTEMPTS]
    if any(today <= day <= today + timedelta(days=BACK_DAYS) for day in ran):
        return False
    earlier = [day for day in ran if day < today]
    was_missed = bool(earlier) and max(earlier) < today - timedelta(days=1)
    return asked or was_missed or now.hour >= hour


class Nightly:
    """The nightly run of one vault; see ``daemon.ports.Dreaming``.

    Args:
        dreamer: What is run; its clock says which local day it is.
        elapsed: Seconds that only go forward.
    """

    def __init__(self, dreamer: Dreamer, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._dreamer = dreamer
        self._elapsed = elapsed
        self._not_before = float("-inf")
        self._waits = 0

    def record(self, request: SearchRequest, result: SearchResult) -> None:
        """Write down what an answer recalls, while it is given; see ``RecallLog.record``."""
        do_later(self._dreamer.state, lambda: self._dreamer.log.record(request, result))

    def is_due(self) -> bool:
        """Say whether it is time."""
        if self._elapsed() < self._not_before:
            return False
        settings, now = self._dreamer.settings, self._dreamer.means.now()
        nights = read_nights(self._dreamer.state)
        if not is_due(now, nights, hour=settings.hour, asked=True):
            return False
        asked = self._is_asked_for()
        return asked or (settings.nightly and is_due(now, nights, hour=settings.hour))

    def run(self) -> Night:
        """Make the run of this local date, or find out why it must wait.

        Returns:
            The night; where it is not finished, it is tried again in a minute or ten.
        """
        day = self._dreamer.today().isoformat()
        known = next((night for night in read_nights(self._dreamer.state) if night.day == day), Night(day))
        begun = replace(known, attempts=known.attempts + 1, finished=False)
        # Whatever ends the process in the middle shall not do so again and again.
        write_night(self._dreamer.state, begun)
        try:
            night = self._dream(begun)
        except LockedError as error:
            night = self._wait(begun, error.message)
        except ClawvaultError as error:
            night = self._fail(begun, error.message)
        except Exception as error:  # noqa: BLE001 - a fault of dreaming must not end the daemon; it is said and tried again
            log.error("dreaming failed with %s", type(error).__name__)
            night = self._fail(begun, f"a fault of clawvault: {type(error).__name__}")
        write_night(self._dreamer.state, night)
        log.info(
            "dreamed: %d promoted of %d%s",
            night.promoted,
            night.candidates,
            f" ({night.problem})" * bool(night.problem),
        )
        return night

    def status(self) -> dict[str, Any]:
        """Return what there is to know of it; see ``describe_nights``."""
        return describe_nights(read_nights(self._dreamer.state), applies=self._dreamer.settings.apply)

    def _dream(self, night: Night) -> Night:
        dreamer = self._dreamer
        dreamer.log.compact()
        problem = dreamer.find_objection() if dreamer.settings.apply else ""
        if not dreamer.settings.apply or problem:
            return self._finish(night, dreamer.preview(), problem)
        dream = dreamer.apply(by_person=False)
        if dream.waiting:
            return self._wait(night, dream.waiting)
        return self._finish(night, dream, "", applied=True)

    def _finish(self, night: Night, dream: Dream, problem: str, *, applied: bool = False) -> Night:
        self._waits = 0
        return replace(
            night,
            finished=True,
            at=self._now(),
            applied=applied,
            promoted=len(dream.promoted),
            candidates=len(dream.candidates),
            reasons=dream.count_reasons(),
            problem=problem,
        )

    def _wait(self, night: Night, problem: str) -> Night:
        self._waits += 1
        self._not_before = self._elapsed() + WAIT_S
        given_up = self._waits >= MOST_WAITS
        self._waits = 0 if given_up else self._waits
        # Waiting is no attempt that failed.
        return replace(night, attempts=night.attempts - 1, finished=given_up, at=self._now(), problem=problem)

    def _fail(self, night: Night, problem: str) -> Night:
        self._not_before = self._elapsed() + RETRY_S
        return replace(night, finished=night.attempts >= MOST_ATTEMPTS, at=self._now(), problem=problem)

    def _now(self) -> str:
        return self._dreamer.means.now().isoformat(timespec="seconds")

    def _is_asked_for(self) -> bool:
        """Say whether an open item of HEARTBEAT.md names the command; whether it may write, the settings alone say."""
        try:
            with open_inside(self._dreamer.root, HEARTBEAT) as handle:
                text = decode_note(handle.read(MAX_HEARTBEAT_BYTES))[0]
        except (NotFoundError, ClawvaultError, OSError):
            return False
        return ASKS in text and any(ASKS in item for item in find_open_items(enumerate(text.splitlines(), 1)))


def make_nightly(root: Path, config: Config, state: Path) -> Nightly:
    """Return the nightly run of a vault that a daemon keeps."""
    return Nightly(Dreamer(Keeper(root, config, state, is_known=lambda path: is_indexed(state, path)).means))
