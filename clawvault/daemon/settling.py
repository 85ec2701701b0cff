"""Wait until a note has come to rest before it is read: pure, time is an argument."""

from __future__ import annotations

import heapq


class Settler:
    """Collect hints about paths and hand each out once it has been quiet.

    A path is due ``settle_s`` after its last hint, yet at most ``settle_max_s`` after its first, so that a note that
    never stops changing is read all the same.

    Args:
        settle_s: Seconds without a hint.
        settle_max_s: Longest wait in seconds.

    Source: I06, I09, B007; reliability, "Default numbers".
    """

    def __init__(self, *, settle_s: float, settle_max_s: float) -> None:
        self._settle_s = settle_s
        self._settle_max_s = settle_max_s
        self._first: dict[str, float] = {}
        self._due: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []

    def add(self, path: str, now: float) -> None:
        """Note a hint about a path.

        Args:
            path: Vault-relative path.
            now: Seconds of a clock that only goes forward.
        """
        first = self._first.setdefault(path, now)
        self._schedule(path, min(now + self._settle_s, first + self._settle_max_s))

    def due(self, now: float) -> list[str]:
        """Take out the paths that have come to rest.

        Args:
            now: Seconds of the same clock.

        Returns:
            Paths in the order in which they fell due, each once.
        """
        ready: list[str] = []
        while self._heap and self._heap[0][0] <= now:
            at, path = heapq.heappop(self._heap)
            if self._due.get(path) == at:
                self._forget(path)
                ready.append(path)
        return ready

    def flush(self) -> list[str]:
        """Take out every path with a fresh hint at once, without waiting for rest.

        Returns:
            Paths in order of their first hint. Postponed paths keep waiting: asking early makes nothing certain.
        """
        ready = list(self._first)
        for path in ready:
            self._forget(path)
        return ready

    def postpone(self, path: str, until: float) -> None:
        """Make a path due at a set time, unless a hint makes it due earlier.

        Args:
            path: Vault-relative path.
            until: Seconds of the same clock.
        """
        if path not in self._due or self._due[path] > until:
            self._schedule(path, until)

    def next_due(self) -> float | None:
        """Return the time at which the next path falls due, or ``None`` when nothing waits."""
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def __len__(self) -> int:
        return len(self._due)

    def _schedule(self, path: str, at: float) -> None:
        self._due[path] = at
        heapq.heappush(self._heap, (at, path))

    def _forget(self, path: str) -> None:
        self._due.pop(path, None)
        self._first.pop(path, None)
