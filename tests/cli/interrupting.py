"""Ctrl-C to a command that is at work."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable

# A model takes as long as it takes over the batch at hand, and a busy machine too; two seconds are asked of the rest.
SOON_S = 10.0


def interrupt_when(process: subprocess.Popen[str], is_at_work: Callable[[], bool]) -> str:
    """Interrupt a command once it is at work; it ends soon. Return what it said on standard error."""
    deadline = time.monotonic() + 240
    while not is_at_work() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.01)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=240)
    assert time.monotonic() - began < SOON_S
    return errors
