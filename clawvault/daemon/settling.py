"""Wait until a note has come to rest before it is read: pure, time is an argument."""

from __future__ import annotations

import heapq


class Settler:
    """Collect hints about paths and hand each out once it has been quiet.

    A path is due ``settle_s`` after its last hint, yet at most ``settle_max_s`` after its first, so that a note that
    never stops changing is read all the same. A path whose note is absent is due again when it has been absent for
    ``deletion_delay_s``, so that a save made of a deletion and a creation is never taken for a deletion.

    Args:
        settle_s: Seconds without a hint.
        settle_max_s: Longest wait in seconds.
        deletion_delay_s: Seconds a note must be absent before that is believed.

    Source: I06, I09, I10, B007; reliability, "Default numbers".
    """

    def __init__(self, *, settle_s: float, settle_max_s: float, deletion_delay_s: float) -> None:
        self._settle_s = settle_s
        self._settle_max_s = settle_max_s
        self._deletion_delay_s = deletion_delay_s
        self._first: dict[str, float] = {}
        self._due: dict[str, float] = {}
        self._absent: dict[str, float] = {}
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
            Paths in order of their first hint. Absent notes keep waiting: asking early makes no deletion certain.
        """
        ready = list(self._first)
        for path in ready:
            self._forget(path)
        return ready

    def confirm_absent(self, path: str, now: float) -> bool:
        """Say whether a note found absent has been so for long enough; if not, make it due again.

        Args:
            path: Vault-relative path that is not on disk.
            now: Seconds of the same clock.

        Returns:
            True when the deletion may be applied.
        """
        since = self._absent.setdefault(path, now)
        if now - since >= self._deletion_delay_s:
            del self._absent[path]
            return True
        if path not in self._due:
            self._schedule(path, since + self._deletion_delay_s)
        return False

    def note_present(self, path: str) -> None:
        """Forget that a note was absent: it is there again.

        Args:
            path: Vault-relative path that is on disk.
        """
        self._absent.pop(path, None)

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
