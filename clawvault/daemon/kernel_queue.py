"""The kernel's event queue on Linux, with what the daemon must know about it: lost events and folders not watched.

watchdog adds watches for sub-folders without telling when one could not be added, and handles an overflow without
telling that events were lost. Both are facts here. Source: B001, B015, B017, F11, F13.
"""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Callable

from watchdog.observers.api import BaseObserver
from watchdog.observers.inotify import InotifyEmitter
from watchdog.observers.inotify_c import (
    CallbackId,
    InotifyEvent,
    InotifyFD,
    Mask,
    WatchCallback,
    WatchDescriptor,
)

EXHAUSTED = frozenset({errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM})


class KernelQueue(InotifyFD):
    """Read one inotify queue and keep count of it.

    Args:
        is_ignored: Says of a folder on disk that no note below it counts, so that it needs no watch.
        on_overflow: Called when the kernel dropped events.
        on_exhausted: Called with the error when a folder could not be watched for want of watches or memory.
    """

    def __init__(
        self,
        *,
        is_ignored: Callable[[str], bool],
        on_overflow: Callable[[], None],
        on_exhausted: Callable[[OSError], None],
    ) -> None:
        # A folder made inside a new folder is met twice; watching it again is harmless and no news for anybody.
        warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning)
        super().__init__()
        self._is_ignored = is_ignored
        self._on_overflow = on_overflow
        self._on_exhausted = on_exhausted
        self._watched: set[int] = set()

    @property
    def n_watches(self) -> int:
        """Return how many folders are watched."""
        return len(self._watched)

    def add_callback(self, path: bytes, mask: Mask, callback: WatchCallback, id_: CallbackId) -> WatchDescriptor:
        """Watch one folder, unless nothing below it counts."""
        if self._is_ignored(os.fsdecode(path)):
            # The caller passes over folders that cannot be watched, which is what should happen to this one.
            raise OSError(errno.ECANCELED, "folder is ignored")
        try:
            descriptor = super().add_callback(path, mask, callback, id_)
        except OSError as error:
            if error.errno in EXHAUSTED:
                self._on_exhausted(error)
            raise
        self._watched.add(descriptor)
        return descriptor

    def handle_event(self, event: InotifyEvent) -> None:
        """Pass one event on, and tell of an overflow after its folders are watched again."""
        if event.is_ignored:
            self._watched.discard(event.wd)
        super().handle_event(event)
        if event.is_queue_overflow:
            self._on_overflow()


class KernelObserver(BaseObserver):
    """Turn the events of one kernel queue into watchdog events; the queue ends with the observer."""

    def __init__(self, queue: KernelQueue) -> None:
        super().__init__(InotifyEmitter, inotify_fd=queue)
        self._queue = queue
        queue.start()

    def on_thread_stop(self) -> None:
        """Stop the emitters, then the queue; it may be called for an observer that could not start."""
        super().on_thread_stop()
        self._queue.stop()
        self._queue.join()

    @property
    def n_watches(self) -> int:
        """Return how many folders are watched."""
        return self._queue.n_watches

    def is_reading(self) -> bool:
        """Say whether the thread that reads the kernel's queue lives."""
        return self._queue.is_alive()


def make_observer(
    is_ignored: Callable[[str], bool], on_overflow: Callable[[], None], on_exhausted: Callable[[OSError], None]
) -> BaseObserver:
    """Make an observer of one kernel queue of its own.

    Raises:
        OSError: There is no queue to be had.
    """
    return KernelObserver(KernelQueue(is_ignored=is_ignored, on_overflow=on_overflow, on_exhausted=on_exhausted))
