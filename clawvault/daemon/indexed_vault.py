"""The real vault as the daemon sees it: one index written by two threads that take turns."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TypeVar

from clawvault.config import Config
from clawvault.daemon.ports import Progress
from clawvault.errors import IndexFaultError
from clawvault.index.connection import DAMAGE, DamagedIndexError
from clawvault.index.indexer import SyncReport
from clawvault.opened import OpenedVault
from clawvault.search.request import SearchRequest
from clawvault.search.result import SearchResult
from clawvault.vault.writing import remove_leftovers

WARM_UP_TEXT = "a warm-up question"
T = TypeVar("T")

log = logging.getLogger("clawvault.daemon.indexed_vault")


class IndexedVault:
    """Offer an ``OpenedVault`` to the daemon's loop.

    Reading notes and storing vectors take turns on one write connection; computing vectors does not hold the turn, so
    a slow or hanging model never keeps a changed note from being findable by its words (I08, F29).

    Args:
        root: The vault, links resolved.
        config: All settings.
        environment: Where keys and the state folder are looked up.
        on_answer: Told each question with its answer.
    """

    def __init__(
        self,
        root: Path,
        config: Config,
        environment: Mapping[str, str],
        *,
        on_answer: Callable[[SearchRequest, SearchResult], None] = lambda _asked, _answer: None,
    ) -> None:
        self._on_answer = on_answer
        self._root = root
        self._turn = threading.Lock()
        self._opened = OpenedVault(root, config, environment)
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
        if removed := remove_leftovers(self._root, time.time()):
            log.info("removed %d files that were left half written", removed)

    def sweep(self, progress: Progress, *, verify: bool = False, accept_deletions: bool = False) -> SyncReport:
        """Compare everything on disk with the index; see ``WatchedVault``."""
        report = self._compare(progress, verify=verify, accept_deletions=accept_deletions)
        self._delay_s = self._watching_delay_s
        return report

    def apply_paths(self, paths: Collection[str], progress: Progress) -> SyncReport:
        """Compare these paths only; see ``WatchedVault``."""
        return self._compare(progress, only=frozenset(paths))

    def embed_pending(self, deadline_s: float) -> int:
        """Embed for about so many seconds, then let a finished generation take over."""

        def step() -> int:
            queue = self._opened.writing().queue
            done = queue.embed_some(deadline_s=deadline_s, computing=self._without_turn)
            if not done:
                queue.finish_generation()
            return done

        return self._write(step)

    def warm_up(self) -> None:
        """Load the model, if there is one, and the vectors."""
        self._opened.warm_up()
        embedder = self._opened.embedder
        if embedder is not None:
            embedder.embed_query(WARM_UP_TEXT)

    def search(
        self, request: Mapping[str, object], *, degraded: tuple[str, ...] = (), stale: bool = False
    ) -> dict[str, object]:
        """Answer a search as the JSON of design section 4."""
        asked = SearchRequest.from_dict(request)
        result = self._read(lambda: self._opened.search(asked, today=_today(), degraded=degraded, stale=stale))
        self._on_answer(asked, result)
        return result.to_dict()

    def why(self, path: str, request: Mapping[str, object], *, degraded: tuple[str, ...] = ()) -> dict[str, object]:
        """Say why a note is not among the hits; see ``OpenedVault.why``."""
        asked = SearchRequest.from_dict(request)
        return self._read(lambda: self._opened.why(path, asked, today=_today(), degraded=degraded))

    def status(self) -> dict[str, object]:
        """Return the facts of the index as JSON."""
        return self._opened.status()

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
        return self._write(
            lambda: self._opened.writing().indexer.sweep(
                verify=verify,
                accept_deletions=accept_deletions,
                deletion_delay_s=0.0 if accept_deletions else self._delay_s,
                progress=lambda _done, _todo, path: progress(path),
                only=only,
            )
        )

    @contextmanager
    def _without_turn(self) -> Iterator[None]:
        self._turn.release()
        try:
            yield
        finally:
            self._turn.acquire()

    def _begin_anew(self) -> None:
        """Put the damaged index aside; the next comparison fills a new one, and notes are not involved (I20)."""
        log.error("the index is damaged and is built anew")
        self._opened.set_index_aside()
        self._opened.writing()

    def _read(self, step: Callable[[], T]) -> T:
        try:
            return step()
        except DamagedIndexError:
            with self._turn:
                self._begin_anew()
            raise

    def _write(self, step: Callable[[], T]) -> T:
        with self._turn:
            try:
                return step()
            except (*DAMAGE, DamagedIndexError) as error:
                self._begin_anew()
                raise IndexFaultError("The index was damaged.", "It is being built again.") from error


def _today() -> date:
    return datetime.now().astimezone().date()
