"""A clock that only goes forward and also counts while the machine sleeps."""

from __future__ import annotations

import sys
import time

# Linux has a clock of its own for this. On macOS it is CLOCK_MONOTONIC, which time.monotonic() does not read there.
# On Windows time.monotonic() counts sleep.
_COUNTS_SLEEP: int | None = getattr(time, "CLOCK_MONOTONIC" if sys.platform == "darwin" else "CLOCK_BOOTTIME", None)


def elapsed_s() -> float:
    """Return seconds since some point in the past, time asleep included.

    The wall clock is no use here: people and time servers set it back (F15). ``time.monotonic`` stands still while
    Linux and macOS sleep, and then a wake would look like no time at all (B019, F14).
    """
    return time.monotonic() if _COUNTS_SLEEP is None else time.clock_gettime(_COUNTS_SLEEP)
