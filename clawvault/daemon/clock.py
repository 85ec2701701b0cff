"""A clock that only goes forward and also counts while the machine sleeps."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

# Linux has a clock of its own for this. On macOS it is CLOCK_MONOTONIC, which time.monotonic() does not read there;
# on Windows time.monotonic() counts sleep.
if sys.platform == "win32":
    _read: Callable[[], float] = time.monotonic
else:
    _read = partial(time.clock_gettime, getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def elapsed_s() -> float:
    """Return seconds since some point in the past, time asleep included.

    The wall clock is no use here: people and time servers set it back (F15). ``time.monotonic`` stands still while
    Linux and macOS sleep, and then a wake would look like no time at all (B019, F14).
    """
    return _read()
