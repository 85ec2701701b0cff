"""Run the daemon of one vault in this process, from the lock to the last log line."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import FrameType

from clawvault.config import CONFIG_PATH, Config
from clawvault.daemon.answering import Answering
from clawvault.daemon.clock import elapsed_s
from clawvault.daemon.listening import Listener
from clawvault.daemon.lock import WriterLock, find_holder
from clawvault.daemon.logs import start_log, stop_log
from clawvault.daemon.lookout import GONE, GONE_S, LOCK_LOST, NEW_SETTINGS, is_folder
from clawvault.daemon.mailbox import Mailbox
from clawvault.daemon.nightly import NightlyLoop
from clawvault.daemon.ports import Dreaming
from clawvault.daemon.pulse import wall_time
from clawvault.daemon.server import Server
from clawvault.daemon.service import Service
from clawvault.daemon.watcher import PathFilter, Watcher
from clawvault.errors import ClawvaultError, ConfigError, LockedError
from clawvault.vault.paths import state_folder
from clawvault.vault.state_place import is_of_another

# What is left of the five seconds a service manager is promised (I30) goes to the interpreter's own end.
STOP_S = 4.0
STEP_S = 0.2
LOCK_WAIT_S = 5.0
# Nobody waits for a daemon that starts anew, and a thread that loads a model cannot be interrupted.
RELOAD_S = 120.0
GOES_ON = frozenset({LOCK_LOST, NEW_SETTINGS})
BEGINS_AGAIN = "The state folder or the lock in it was removed; beginning again."
OTHER_VAULT = "Another vault is at this path now; beginning again."
INTERRUPTED = 130

# Takes the vault, its settings and its state folder.
MakeDreaming = Callable[[Path, Config, Path], Dreaming]

log = logging.getLogger("clawvault.daemon.running")


class Daemon:
    """The daemon of one vault: holds the writer lock, keeps the index and answers questions.

    Args:
        root: The vault.
        config: All settings.
        environment: Where keys and the state folder are looked up.
        has_new_settings: Says whether to end so that it can be started with other settings.
        clock: Seconds that only go forward, sleep included.
        gone_s: Seconds the vault folder may be away before the daemon ends.
        lock: A writer lock this process holds already, of the daemon before; used when it is that of this vault.
        dreaming: Makes what looks once a local date for what deserves to stay; without it nothing is counted.

    Raises:
        LockedError: Another process is the writer of this vault.
    """

    def __init__(
        self,
        root: Path,
        config: Config,
        environment: Mapping[str, str],
        *,
        has_new_settings: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = elapsed_s,
        gone_s: float = GONE_S,
        lock: WriterLock | None = None,
        dreaming: MakeDreaming | None = None,
    ) -> None:
        # Imported here, since who only asks a daemon must not pay for the index.
        from clawvault.daemon.indexed_vault import IndexedVault

        root = root.resolve()
        self.state = state_folder(root, config, environment)
        dreams = None if dreaming is None else dreaming(root, config, self.state)
        self._nightly = None if dreams is None else NightlyLoop(dreams)
        self._vault = IndexedVault(
            root,
            config,
            environment,
            on_begun=self._go_on,
            **({} if dreams is None else {"on_answer": dreams.record}),
        )
        self.lock = self._take_lock(lock)
        try:
            listener = Listener(self.state)
            self._log = start_log(self.state)
        except BaseException:
            self.lock.release()
            raise
        self.mailbox = Mailbox()
        watcher = Watcher(
            root, PathFilter(root, self.state, config.index.extensions), self.mailbox, mode=config.watch.mode
        )
        self.service = Service(
            root,
            self._vault,
            self.mailbox,
            watcher,
            config.watch,
            is_lock_held=lambda: self.lock.is_held() and not is_of_another(self.state, root),
            has_new_settings=has_new_settings,
            clock=clock,
            gone_s=gone_s,
        )
        self._answering = Answering(
            self.service,
            self._vault,
            self.state,
            started_at=wall_time(),
            dream_status=dict if dreams is None else dreams.status,
        )
        self._listener = listener
        self._server = Server(listener, self._answering.answer)

    def _take_lock(self, held: WriterLock | None) -> WriterLock:
        """Wait for a command that writes for a moment, but not for another daemon."""
        if held is not None and held.state == self.state and held.is_held():
            return held
        lock = WriterLock(self.state, kind="daemon")
        try:
            lock.acquire()
        except LockedError:
            holder = find_holder(self.state)
            if holder is None or holder.kind == "daemon":
                raise
            lock.acquire(timeout_s=LOCK_WAIT_S)
        if held is not None:
            held.release()
        return lock

    def start(self) -> None:
        """Answer questions from now on and begin to compare."""
        log.info("started, process %d", os.getpid())
        self._server.start()
        self.service.start(self._vault.open)
        if self._nightly is not None:
            self._nightly.start()

    def _go_on(self) -> None:
        self.mailbox.look_everywhere("another index was begun")
        self.service.embedding.try_now()

    def keep_reachable(self) -> None:
        """Listen anew when the address was taken away, and say so in the log."""
        if self._listener.is_reachable() or self.mailbox.is_stopping or not is_folder(self.state):
            return
        log.warning("the socket was removed; listening again")
        self._server.stop()
        self._listener = Listener(self.state)
        self._server = Server(self._listener, self._answering.answer)
        self._server.start()

    def stop(self, timeout_s: float = STOP_S) -> bool:
        """End everything and give the lock back.

        Args:
            timeout_s: Seconds to wait for the work at hand.

        Returns:
            False when a thread did not end in time. Then the lock stays held, since that thread may still write:
            only the end of the process gives it back.
        """
        self.service.stop()
        if self._nightly is not None:
            self._nightly.stop()
        self._server.stop()
        return self.finish(timeout_s)

    def finish(self, timeout_s: float) -> bool:
        """Wait so many seconds for the end of a daemon that was stopped; return as ``stop`` does."""
        give_up_at = elapsed_s() + timeout_s
        if not self.service.join(timeout_s):
            return False
        if self._nightly is not None and not self._nightly.join(max(0.0, give_up_at - elapsed_s())):
            return False
        log.info("stopped: %s", self.service.tally.ended or "asked to")
        stop_log(self._log)
        self._vault.close()
        # The daemon that follows in this process takes the lock over, so that no command slips in between.
        if self.service.tally.ended != NEW_SETTINGS:
            self.lock.release()
        return True


def run_daemon(
    root: Path,
    config: Config,
    environment: Mapping[str, str],
    *,
    reload: Callable[[], Config] | None = None,
    on_start: Callable[[], None] | None = None,
    on_ready: Callable[[], None] | None = None,
    dreaming: MakeDreaming | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> int:
    """Run the daemon in the foreground until it is told to end.

    SIGTERM, SIGHUP and one SIGINT end it in order and within five seconds; a second SIGINT ends it at once. Where the
    writer lock was lost, most likely with the whole state folder, it asks for a new one and begins again.

    Args:
        root: The vault.
        config: All settings.
        environment: Where keys and the state folder are looked up.
        reload: Reads the settings again; with it the daemon starts anew when they have changed.
        on_start: Called once when it is the writer of the vault.
        on_ready: Called once when the start-up sweep is done and the watcher runs.
        dreaming: As for ``Daemon``.
        tell: Told what a person has to know who asked for none of it: that it begins again, or why it ends.

    Returns:
        The exit code: 0 after a stop that was asked for, 130 after SIGINT, 1 when the vault was lost.

    Raises:
        LockedError: Another process is the writer of this vault.
    """
    signals = _Signals()
    working, lock = config, None
    while True:
        settings = _SettingsFile(root, config, reload)
        begin = partial(
            Daemon, root, environment=environment, has_new_settings=settings.have_changed, lock=lock, dreaming=dreaming
        )
        try:
            daemon = begin(config=config)
        except ClawvaultError as error:
            if config is working:
                raise
            # New settings that cannot be used must not end a daemon that worked with the old ones.
            log.warning("settings not taken: %s", error.message)
            daemon = begin(config=working)
        else:
            working = config
        if on_start is not None:
            on_start()
            on_start = None
        daemon.start()
        _wait_for_end(daemon, signals, on_ready)
        in_time = daemon.stop(STOP_S)
        ended = daemon.service.tally.ended
        if ended in GOES_ON and not in_time:
            in_time = _finish_patiently(daemon, signals)
        if ended not in GOES_ON or signals.last or not in_time:
            break
        on_ready = None
        if ended == LOCK_LOST:
            # Whoever holds the new lock meanwhile is the writer; then beginning again fails and names the holder.
            tell(OTHER_VAULT if is_of_another(daemon.state, root) else BEGINS_AGAIN)
            settings.have_changed()
            config, lock = settings.newest, None
        else:
            config, lock = settings.newest, daemon.lock
    if ended and not signals.last:
        tell(f"Ended: {ended}. {_next_step(ended)}")
    code = INTERRUPTED if signals.last == signal.SIGINT else int(bool(ended) and not signals.last)
    if not in_time:
        log.warning("ending although a thread is still at work: %s", ended or "asked to")
        # A thread sits in a model or a dead disk. The index is safe at any point (F01), so the process may just end.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    daemon.lock.release()
    return code


def _next_step(ended: str) -> str:
    if ended == GONE:
        return 'Run "clawvault watch" again when it is back.'
    return 'What led to it is at the end of daemon.log in the state folder; run "clawvault watch" again.'


def _wait_for_end(daemon: Daemon, signals: _Signals, on_ready: Callable[[], None] | None) -> None:
    # Waiting in short steps lets Windows deliver signals, which only run between steps there.
    while not (daemon.service.wait_until_finished(STEP_S) or daemon.mailbox.is_stopping or signals.last):
        if on_ready is not None and daemon.service.wait_until_ready(0.0):
            on_ready()
            on_ready = None
        daemon.keep_reachable()


def _finish_patiently(daemon: Daemon, signals: _Signals) -> bool:
    give_up_at = elapsed_s() + RELOAD_S
    while not signals.last and elapsed_s() < give_up_at:
        if daemon.finish(STEP_S):
            return True
    return False


class _Signals:
    """Remember that the process was asked to end.

    A handler may run while the main thread holds any lock, so it only sets a number.
    """

    def __init__(self) -> None:
        self.last = 0
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is not None:
                signal.signal(number, self._take)

    def _take(self, number: int, _: FrameType | None) -> None:
        if number == signal.SIGINT and self.last == signal.SIGINT:
            os._exit(INTERRUPTED)
        self.last = number


class _SettingsFile:
    """Notice that the settings in the vault are no longer those in use; costs a stat."""

    def __init__(self, root: Path, config: Config, reload: Callable[[], Config] | None) -> None:
        self._path = root / CONFIG_PATH
        self._reload = reload
        self._seen = self._stat()
        self.newest = config

    def have_changed(self) -> bool:
        if self._reload is None or (seen := self._stat()) == self._seen:
            return False
        self._seen = seen
        before = self.newest
        try:
            self.newest = self._reload()
        except ConfigError as error:
            # A person is perhaps still typing; the settings in use stay until the file makes sense.
            log.warning("settings not taken: %s", error.message)
            return False
        return self.newest != before

    def _stat(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino
