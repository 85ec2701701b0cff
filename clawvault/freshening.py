"""Bring the index up to date: all of it when asked to, and before an answer as much as is quick."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import date

from clawvault.daemon.lock import WriterLock
from clawvault.errors import EmbedderError, IndexFaultError, LockedError
from clawvault.index.changes import ChangeSet
from clawvault.index.connection import INDEX_NAME, DamagedIndexError, index_faults
from clawvault.index.indexer import SyncReport, compare
from clawvault.index.store import Store
from clawvault.index.writing_session import WritingSession
from clawvault.opened import OpenedVault
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import SearchResult
from clawvault.vault.glance import Glance, take_glance
from clawvault.vault.identity_baseline import notice_edits
from clawvault.vault.listing import Listing

# A search brings the index up to date by itself when that takes about a second.
FEW_NOTES = 50
FEW_BYTES = 2_000_000
FEW_TEXTS = 64
EMBED_S = 1.0
# A glance at all notes that takes no longer is taken before every question.
CHEAP_S = 0.01
# A longer one is taken beside the answers while questions come faster than this: again after so many times its own
# length, and at the latest after this time.
GLANCES = 20
FAST_S = 1.0
# An answer waits for a look where the one beside it does not come to its end.
OLDEST_S = 2.0
# How long a question waits while another one brings the index up to date.
WAIT_S = 0.5

Progress = Callable[[str, int, int], None]


def bring_up_to_date(
    opened: OpenedVault, *, rebuild: bool, verify: bool, accept_deletions: bool, progress: Progress | None
) -> SyncReport:
    """Index every note and embed every text; see ``Vault.index``.

    Raises:
        DamagedIndexError: The index must be set aside first.
        LockedError: Another process writes this index.
    """
    with WriterLock(opened.state, kind="index"), index_faults():
        session = opened.writing(check=True)
        try:
            if rebuild:
                session.queue.begin_rebuild()
            report = _sweep(session, progress or _ignore, verify=verify, accept_deletions=accept_deletions)
            notice_edits(opened.root, opened.state)
            return _embed_all(session, report, progress or _ignore)
        finally:
            opened.close_writing()


def _sweep(
    session: WritingSession, progress: Progress, *, verify: bool = False, accept_deletions: bool = False
) -> SyncReport:
    progress("compare", 0, 0)
    return session.indexer.sweep(
        verify=verify,
        accept_deletions=accept_deletions,
        progress=lambda done, total, _: progress("notes", done, total),
    )


def _embed_all(session: WritingSession, report: SyncReport, progress: Progress) -> SyncReport:
    total = session.queue.count_texts()
    if total:
        # A model may take seconds to load before the first text is done.
        progress("texts", 0, total)
    report.embedded_texts = session.queue.embed_some(progress=lambda done: progress("texts", done, total)).n_texts
    progress("finish", 0, 0)
    session.queue.finish_generation()
    session.store.checkpoint()
    report.pending_chunks = session.queue.count_pending()
    return report


def _ignore(_stage: str, _done: int, _total: int) -> None:
    """Take a step nobody wants to know of."""


class Freshness:
    """Know for a process that asks again and again that the index is still true.

    A comparison lists all notes and reads the whole table of notes; it takes tens of milliseconds for thousands of
    notes. Where the last one found nothing missing, a glance at the times of the same files and folders tells that the
    next would find nothing either. The question after a comparison takes the first, so that who asks once pays for
    none. A glance is taken for every question while it takes no more than ``CHEAP_S``; in a larger vault by a thread
    of its own where the last question is not yet ``FAST_S`` old, else before the answer. Until the thread has looked,
    for about a second, an edit by another program may be missing from an answer, yet none is ever shown as it was: the
    notes of all hits are looked at on disk, and where one differs everything is compared and the question answered
    again.

    Args:
        opened: The vault.
        clock: Seconds that only grow.
    """

    def __init__(self, opened: OpenedVault, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self.n_compared = 0
        self.n_glanced = 0
        self._opened = opened
        self._clock = clock
        self._glance: Glance | None = None
        # What was compared and when that began, until the next question takes a glance at it.
        self._listed: tuple[Listing, int] | None = None
        self._identity: object = None
        self._asked_at = float("-inf")
        self._glanced_at = 0.0
        self._glance_s = 0.0
        self._is_glancing = False
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Compare before the next answer: this process has written notes, or seen that something changed."""
        self._glance = self._listed = None

    def ensure(self, request: SearchRequest, progress: Progress | None = None) -> tuple[str, ...]:
        """Make the index true for one question; see ``freshen``.

        Who asks meanwhile waits for the same look, but not for a long run of work: its answer says what is missing.
        """
        if not self._lock.acquire(timeout=-1 if request.sync else WAIT_S):
            return freshen(self._opened, request, progress)
        try:
            if not request.sync and self._is_true(request):
                return ()
            self.n_compared += 1
            self.forget()
            listed_ns, identity = time.time_ns(), self._opened.index_identity()
            missing, listing = _freshen(self._opened, request, progress or _ignore)
            if not missing and listing is not None:
                self._listed = listing, listed_ns
                self._identity = self._opened.index_identity() if identity is None else identity
            return missing
        finally:
            self._lock.release()

    def answer(self, request: SearchRequest, *, today: date, progress: Progress | None = None) -> SearchResult:
        """Answer one question from an index that is true.

        Args:
            request: The question.
            today: The local day.
            progress: As for ``Vault.index``.
        """
        n_compared = self.n_compared
        result = self._answer_once(request, today, progress)
        if not result.stale or self.n_compared > n_compared:
            return result
        # A hit is no longer what the index says: something changed since the last look.
        self.forget()
        return self._answer_once(request, today, progress)

    def _answer_once(self, request: SearchRequest, today: date, progress: Progress | None) -> SearchResult:
        began = self._clock()
        behind = self.ensure(request, progress)
        freshen_ms = (self._clock() - began) * 1000
        result = self._opened.search(request, today=today, degraded=behind, stale=bool(behind))
        return replace(result, timings_ms={"freshen": freshen_ms, **result.timings_ms})

    def _is_true(self, request: SearchRequest) -> bool:
        glance, listed = self._glance, self._listed
        if (glance is None and listed is None) or self._identity != self._opened.index_identity():
            return False
        # Texts without a vector are embedded before a question that vectors matter for.
        if request.mode != "fts" and 0 < self._opened.count_pending() <= FEW_TEXTS:
            return False
        began = self._clock()
        age_s, since_asked_s, self._asked_at = began - self._glanced_at, began - self._asked_at, began
        if glance is None:
            return listed is not None and self._take_first(*listed)
        if self._glance_s > CHEAP_S and since_asked_s < FAST_S and age_s < OLDEST_S:
            if age_s >= min(GLANCES * self._glance_s, FAST_S) and not self._is_glancing:
                self._is_glancing = True
                threading.Thread(target=self._glance_beside, args=(glance,), daemon=True).start()
            return True
        self.n_glanced += 1
        is_true = glance.is_still_true()
        self._glanced_at = self._clock()
        self._glance_s = self._glanced_at - began
        return is_true

    def _take_first(self, listing: Listing, listed_ns: int) -> bool:
        """Take a glance at what was compared; return whether nothing was touched since."""
        began = self._clock()
        self._listed, self._glance = None, take_glance(self._opened.root, listing, listed_ns=listed_ns)
        if self._glance is None:
            return False
        self.n_glanced += 1
        self._glanced_at = self._clock()
        self._glance_s = self._glanced_at - began
        return True

    def _glance_beside(self, glance: Glance) -> None:
        """Take a glance while questions are answered; the first question after it learns what it saw."""
        began = self._clock()
        is_true = glance.is_still_true()
        with self._lock:
            self._is_glancing = False
            if self._glance is not glance:
                return
            self.n_glanced += 1
            self._glanced_at = self._clock()
            self._glance_s = self._glanced_at - began
            if not is_true:
                self._glance = None


