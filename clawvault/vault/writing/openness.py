"""Whether another program has a file open for writing, on systems that can tell."""

from __future__ import annotations

import signal
import sys
import time

# A program that saves a note has it open for milliseconds; one that keeps it open is not waited for longer.
OPEN_S = 1.0
LOOK_S = 0.01


def is_written_elsewhere(descriptor: int) -> bool:
    """Say whether anybody has a file open for writing.

    Args:
        descriptor: The file, open for reading alone.

    Returns:
        ``False`` also where the system, or the disk, cannot tell. Windows need not be asked: it lets nobody replace
        such a file.

    Source: F25, fcntl(2) "Leases".
    """
    if sys.platform != "linux":
        return False
    import fcntl

    try:
        # Who opens the file during the lease is held up until it is given back, and a signal is sent to us; the usual
        # one would end the process, this one is ignored unless somebody listens to it.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def await_closed(descriptor: int) -> bool:
    """Wait until nobody has a file open for writing.

    Returns:
        ``False`` when somebody still has it open after a second.
    """
    until = time.monotonic() + OPEN_S
    while is_written_elsewhere(descriptor):
        if time.monotonic() >= until:
            return False
        time.sleep(LOOK_S)
    return True
