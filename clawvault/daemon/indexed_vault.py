"""The real vault as the daemon sees it: one index written by two threads that take turns."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TypeVar

from clawvault.config import Config
from clawvault.daemon.lookout import is_folder
from clawvault.daemon.ports import Progress
from clawvault.embed.turns import GiveWay
from clawvault.errors import IndexFaultError
from clawvault.index.connection import DAMAGE, INDEX_NAME, DamagedIndexError
from clawvault.index.damage import find_damaged
from clawvault.index.indexer import SyncReport
from clawvault.opened import OpenedVault
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import SearchResult
from clawvault.vault.identity_baseline import notice_edits
from clawvault.vault.local_time import day_of_question
from clawvault.vault.writing import remove_leftovers

WARM_UP_TEXT = "a warm-up question"
# A question does not wait for a long comparison to find out that the index was taken away.
LOOK_S = 1.0
BEING_BUILT = "the index is being built again, so notes may be missing"
T = TypeVar("T")

log = logging.getLogger("clawvault.daemon.indexed_vault")


class _BegunAnewError(Exception):
    """Say that the index was begun anew while a step let others at it."""


class IndexedVault:
    """Offer an ``OpenedVault`` to the daemon's loop.

    Reading notes and storing vectors take turns on one write connection; computing vectors does not hold the turn, so
    a slow or hanging model never keeps a changed note from being findable by its words (I08, F29). Vectors are computed
    between questions, where these leave time for it.

    Args:
        root: The vault, links resolved.
        config: All settings.
        environment: Where keys and the state folder are looked up.
        on_answer: Told each question with its answer.
        on_begun: Told that another index was begun, which has yet to be filled; must not wait for anything.
    """

    def __init__(
        self,
        root: Path,
        config: Config,
        environment: Mapping[str, str],
        *,
        on_answer: Callable[[SearchRequest, SearchResult], None] = lambda _asked, _answer: None,
        on_begun: Callable[[], None] = lambda: None,
    ) -> None:
        self._on_answer = on_answer
        self._on_begun = on_begun
        self._identity: tuple[tuple[int, int], ...] | None = None
        self._n_begun = 0
        self._is_filled = True
        self._root = root
        self._turn = threading.Lock()
        self._give_way = GiveWay()
        self._opened = OpenedVault(root, config, environment, crowded=True)
        self._opened.no_vectors = "its vectors are still being made"
        # What went while nobody watched is gone for good; only what goes before our eyes may be coming back (I10).
        # Without this, rows of gone notes would pile up over short lives until they look like a mass deletion.
        self._delay_s = 0.0
        self._watching_delay_s = config.watch.deletion_delay_s

    @property
    def state(self) -> Path:
        """Return the state folder of the vault."""
        return self._opened.state

    def open(self) -> None:
        """Open the index for writing and look it through for damage; the writer lock is held (I20)."""
        with self._turn:
            self._opened.writing(check=True)
            self._identity = self._opened.index_identity()
        if removed := remove_leftovers(self._root, time.time()):
            log.info("removed %d files that were left half written", removed)

    def is_replaced(self) -> bool:
        """Say whether files of the index were taken away or replaced since they were opened; costs a few stats."""
        return (
            self._identity is not None
            and self._identity != self._opened.index_identity()
            and bool(is_folder(self._opened.state))
        )

    def sweep(self, progress: Progress, *, verify: bool = False, accept_deletions: bool = False) -> SyncReport:
        """Compare everything on disk with the index; see ``WatchedVault``."""
        report = self._compare(progress, verify=verify, accept_deletions=accept_deletions)
        self._delay_s = self._watching_delay_s
        return report

    def apply_paths(self, paths: Collection[str], progress: Progress) -> SyncReport:
        """Compare these paths only; see ``WatchedVault``."""
        return self._compare(progress, only=frozenset(paths))

    def embed_pending(self, deadline_s: float) -> bool:
        """Embed for about so many seconds, and let a finished generation take over; see ``WatchedVault``."""

        def step() -> bool:
            queue, n_begun = self._opened.writing().queue, self._n_begun
            done = queue.embed_some(deadline_s=deadline_s, computing=lambda: self._without_turn(n_begun))
            if done.is_all:
                queue.finish_generation()
            return done.is_all

        return self._write(step)

    def warm_up(self) -> None:
        """Load the model, if there is one, and the vectors."""
        self._read(self._opened.warm_up)
        embedder = self._opened.embedder
        if embedder is not None:
            embedder.embed_query(WARM_UP_TEXT)

    def search(
        self, request: Mapping[str, object], *, degraded: tuple[str, ...] = (), stale: bool = False
    ) -> dict[str, object]:
        """Answer a search as the JSON of design section 4."""
        asked = SearchRequest.from_dict(request)

        def step() -> SearchResult:
            missing = self._missing()
            return self._opened.search(
                asked, today=self._day(), degraded=(*degraded, *missing), stale=stale or bool(missing)
            )

        with self._give_way.question():
            result = self._read(step)
        self._on_answer(asked, result)
        return result.to_dict()

    def why(self, path: str, request: Mapping[str, object], *, degraded: tuple[str, ...] = ()) -> dict[str, object]:
        """Say why a note is not among the hits; see ``OpenedVault.why``."""
        asked = SearchRequest.from_dict(request)
        with self._give_way.question():
            missing = (*degraded, *self._missing())
            return self._read(lambda: self._opened.why(path, asked, today=self._day(), degraded=missing))

    def status(self) -> dict[str, object]:
        """Return the facts of the index as JSON."""
        status = self._read(self._opened.status)
        return {**status, "degraded": [*status["degraded"], *self._missing()]}

    def close(self) -> None:
        """Let go of the index."""
        self._opened.close()

    def _compare(
        self,
        progress: Progress,
        *,
        verify: bool = False,
        accept_deletions: bool = False,
        only: frozenset[str] | None = None,
    ) -> SyncReport:
        def step() -> SyncReport:
            # Pages that a connection has read once hide what became of them on disk.
            if verify and find_damaged(self._opened.state / INDEX_NAME):
                raise DamagedIndexError("The index is damaged.")
            session = self._opened.writing()
            n_written = session.store.n_written
            report = session.indexer.sweep(
                verify=verify,
                accept_deletions=accept_deletions,
                deletion_delay_s=0.0 if accept_deletions else self._delay_s,
                progress=lambda _done, _todo, path: progress(path),
                only=only,
            )
            self._is_filled |= only is None
            if only is None:
                session.store.tidy(n_written)
            return report

        report = self._write(step)
        if only is None or any("/" not in path for path in only):
            notice_edits(self._root, self.state)
        return report

    @contextmanager
    def _without_turn(self, n_begun: int) -> Iterator[None]:
        """Let others at the index; fails when they left another one than the step began with."""
        self._fail_if_begun_since(n_begun)
        self._turn.release()
        try:
            # On a busy machine a model that computes beside a question takes as much of the processor as its answer.
            self._give_way.pause()
            yield
        finally:
            self._turn.acquire()
        self._fail_if_begun_since(n_begun)

    def _fail_if_begun_since(self, n_begun: int) -> None:
        if self._n_begun != n_begun:
            raise _BegunAnewError

    def _day(self) -> date:
        return day_of_question(self._opened.config)

    def _missing(self) -> tuple[str, ...]:
        return () if self._is_filled else (BEING_BUILT,)

    def _look_after(self) -> None:
        """Open what is there now when files were taken away or replaced; the turn is ours (F44)."""
        if self.is_replaced():
            log.warning("files of the index were taken away or replaced; what is missing is made anew")
            self._opened.close()
            self._begin()

    def _begin_anew(self, n_begun: int) -> None:
        """Put the damaged index aside; the next comparison fills a new one, and notes are not involved (I20)."""
        if self._n_begun != n_begun:
            # Another thread stumbled over the same damage first; what it began is not what was damaged.
            return
        log.error("the index is damaged and is built anew")
        self._opened.set_index_aside()
        self._begin()

    def _begin(self) -> None:
        self._opened.writing()
        before, self._identity = self._identity, self._opened.index_identity()
        if before is None or self._identity is None or before[0] != self._identity[0]:
            self._is_filled = False
        self._n_begun += 1
        self._on_begun()

    def _read(self, step: Callable[[], T]) -> T:
        if self.is_replaced() and self._turn.acquire(timeout=LOOK_S):
            try:
                self._look_after()
            finally:
                self._turn.release()
        n_begun = self._n_begun
        try:
            return step()
        except DamagedIndexError:
            with self._turn:
                self._begin_anew(n_begun)
        return step()

    def _write(self, step: Callable[[], T]) -> T:
        """Take one step; where the index was damaged or begun anew on the way, once more with the new one."""
        with self._turn:
            self._look_after()
            n_begun = self._n_begun
            try:
                return step()
            except _BegunAnewError:
                log.info("a step is taken again with the new index")
            except (*DAMAGE, DamagedIndexError):
                self._begin_anew(n_begun)
            try:
                return step()
            except (*DAMAGE, DamagedIndexError, _BegunAnewError) as error:
                raise IndexFaultError("The index was damaged.", "It is being built again.") from error
