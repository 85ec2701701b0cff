"""Whose turn it is at a model that serves one caller at a time: a question goes before waiting passages."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """Let one caller at a time through, questions first.

    A daemon embeds thousands of passages while people search. With a plain lock the thread that
    embeds takes it again at once, and a question can wait for the whole batch.
    """

    def __init__(self) -> None:
        self._gate = threading.Condition()
        self._busy = False
        self._questions = 0

    @contextmanager
    def question(self) -> Iterator[None]:
        """Hold the model for a question, before every passage that has not begun."""
        with self._gate:
            self._questions += 1
            try:
                while self._busy:
                    self._gate.wait()
                self._busy = True
            finally:
                self._questions -= 1
        try:
            yield
        finally:
            self._release()

    @contextmanager
    def passages(self) -> Iterator[None]:
        """Hold the model for one small batch of passages, once no question waits."""
        with self._gate:
            while self._busy or self._questions:
                self._gate.wait()
            self._busy = True
        try:
            yield
        finally:
            self._release()

    def _release(self) -> None:
        with self._gate:
            self._busy = False
            self._gate.notify_all()
