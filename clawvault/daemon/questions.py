"""Know whether somebody waits for an answer, so that work which can wait leaves the processor to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Questions:
    """Count the questions under way; may be used from many threads at once."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._n_under_way = 0

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Be one question, from its beginning to its answer."""
        with self._changed:
            self._n_under_way += 1
        try:
            yield
        finally:
            with self._changed:
                self._n_under_way -= 1
                self._changed.notify_all()

    def await_none(self, most_s: float) -> None:
        """Wait until no question is under way, but no more than so many seconds: a storm of them stops no work."""
        with self._changed:
            self._changed.wait_for(lambda: not self._n_under_way, most_s)
