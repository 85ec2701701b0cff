"""Let a thread step back behind whatever else wants a processor."""

from __future__ import annotations

import logging
import os
import sys
import threading

# A tenth of what those before it get: enough to come to an end beside a compiler that runs for hours.
NICE = 10
# sys/qos.h. The background class is kept from the fast cores even where nobody else wants them.
UTILITY_CLASS = 0x11
# processthreadsapi.h
BELOW_NORMAL = -1

log = logging.getLogger("clawvault.daemon.priority")


def step_back() -> None:
    """Give the calling thread a lower priority for as long as it lives.

    Where nobody else wants the processor, the thread is as fast as before. On Linux all that it starts steps back with
    it; macOS and Windows lower this thread alone.

    Source: setpriority(2) (on Linux each thread has a nice value of its own), pthread_set_qos_class_self_np(3),
    SetThreadPriority.
    """
    try:
        if sys.platform == "win32":
            import ctypes

            kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            kernel.GetCurrentThread.restype = ctypes.c_void_p
            kernel.SetThreadPriority(ctypes.c_void_p(kernel.GetCurrentThread()), BELOW_NORMAL)
        elif sys.platform == "darwin":
            import ctypes

            ctypes.CDLL(None).pthread_set_qos_class_self_np(UTILITY_CLASS, 0)
        elif sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    except OSError as error:
        # A courtesy: where a sandbox forbids it, the work is done as before.
        log.debug("a thread keeps its priority: %s", error.strerror)
