"""End with the client: a server that outlives it would hold the vault and burn the processor (F36, B125)."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

LOOK_EVERY_S = 0.5
# Within five seconds of the client's end this process is gone, whatever it was doing.
GRACE_S = 3.0
LAST_S = 4.5
INTERRUPTED = 130
ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class Lifeline:
    """Watch for the end of the client, and for signals.

    Args:
        on_end: Called once, in any thread, when it is time to end; must not wait.
    """

    def __init__(self, on_end: Callable[[], None]) -> None:
        self.signalled = 0
        self._on_end = on_end
        self._last = threading.Timer(LAST_S, end_process, [1])
        self._last.daemon = True
        # Taken by the first who ends, of threads and a handler of signals; never given back.
        self._begun = threading.Lock()

    def watch(self) -> None:
        """Begin to watch; must be called from the main thread."""
        for name in ENDING_SIGNALS:
            number = getattr(signal, name, None)
            if number is not None:
                signal.signal(number, self._signalled)
        threading.Thread(target=self._watch_parent, name="mcp-lifeline", daemon=True).start()

    def end(self) -> None:
        """Begin the end: what is going on may finish for a few seconds, then the process is gone."""
        if self._begun.acquire(blocking=False):
            self._last.start()
            self._on_end()

    def _signalled(self, number: int, _: FrameType | None) -> None:
        if self._begun.locked():
            end_process(INTERRUPTED)
        self.signalled = number
        self.end()

    def _watch_parent(self) -> None:
        wait_for_parent()
        self.end()


def wait_for_parent() -> None:
    """Wait until the process that started this one has ended."""
    parent = os.getppid()
    if sys.platform == "win32":
        _wait_for_process(parent)
        return
    pause = threading.Event()
    while os.getppid() == parent:
        pause.wait(LOOK_EVERY_S)


def end_process(code: int) -> None:
    """End at once; a thread that is in the middle of a question is not waited for."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(code)


def _wait_for_process(number: int) -> None:
    # The number of a process that ended stays the parent's there, so its handle is what tells.
    import ctypes

    kernel = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
    synchronize, forever = 0x00100000, 0xFFFFFFFF
    handle = kernel.OpenProcess(synchronize, False, number)
    if handle:
        kernel.WaitForSingleObject(handle, forever)
        kernel.CloseHandle(handle)
    else:
        threading.Event().wait()
