"""How many threads compute, and who divides the work among them."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")
CPU_FOLDERS = Path("/sys/devices/system/cpu")


def usable_cores() -> int:
    """Return how many processor cores this process may compute on, at least 1.

    Two hardware threads of one core count once, since they share what multiplies; a quota of a container is a limit.
    """
    try:
        numbers = sorted(os.sched_getaffinity(0))  # type: ignore[attr-defined, unused-ignore]
    except AttributeError:  # macOS and Windows have no such call
        return os.cpu_count() or 1
    cores = {_read(CPU_FOLDERS / f"cpu{number}/topology/thread_siblings_list") or str(number) for number in numbers}
    return max(1, min(len(cores), parse_quota(_read(CPU_QUOTA)) or len(cores)))


def parse_quota(text: str) -> int | None:
    """Read the limit of a container, ``max 100000`` or ``150000 100000``, as whole cores; ``None`` without a limit."""
    quota, _, period = text.strip().partition(" ")
    if not (quota.isdecimal() and period.isdecimal() and int(period)):
        return None
    return max(1, round(int(quota) / int(period)))


def limit_torch() -> None:
    """Give a model library that is loaded no more threads than there are cores: it does not see a container's quota."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.get_num_threads() > usable_cores():
        torch.set_num_threads(usable_cores())


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


class _OneThread:
    """Count who asked for one thread, so that the last to leave restores what was."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_inside = 0
        self._libraries: Any = None
        self._limited: Any = None

    def enter(self) -> None:
        with self._lock:
            self._n_inside += 1
            if self._n_inside == 1:
                if self._libraries is None:
                    from threadpoolctl import ThreadpoolController

                    self._libraries = ThreadpoolController().select(user_api="blas")
                self._take_over()
                self._limited = self._libraries.limit(limits=1)

    def leave(self) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0:
                self._take_over()
                self._limited.restore_original_limits()
                self._limited = None

    def _take_over(self) -> None:
        """Become the thread that sets limits: one that did before and still lives would be the only one that may."""
        for library in self._libraries.lib_controllers:
            take_over = getattr(library, "clear_controlling_thread", None)
            if take_over is not None:
                take_over(force=True)


_ONE_THREAD = _OneThread()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let NumPy's matrix products run in the thread that asks for them.

    Its library splits each product among all cores and waits for every part. Where other programs compute as well, one
    part always waits for a core, dozens of times a text: a question then took seconds in place of milliseconds. Several
    texts at once are divided among threads of our own, which need no such waiting.
    """
    _ONE_THREAD.enter()
    try:
        yield
    finally:
        _ONE_THREAD.leave()
