"""Whose turn it is at a model that serves one caller at a time: a question goes before waiting passages."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from clawvault.embed.checks import length_order

# Between two turns a waiting question is answered; eight full windows take less than half a second on two cores.
TURN_CHARS = 8000
# The longest that passages wait for questions at a stretch, so that a storm of them cannot stop the work.
QUESTION_S = 1.0


def plan_turns(texts: Sequence[str], *, most: int, max_chars: int) -> Iterator[list[int]]:
    """Yield positions to embed at once: of like length, and so few that a question need not wait for long.

    Args:
        texts: What is to be embedded.
        most: Texts of a turn at most.
        max_chars: Characters the model reads of a text at most.
    """
    order = length_order(texts)
    while order:
        longest = max(min(len(texts[order[0]]), max_chars), 1)
        size = min(most, max(TURN_CHARS // longest, 1))
        yield order[:size]
        order = order[size:]


class Turns:
    """Let one caller at a time through, questions first.

    A daemon embeds thousands of passages while people search. With a plain lock the thread that
    embeds takes it again at once, and a question can wait for the whole batch.

    Args:
        question_s: Seconds passages wait for questions at a stretch.
    """

    def __init__(self, *, question_s: float = QUESTION_S) -> None:
        self._question_s = question_s
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
        """Hold the model for one small batch of passages, once no question waits or they have waited long enough."""
        with self._gate:
            self._gate.wait_for(lambda: not self._busy and not self._questions, self._question_s)
            while self._busy:
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


class GiveWay:
    """Let passages pause while a question is computed or answered, where both may go on at once.

    Threads of one interpreter hand a lock to each other at every step; where a processor has other work too, a question
    among threads that embed took twenty times as long.

    Args:
        question_s: Seconds passages pause at most.
    """

    def __init__(self, *, question_s: float = QUESTION_S) -> None:
        self._question_s = question_s
        self._gate = threading.Condition()
        self._questions = 0

    @contextmanager
    def question(self) -> Iterator[None]:
        """Compute a question; passages that come to a pause wait for its end."""
        with self._gate:
            self._questions += 1
        try:
            yield
        finally:
            with self._gate:
                self._questions -= 1
                self._gate.notify_all()

    def pause(self) -> None:
        """Wait while questions are computed; called by passages between two steps."""
        if self._questions:
            with self._gate:
                self._gate.wait_for(lambda: not self._questions, self._question_s)