def freshen(opened: OpenedVault, request: SearchRequest, progress: Progress | None = None) -> tuple[str, ...]:
    """Make the index true for one question.

    Args:
        opened: The vault.
        request: Its ``sync`` asks to wait however long it takes, its ``mode`` whether vectors matter.
        progress: As for ``Vault.index``.

    Returns:
        What is missing all the same, one sentence each; empty when the index equals the notes.

    Raises:
        DamagedIndexError: The index must be set aside first.
    """
    return _freshen(opened, request, progress or _ignore)[0]


def _freshen(opened: OpenedVault, request: SearchRequest, progress: Progress) -> tuple[tuple[str, ...], Listing | None]:
    """Return what ``freshen`` does, and what the disk was listed to hold."""
    try:
        with WriterLock(opened.state, kind="search"), index_faults():
            session = opened.writing()
            try:
                listing, known, changes = session.indexer.compare()
                notice_edits(opened.root, opened.state)
                return _catch_up(session, request, progress, known=bool(known), changes=changes), listing
            finally:
                opened.close_writing()
    except LockedError:
        return _behind(opened)
    except DamagedIndexError:
        raise
    except (OSError, IndexFaultError) as error:
        # On a full or read-only disk the notes found so far are still worth answering from (F05, F32).
        problem = error.message if isinstance(error, IndexFaultError) else f"{error.strerror or error}"
        behind, found = _behind(opened)
        return (f"the index cannot be written: {problem}", *behind), found


def _catch_up(
    session: WritingSession, request: SearchRequest, progress: Progress, *, known: bool, changes: ChangeSet
) -> tuple[str, ...]:
    files = (*changes.added, *changes.suspects)
    few = changes.n_behind <= FEW_NOTES and sum(file.size for file in files) <= FEW_BYTES
    if not changes.is_empty and (few or request.sync or not known):
        report = _sweep(session, progress)
        if report.brake:
            return (f"{report.brake}; they are kept until you run: clawvault index --accept-deletions",)
    elif changes.n_behind:
        return (_say_behind(changes.n_behind),)
    n_pending = 0 if request.mode == "fts" else session.queue.count_pending()
    if request.mode != "fts" and (request.sync or 0 < n_pending <= FEW_TEXTS):
        n_texts = session.queue.count_texts()
        progress("texts", 0, n_texts)
        try:
            session.queue.embed_some(
                deadline_s=None if request.sync else EMBED_S, progress=lambda done: progress("texts", done, n_texts)
            )
            session.queue.finish_generation()
        except EmbedderError as error:
            return (f"new text has no vector yet: {error.message}",)
    return ()


def _behind(opened: OpenedVault) -> tuple[tuple[str, ...], Listing | None]:
    if not (opened.state / INDEX_NAME).exists():
        return ("the index is being made",), None
    with index_faults(), closing(Store(opened.state / INDEX_NAME, writer=False)) as store:
        found = compare(opened.root, opened.state, opened.config, store)
    listing, changes = found[0], found[2]
    return ((_say_behind(changes.n_behind),) if changes.n_behind else ()), listing


def _say_behind(n_notes: int) -> str:
    return f"index behind by {n_notes} {'note' if n_notes == 1 else 'notes'}"
