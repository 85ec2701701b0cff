"""What other threads leave for the worker: hints, questions and the wish to stop."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import NamedTuple

# Where an answer relies on events, that of an edit made just before the question needs so long to come.
ON_THE_WAY_S = 0.01


@dataclass(slots=True)
class SyncRequest:
    """A wish that the index be brought up to date before an answer."""

    full: bool
    accept_deletions: bool = False
    verify: bool = False
    done: threading.Event = field(default_factory=threading.Event)
    problem: str = ""


class Letters(NamedTuple):
    """Everything that lay in the mailbox."""

    paths: tuple[str, ...]
    reasons: tuple[str, ...]
    syncs: tuple[SyncRequest, ...]


class Mailbox:
    """Hand letters from many threads to one worker; equal hints are one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._paths: dict[str, None] = {}
        self._reasons: dict[str, None] = {}
        self._syncs: list[SyncRequest] = []
        self._stopping = False
        self.n_hints = 0

    def look_at(self, *paths: str) -> None:
        """Leave a hint about paths, which are taken out together: a move torn in two would be a new note."""
        with self._changed:
            self.n_hints += 1
            self._paths.update(dict.fromkeys(paths))
            self._changed.notify()

    def look_everywhere(self, reason: str) -> None:
        """Leave a hint that everything has to be compared."""
        with self._changed:
            self.n_hints += 1
            self._reasons[reason] = None
            self._changed.notify()

    def ask_sync(self, request: SyncRequest) -> None:
        """Leave a wish to be up to date; one that comes after the end is answered at once."""
        with self._changed:
            if self._stopping:
                request.problem = "the daemon is stopping"
                request.done.set()
                return
            self._syncs.append(request)
            self._changed.notify()

    def stop(self) -> None:
        """Ask the worker to end."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    @property
    def is_stopping(self) -> bool:
        """Say whether the worker was asked to end."""
        return self._stopping

    def take(self, timeout_s: float) -> Letters:
        """Take everything out.

        Args:
            timeout_s: Longest wait for something to arrive, in seconds; 0 or less does not wait.
        """
        with self._changed:
            if timeout_s > 0 and not (self._paths or self._reasons or self._syncs or self._stopping):
                self._changed.wait(timeout_s)
            letters = Letters(tuple(self._paths), tuple(self._reasons), tuple(self._syncs))
            self._paths.clear()
            self._reasons.clear()
            self._syncs.clear()
            return letters

    def take_late(self, letters: Letters, wait_s: float = ON_THE_WAY_S) -> Letters:
        """Return letters with those that arrive within so many seconds after them."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopping, wait_s)
        late = self.take(0.0)
        return Letters(letters.paths + late.paths, letters.reasons + late.reasons, letters.syncs + late.syncs)
