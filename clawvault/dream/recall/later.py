"""Do something small after an answer is given, in one thread of the process, for whose end the process waits.

A thread for each answer would not do: beginning one waits until the system has run it, which takes longer than what is
to be done where other programs are busy.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# The answer is on its way by then; beside it, this would slow it down.
PAUSE_S = 0.02

_workers: dict[Path, ThreadPoolExecutor] = {}
_lock = threading.Lock()


def do_later(state: Path, act: Callable[[], object]) -> None:
    """Begin to do something, and return at once.

    Args:
        state: The state folder it is about; what is about one is done in order.
        act: Never raises.
    """
    from concurrent.futures import ThreadPoolExecutor

    try:
        with _lock:
            worker = _workers.setdefault(state, ThreadPoolExecutor(1, thread_name_prefix="recalls"))
        worker.submit(_pause_and_act, act)
    except RuntimeError:
        act()  # the process is ending and begins nothing any more


def await_all(state: Path) -> None:
    """Wait for everything this process began for a state folder, before it is read."""
    worker = _workers.get(state)
    if worker is not None and not threading.current_thread().name.startswith("recalls"):
        try:
            worker.submit(int).result()
        except RuntimeError:
            return  # the process is ending, which waits for it as well


def _pause_and_act(act: Callable[[], object]) -> None:
    time.sleep(PAUSE_S)
    act()


def _forget_workers() -> None:
    """Begin anew in a process that was forked: the threads stayed behind."""
    global _lock  # noqa: PLW0603 - it may be held by a thread that is not here
    _workers.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)
