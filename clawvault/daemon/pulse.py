"""What the worker says of itself: written by the worker alone, read by everyone (B027, I28)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

# A gap between two beats longer than this means that the machine slept or the process was stopped (B019).
WAKE_GAP_S = 30.0
STUCK_S = 30.0


@dataclass(frozen=True, slots=True)
class Doing:
    """What the worker is at: ``what`` in a word, ``path`` the note at hand or empty, ``since`` by its clock."""

    what: str
    path: str
    since: float


class Pulse:
    """Prove that the worker makes progress, and notice when time jumped.

    Args:
        clock: Seconds that only go forward, sleep included.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._beat = clock()
        self._doing = Doing("starting", "", self._beat)
        self._gap_s = 0.0

    def beat(self, what: str, path: str = "") -> None:
        """Say that the worker lives and what it turns to; called by the worker alone."""
        now = self._clock()
        with self._lock:
            self._gap_s = max(self._gap_s, now - self._beat)
            self._beat = now
            if (what, path) != (self._doing.what, self._doing.path):
                self._doing = Doing(what, path, now)

    def take_gap(self) -> float:
        """Return the longest gap between two beats since the last call, in seconds."""
        with self._lock:
            gap, self._gap_s = self._gap_s, 0.0
            return gap

    def age_s(self) -> float:
        """Return the seconds since the worker last beat."""
        return max(0.0, self._clock() - self._beat)

    def doing(self) -> Doing:
        """Return what the worker said last."""
        return self._doing

    def stuck(self) -> str:
        """Return what the worker is stuck on and for how long, or an empty string."""
        age, doing = self.age_s(), self._doing
        if age < STUCK_S or doing.what == "waiting":
            return ""
        return f'stuck on "{doing.path}" for {age:.0f} s' if doing.path else f"stuck while {doing.what} for {age:.0f} s"


@dataclass(slots=True)
class Tally:
    """What the worker counted, for status (I28)."""

    ready: bool = False
    last_event_at: str | None = None
    last_sweep_at: str | None = None
    last_sweep_s: float = 0.0
    last_sweep_reason: str = ""
    last_error: str = ""
    missed_by_watcher: int = 0
    brake: str = ""
    ended: str = ""


def wall_time() -> str:
    """Return the time of day as people and JSON want it: UTC with its zone."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
