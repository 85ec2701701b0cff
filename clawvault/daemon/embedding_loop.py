"""Embed in a thread of its own, so that words are findable while meaning is still being computed (I08, F29)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from clawvault.daemon.clock import elapsed_s
from clawvault.daemon.logs import describe_bug
from clawvault.daemon.ports import WatchedVault
from clawvault.daemon.priority import step_back
from clawvault.errors import ClawvaultError

STEP_S = 1.0
RETRY_FIRST_S = 5.0
RETRY_MAX_S = 300.0
# Notes that are edited all the time would be embedded all the time, mostly for texts that are another by then. After
# each round the loop rests so many times as long as the round took.
REST_RATIO = 15.0
# A round begins no later than so long after the one before. By meaning a note is found within 10 s (I08): one that was
# edited again while its vector was made is in time with the next round.
PERIOD_S = 4.5
# Where rounds take too long for that, the machine still has time for others.
LEAST_REST_S = 3.0

log = logging.getLogger("clawvault.daemon.embedding")


def rest_s(took_s: float) -> float:
    """Return the seconds to rest after a round that took so many."""
    return min(REST_RATIO * took_s, max(PERIOD_S - took_s, LEAST_REST_S))


class EmbeddingLoop:
    """Load the model once and give chunks their vectors while there are any without.

    A model that cannot load or answer is tried again after 5 s, doubling to 5 min; nothing else waits for it.

    Args:
        vault: The vault; ``warm_up`` and ``embed_pending`` are called from this loop's thread.
        retry_s: Seconds before the first new try; ``None`` is 5.
        clock: Seconds that only go forward.
        rest: Waits so many seconds between two rounds; ``None`` is until it is told to try now.
    """

    def __init__(
        self,
        vault: WatchedVault,
        *,
        retry_s: float | None = None,
        clock: Callable[[], float] = elapsed_s,
        rest: Callable[[float], object] | None = None,
    ) -> None:
        self._vault = vault
        self._clock = clock
        self._first_retry_s = RETRY_FIRST_S if retry_s is None else retry_s
        self._work = threading.Event()
        self._warm = threading.Event()
        self._stop = threading.Event()
        self._hurry = threading.Event()
        self._rest = rest or self._hurry.wait
        self._thread = threading.Thread(target=self._run, name="embedding", daemon=True)
        self._took_s = 0.0
        self.problem = ""

    def start(self) -> None:
        """Begin to load the model and to embed."""
        self._work.set()
        self._thread.start()

    def wake(self) -> None:
        """Say that there may be chunks without a vector."""
        self._work.set()

    def try_now(self) -> None:
        """Wait no longer for a new try: what stood in the way was mended."""
        self._hurry.set()
        self._work.set()

    def stop(self) -> None:
        """Ask the loop to end after the step it is in."""
        self._stop.set()
        self.try_now()

    def join(self, timeout_s: float) -> bool:
        """Wait for the end of the loop; return whether it came in time."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def wait_until_warm(self, timeout_s: float) -> bool:
        """Wait for the model, in seconds; return whether it can be used now."""
        return self._warm.wait(timeout_s)

    @property
    def is_warm(self) -> bool:
        """Say whether the model is loaded, or there is none to load."""
        return self._warm.is_set()

    def _run(self) -> None:
        retry_s = self._first_retry_s
        while True:
            self._work.wait()
            self._work.clear()
            if self._stop.is_set():
                return
            self._hurry.clear()
            if self._try_all():
                retry_s = self._first_retry_s
                self._rest(rest_s(self._took_s))
                continue
            # New work must not shorten the wait, or every edit would try a broken model again.
            retry_s = self._first_retry_s if self._hurry.wait(retry_s) else min(retry_s * 2, RETRY_MAX_S)
            self._work.set()

    def _try_all(self) -> bool:
        try:
            self._vault.warm_up()
            self._warm.set()
            # The first question waits for the model; vectors can wait for whoever starts a command.
            step_back()
            began = self._clock()
            is_all = False
            while not (is_all or self._stop.is_set()):
                is_all = self._vault.embed_pending(STEP_S)
            self._took_s = self._clock() - began
        except ClawvaultError as error:
            self._note(error.message)
            return False
        except Exception as error:  # noqa: BLE001 - a model library may raise anything, and this thread must not die
            self._note(f"the model failed with {describe_bug(error)}")
            return False
        self.problem = ""
        return True

    def _note(self, problem: str) -> None:
        if problem != self.problem:
            log.warning("embedding stopped: %s", problem)
        self.problem = problem
