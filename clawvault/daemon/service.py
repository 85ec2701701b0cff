"""The loop: notice, settle, compare, and prove to be alive.

One worker thread does all comparing and writing; embedding has a thread of its own; all others leave letters and read.
Source: I06 to I13, I28 to I30, design section 1.
"""

from __future__ import annotations

import logging
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from clawvault.config import WatchSettings
from clawvault.daemon.clock import elapsed_s
from clawvault.daemon.embedding_loop import EmbeddingLoop
from clawvault.daemon.logs import describe_bug
from clawvault.daemon.lookout import GONE_S, Lookout, Sight
from clawvault.daemon.mailbox import Mailbox, SyncRequest
from clawvault.daemon.ports import SyncFacts, WatchedVault
from clawvault.daemon.pulse import Pulse, Tally, wall_time
from clawvault.daemon.schedule import SweepSchedule
from clawvault.daemon.settling import Settler
from clawvault.daemon.watcher import Watcher
from clawvault.errors import ClawvaultError

TICK_S = 1.0
DEFER_FIRST_S = 1.0
DEFER_MAX_S = 60.0
# A slow look at the content of every note finds what a restored time hides (B025, F16).
VERIFY_FIRST_S = 3600.0
VERIFY_S = 86_400.0
QUIET_REASONS = frozenset({"asked", "periodic"})
AWAY = "the vault folder is gone"
# Events of an edit may still be on their way when a periodic sweep finds it; only after this it was missed.
MISSED_GRACE_S = 2.0
RETRY_FAULT_FIRST_S = 1.0
RETRY_FAULT_MAX_S = 60.0

T = TypeVar("T")

log = logging.getLogger("clawvault.daemon.service")


