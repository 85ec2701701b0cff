"""Look after what the daemon stands on: the vault's folder, the writer lock, the watcher and the passing of time."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clawvault.daemon.pulse import WAKE_GAP_S
from clawvault.daemon.watcher import Watcher

CHECK_S = 1.0
# A vault folder that is away this long is gone for good; a service manager starts us again when it is back (B123).
GONE_S = 60.0
# Where events failed for want of watches, they are tried again now and then.
RETRY_EVENTS_S = 300.0
# An index that cannot be begun anew at once is tried again after so long.
INDEX_AGAIN_S = 5.0
GONE = "the vault folder is gone"
LOCK_LOST = "the writer lock was lost"
NEW_SETTINGS = "the settings changed"

log = logging.getLogger("clawvault.daemon.lookout")


@dataclass(frozen=True, slots=True)
class Sight:
    """What a look found: why to end, and why to compare everything; empty strings when all is well."""

    ended: str = ""
    compare: str = ""


class Lookout:
    """Check once a second and put the watcher right.

    Args:
        root: The vault.
        watcher: Started and stopped by the service, re-armed here.
        is_lock_held: Says whether the writer lock is still ours.
        is_index_gone: Says whether files of the index were taken away or replaced.
        has_new_settings: Says whether the vault's settings are no longer those the daemon started with.
        gone_s: Seconds the vault folder may be away.
        may_use_events: False when the person asked for polling.
    """

    def __init__(
        self,
        root: Path,
        watcher: Watcher,
        *,
        is_lock_held: Callable[[], bool],
        is_index_gone: Callable[[], bool] = lambda: False,
        has_new_settings: Callable[[], bool] = lambda: False,
        gone_s: float = GONE_S,
        may_use_events: bool = True,
    ) -> None:
        self._root = root
        self._watcher = watcher
        self._is_lock_held = is_lock_held
        self._is_index_gone = is_index_gone
        self._has_new_settings = has_new_settings
        self._gone_s = gone_s
        self._may_use_events = may_use_events
        self._gone_since: float | None = None
        self._next_check = float("-inf")
        self._next_index_check = float("-inf")
        self._retry_events_at = float("-inf")

    @property
    def is_away(self) -> bool:
        """Say whether the vault's folder is away: then nothing is compared, so nothing is pruned (B045, F19)."""
        return self._gone_since is not None

    def look(self, now: float, gap_s: float) -> Sight:
        """Look at everything, at most once a second, and at the index every time.

        Args:
            now: Seconds of a clock that only goes forward.
            gap_s: The longest time since the last look in which the worker gave no sign of life.
        """
        if gap_s > WAKE_GAP_S:
            return self._rearm(f"awake after {gap_s:.0f} s", now)
        if now < self._next_check:
            return self._look_at_index(now)
        self._next_check = now + CHECK_S
        if not self._is_lock_held():
            return Sight(ended=LOCK_LOST)
        is_there = is_folder(self._root)
        if is_there is None:
            # A disk that fails for a moment is neither there nor gone; nothing is compared, and nothing ends.
            self._gone_since = now
            return Sight()
        if not is_there:
            return self._wait_for_root(now)
        if self._has_new_settings():
            return Sight(ended=NEW_SETTINGS)
        was_away, self._gone_since = self.is_away, None
        fault = "the vault folder is back" if was_away else self._watcher.find_fault()
        if fault:
            return self._rearm(fault, now)
        if self._watcher.is_polling and self._may_use_events and now >= self._retry_events_at:
            return self._retry_events(now)
        return self._look_at_index(now)

    def _look_at_index(self, now: float) -> Sight:
        if now < self._next_index_check or self.is_away or not self._is_index_gone():
            return Sight()
        self._next_index_check = now + INDEX_AGAIN_S
        return Sight(compare="files of the index were taken away")

    def distrust(self, reason: str, now: float) -> Sight:
        """Re-arm the watcher because somebody else found it wanting."""
        return self._rearm(reason, now)

    def _wait_for_root(self, now: float) -> Sight:
        if self._gone_since is None:
            self._gone_since = now
            log.warning("the vault folder is gone")
        if now - self._gone_since >= self._gone_s:
            return Sight(ended=GONE)
        return Sight()

    def _rearm(self, reason: str, now: float) -> Sight:
        log.warning("watching again from the start: %s", reason)
        self._watcher.rearm()
        self._retry_events_at = now + RETRY_EVENTS_S
        return Sight(compare=reason)

    def _retry_events(self, now: float) -> Sight:
        is_first = self._retry_events_at == float("-inf")
        self._retry_events_at = now + RETRY_EVENTS_S
        if is_first:
            return Sight()
        self._watcher.rearm()
        return Sight() if self._watcher.is_polling else Sight(compare="events work again")


def is_folder(path: Path) -> bool | None:
    """Say whether a folder is there; ``None`` when the disk does not tell (F03)."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)  # noqa: PTH116 - the error itself matters
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return None
