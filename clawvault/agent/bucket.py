"""How often a tool may be called."""

from __future__ import annotations

import threading
from collections.abc import Callable


class TokenBucket:
    """Let calls through at a steady rate, with room for a burst; may be asked from many threads.

    Args:
        per_s: Calls a second in the long run, above 0.
        burst: Calls that may come at once, 1 or more.
        clock: Monotonic seconds.
    """

    def __init__(self, per_s: float, burst: int, clock: Callable[[], float]) -> None:
        self._per_s = per_s
        self._burst = burst
        self._clock = clock
        self._left = float(burst)
        self._at = clock()
        self._lock = threading.Lock()

    def take(self) -> float:
        """Take one call.

        Returns:
            0 when the call may go on, else the seconds after which the next one may.
        """
        with self._lock:
            now = self._clock()
            self._left = min(float(self._burst), self._left + max(0.0, now - self._at) * self._per_s)
            self._at = now
            if self._left >= 1:
                self._left -= 1
                return 0.0
            return (1 - self._left) / self._per_s