class Service:
    """Keep the index of one vault equal to its notes.

    Args:
        root: The vault, links resolved.
        vault: The vault opened for writing; the caller holds the writer lock and closes it.
        mailbox: Where the watcher and the server leave letters.
        watcher: Watches ``root`` and leaves hints in ``mailbox``.
        settings: Times to wait, section ``watch``.
        is_lock_held: Says whether the writer lock is still ours.
        has_new_settings: Says whether to end for other settings.
        clock: Seconds that only go forward, sleep included.
        gone_s: Seconds a vault folder may be away before the service ends.
    """

    def __init__(
        self,
        root: Path,
        vault: WatchedVault,
        mailbox: Mailbox,
        watcher: Watcher,
        settings: WatchSettings,
        *,
        is_lock_held: Callable[[], bool],
        has_new_settings: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = elapsed_s,
        gone_s: float = GONE_S,
    ) -> None:
        self.root = root
        self.mailbox = mailbox
        self.watcher = watcher
        self.embedding = EmbeddingLoop(vault)
        self.tally = Tally()
        self.pulse = Pulse(clock)
        self._vault = vault
        self._settings = settings
        self._clock = clock
        self._lookout = Lookout(
            root,
            watcher,
            is_lock_held=is_lock_held,
            is_index_gone=vault.is_replaced,
            has_new_settings=has_new_settings,
            gone_s=gone_s,
            may_use_events=settings.mode != "polling",
        )
        self._settler = Settler(settle_s=settings.settle_s, settle_max_s=settings.settle_max_s)
        self._schedule = SweepSchedule(sweep_s=settings.sweep_s, poll_s=settings.poll_s, chance=random.random)
        self._deferrals: dict[str, int] = {}
        self._listed_skips: set[str] = set()
        self._verify_at = clock() + VERIFY_FIRST_S
        self._missed: tuple[int, int, float] | None = None
        self._fault_retry_s = RETRY_FAULT_FIRST_S
        self._finished = threading.Event()
        self._ready = threading.Event()
        self._prepare: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._work, name="worker", daemon=True)

    def start(self, prepare: Callable[[], None] | None = None) -> None:
        """Begin to work in a thread.

        Args:
            prepare: Called first in that thread, to open what only the worker uses.
        """
        self._prepare = prepare
        self._thread.start()

    def stop(self) -> None:
        """Ask the worker to end after the note it is at."""
        self.mailbox.stop()
        self.embedding.stop()

    def join(self, timeout_s: float) -> bool:
        """Wait for the end; return whether worker and embedding ended in time."""
        began = self._clock()
        self._thread.join(timeout_s)
        left = max(0.0, timeout_s - (self._clock() - began))
        return self.embedding.join(left) and not self._thread.is_alive()

    def wait_until_ready(self, timeout_s: float) -> bool:
        """Wait for the end of the start-up sweep; return whether it came in time (B023)."""
        return self._ready.wait(timeout_s)

    def wait_until_finished(self, timeout_s: float | None = None) -> bool:
        """Wait until the worker has ended by itself or by ``stop``."""
        return self._finished.wait(timeout_s)

    def request_sync(
        self, timeout_s: float, *, full: bool = False, accept_deletions: bool = False, verify: bool = False
    ) -> str:
        """Have known changes applied, and the disk looked at where that is cheap.

        Args:
            timeout_s: Longest wait in seconds.
            full: Look at the whole disk in any case.
            accept_deletions: A person agreed that missing notes are gone (I10).
            verify: Compare every note by content (B025).

        Returns:
            An empty string when the index was brought up to date, otherwise why not (B027).
        """
        request = SyncRequest(full or accept_deletions or verify, accept_deletions, verify)
        self.mailbox.ask_sync(request)
        if request.done.wait(timeout_s):
            return request.problem
        return self.pulse.stuck() or f"the index is being brought up to date ({self.pulse.doing().what})"

    def n_pending_paths(self) -> int:
        """Return how many paths wait to come to rest."""
        return len(self._settler)

    def _work(self) -> None:
        try:
            self.pulse.beat("opening the index")
            if self._prepare is not None:
                self._guarded(self._prepare)
            self.pulse.beat("starting the watcher")
            self.watcher.start()
            self._schedule.ask("start-up", self._clock())
            while not self.mailbox.is_stopping and not self.tally.ended:
                self._turn()
        except Exception as error:
            self.tally.ended = f"the worker failed with {describe_bug(error)}"
            log.error("%s", self.tally.ended)
            raise
        finally:
            self._finish()

    def _turn(self) -> None:
        """Do everything that is due, then wait for a letter or for the next thing to fall due."""
        self.pulse.beat("waiting")
        now = self._clock()
        letters = self.mailbox.take(0.0 if self._schedule.due(now) else self._wait_s(now))
        if letters.syncs and not self._schedule.is_look_worth_it(self._clock()):
            letters = self.mailbox.take_late(letters)
        self.pulse.beat("looking after the watcher")
        now = self._clock()
        if letters.paths or letters.reasons:
            self.tally.last_event_at = wall_time()
            self._schedule.hear(now)
        for path in letters.paths:
            self._settler.add(path, now)
        for reason in letters.reasons:
            self._schedule.ask(reason, now, delay_s=self._settings.settle_s)
        sight = self._lookout.look(now, self.pulse.take_gap())
        self._heed(sight, now)
        if self.tally.ended or self.mailbox.is_stopping:
            self._answer(letters.syncs, self.tally.ended or "the daemon is stopping")
            return
        self._serve(letters.syncs, must_look=bool(sight.compare))
        reason = self._schedule.due(self._clock())
        if reason:
            self._sweep(reason)
        else:
            self._apply(self._settler.due(self._clock()))
        self._judge_missed()

    def _wait_s(self, now: float) -> float:
        settled_at = self._settler.next_due()
        due = min(now + TICK_S, self._schedule.next_at(), float("inf") if settled_at is None else settled_at)
        return max(0.0, due - now)

    def _heed(self, sight: Sight, now: float) -> None:
        if sight.ended:
            log.warning("ending: %s", sight.ended)
            self.tally.ended = sight.ended
        if sight.compare:
            self._schedule.ask(sight.compare, now)
            if self.watcher.is_polling:
                self._schedule.poll_from(now)
        if self._lookout.is_away:
            self.tally.brake = AWAY

    def _serve(self, requests: tuple[SyncRequest, ...], *, must_look: bool) -> None:
        if not requests:
            return
        asked = must_look or not self.tally.ready or any(request.full for request in requests)
        accept = any(request.accept_deletions for request in requests)
        verify = any(request.verify for request in requests)
        if asked or self._schedule.is_look_worth_it(self._clock()):
            self._answer(requests, self._sweep("asked", accept_deletions=accept, verify=verify))
        else:
            # Where notes are edited all the time, a look at everything before each answer would be all that is done.
            self._answer(requests, self._apply(self._settler.flush()))

    @staticmethod
    def _answer(requests: tuple[SyncRequest, ...], problem: str) -> None:
        for request in requests:
            request.problem = problem
            request.done.set()

    def _sweep(self, reason: str, *, accept_deletions: bool = False, verify: bool = False) -> str:
        if self._lookout.is_away:
            return AWAY
        self._settler.flush()
        hints_before, started = self.mailbox.n_hints, self._clock()
        self.pulse.beat("comparing everything")
        verify = verify or started >= self._verify_at
        report = self._guarded(
            lambda: self._vault.sweep(self._note_progress, verify=verify, accept_deletions=accept_deletions)
        )
        ended, changed = self._clock(), report is None or report.hashed > 0
        self._schedule.swept(started, ended, polling=self.watcher.is_polling, changed=changed)
        if report is None:
            return self._retry_later(ended)
        self._take_report(report)
        self._listed_skips = {skip.path for skip in report.skipped}
        if verify:
            self._verify_at = ended + VERIFY_S
        self.tally.last_sweep_at, self.tally.last_sweep_s = wall_time(), ended - started
        self.tally.last_sweep_reason = reason
        found = report.added + report.changed + report.removed + report.moved
        # Questions and the clock ask often; a log line each would be all there is to read.
        level = logging.DEBUG if reason in QUIET_REASONS and not found else logging.INFO
        log.log(level, "compared everything (%s): %d changes in %.3f s", reason, found, ended - started)
        if reason == "periodic" and found and not self.watcher.is_polling:
            self._missed = (found, hints_before, ended + MISSED_GRACE_S)
        if not self.tally.ready:
            self._become_ready()
        return ""

    def _become_ready(self) -> None:
        self.tally.ready = True
        self._ready.set()
        self.embedding.start()
        log.info("ready, watching by %s", self.watcher.facts().watching)

    def _apply(self, paths: list[str]) -> str:
        if not paths or self._lookout.is_away:
            return AWAY if paths else ""
        self.pulse.beat("reading notes", paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more")
        report = self._guarded(lambda: self._vault.apply_paths(paths, self._note_progress))
        if report is None:
            return self._retry_later(self._clock())
        for path in paths:
            if path not in report.deferred:
                self._deferrals.pop(path, None)
        self._take_report(report)
        if not self._listed_skips.issuperset(skip.path for skip in report.skipped):
            # Only a full comparison knows everything that was left out, and lists it for status.
            self._schedule.ask("something new was left out", self._clock())
        return ""

    def _take_report(self, report: SyncFacts) -> None:
        now = self._clock()
        if self.tally.brake and not report.brake:
            self._schedule.ask("deletions are applied again", now)
        self.tally.brake = report.brake
        for path in report.deferred:
            tries = self._deferrals.get(path, 0)
            self._deferrals[path] = tries + 1
            self._settler.postpone(path, now + self._deferral_s(path, tries))
        if report.pending_chunks and self.tally.ready:
            self.embedding.wake()

    def _deferral_s(self, path: str, tries: int) -> float:
        if not os.path.lexists(self.root / path):
            return self._settings.deletion_delay_s
        return float(min(DEFER_FIRST_S * 2.0**tries, DEFER_MAX_S))

    def _guarded(self, step: Callable[[], T]) -> T | None:
        """Run one step; a fault of disk or index is reported and tried again, and never ends the daemon (F03, F04)."""
        try:
            report = step()
        except ClawvaultError as error:
            self._note_fault(error.message)
            return None
        except Exception as error:  # noqa: BLE001 - the worker is the daemon; whatever fails, it says so and goes on
            self._note_fault(f"{describe_bug(error)} while {self.pulse.doing().what}")
            return None
        self.tally.last_error = ""
        self._fault_retry_s = RETRY_FAULT_FIRST_S
        return report

    def _note_fault(self, message: str) -> None:
        self.tally.last_error = message
        log.error("a step failed: %s", message)

    def _retry_later(self, now: float) -> str:
        self._schedule.ask("after a fault", now, delay_s=self._fault_retry_s)
        self._fault_retry_s = min(self._fault_retry_s * 2, RETRY_FAULT_MAX_S)
        return self.tally.last_error

    def _note_progress(self, path: str) -> None:
        doing = self.pulse.doing()
        self.pulse.beat(doing.what, path or doing.path)

    def _judge_missed(self) -> None:
        """Decide whether what a periodic sweep found had been missed by the watcher (B003)."""
        if self._missed is None or (now := self._clock()) < self._missed[2]:
            return
        (found, hints_before, _), self._missed = self._missed, None
        if self.mailbox.n_hints == hints_before:
            self.tally.missed_by_watcher += found
            self._heed(self._lookout.distrust(f"{found} changes were found that gave no event", now), now)

    def _finish(self) -> None:
        self.pulse.beat("stopping")
        self.mailbox.stop()
        self.embedding.stop()
        self.watcher.stop()
        self._answer(self.mailbox.take(0.0).syncs, "the daemon is stopping")
        self._finished.set()
