"""What a person who starts ``clawvault watch`` learns of the first index, in few lines."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from clawvault.cli.progress import Pace, render_time
from clawvault.cli.terminal import warn
from clawvault.errors import ClawvaultError

ASK_EVERY_S = 1.0
ANSWER_S = 5.0
LINE_EVERY_S = 60.0
# Fewer are read before anybody wonders.
MANY_NOTES = 500


class FirstIndex:
    """Turn what the daemon says of itself into lines: what waits, now and then how long, and when it is done.

    Args:
        clock: Seconds that only go forward.
        say: Takes a line.
    """

    def __init__(self, clock: Callable[[], float], say: Callable[[str], None]) -> None:
        self._clock = clock
        self._say = say
        self._said_at = clock()
        self._pace = Pace(clock)
        self._waiting = 0
        self._problem = ""

    def take(self, status: Mapping[str, Any], *, ready: bool) -> bool:
        """Take the JSON of a status.

        Args:
            status: See ``OpenedVault.status``, with ``daemon``.
            ready: Whether the person knows that all notes were read.

        Returns:
            False when there is nothing more to tell.
        """
        notes, pending = status["notes"], status["pending"]
        if not ready:
            if notes >= MANY_NOTES and self._is_due():
                self._tell(f"{notes} notes are read so far.")
            return True
        if not pending:
            if self._waiting:
                self._tell("All passages have a vector.")
            return False
        problem = status["daemon"].get("embedding_problem") or ""
        if not self._waiting:
            self._tell(f"{notes} notes are found by their words; {pending} passages wait for a vector.")
        self._waiting = max(self._waiting, pending)
        self._pace.take("texts", self._waiting - pending, self._waiting)
        if problem != self._problem:
            self._problem = problem
            self._tell(f"Vectors wait: {problem}" if problem else "Vectors are made again.")
        elif self._is_due():
            left_s = self._pace.left_s()
            self._tell(f"{pending} passages wait for a vector" + (f", {render_time(left_s)} left." if left_s else "."))
        return True

    def _is_due(self) -> bool:
        return self._clock() - self._said_at >= LINE_EVERY_S

    def _tell(self, line: str) -> None:
        self._said_at = self._clock()
        self._say(line)


def tell_of_first_index(state: Path) -> Callable[[], None]:
    """Ask the daemon of this process how far it is, in a thread, until all is told.

    Args:
        state: The state folder of the vault.

    Returns:
        To be called when the person was told that all notes are read.
    """
    ready = threading.Event()
    threading.Thread(target=_ask_and_tell, args=(state, ready), name="first index", daemon=True).start()
    return ready.set


def _ask_and_tell(state: Path, ready: threading.Event) -> None:
    from clawvault.daemon.transport import ask

    telling = FirstIndex(time.monotonic, warn)
    more = True
    while more:
        was_ready = ready.is_set()
        try:
            answer = ask(state, {"op": "status"}, ANSWER_S)
        except (ClawvaultError, OSError):
            answer = None
        status = None if answer is None else answer.get("status")
        if isinstance(status, dict):
            more = telling.take(status, ready=was_ready)
        if more and was_ready:
            time.sleep(ASK_EVERY_S)
        elif more:
            ready.wait(ASK_EVERY_S)
