"""The thread that dreams: it asks twice a minute whether it is time, since no timer survives sleep and a set clock."""

from __future__ import annotations

import logging
import threading

from clawvault.daemon.logs import describe_bug
from clawvault.daemon.ports import Dreaming

# Long enough after the start that the index is true, short enough that nobody waits for a night that was missed.
LOOK_S = 30.0

log = logging.getLogger("clawvault.daemon.nightly")


class NightlyLoop:
    """Make the nightly run when it is due.

    Args:
        dreaming: Knows when that is, and what to do.
        look_s: Seconds between two looks.

    Source: I34, F39.
    """

    def __init__(self, dreaming: Dreaming, *, look_s: float = LOOK_S) -> None:
        self._dreaming = dreaming
        self._look_s = look_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="dreaming", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Ask it to end after what it is at; a run that is cut short loses nothing (F02)."""
        self._stopping.set()

    def join(self, timeout_s: float) -> bool:
        """Wait so many seconds for the end; return whether it came in time."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while not self._stopping.wait(self._look_s):
            try:
                if self._dreaming.is_due():
                    self._dreaming.run()
            except Exception as error:  # noqa: BLE001 - the daemon answers questions whatever dreaming does
                log.error("dreaming failed with %s", describe_bug(error))
