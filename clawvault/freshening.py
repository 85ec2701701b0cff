"""Bring the index up to date: all of it when asked to, and before an answer as much as is quick."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from clawvault.daemon.lock import WriterLock
from clawvault.errors import EmbedderError, IndexFaultError, LockedError
from clawvault.index.connection import INDEX_NAME, DamagedIndexError, index_faults
from clawvault.index.indexer import SyncReport, compare
from clawvault.index.store import Store
from clawvault.index.writing_session import WritingSession
from clawvault.opened import OpenedVault
from clawvault.search.request import SearchRequest

# A search brings the index up to date by itself when that takes about a second.
FEW_NOTES = 50
FEW_BYTES = 2_000_000
FEW_TEXTS = 64
EMBED_S = 1.0

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
    total = session.queue.count_pending()
    if total:
        # A model may take seconds to load before the first text is done.
        progress("texts", 0, total)
    report.embedded_texts = session.queue.embed_some(progress=lambda done: progress("texts", done, total))
    progress("finish", 0, 0)
    session.queue.finish_generation()
    session.store.checkpoint()
    report.pending_chunks = session.queue.count_pending()
    return report


def _ignore(_stage: str, _done: int, _total: int) -> None:
    """Take a step nobody wants to know of."""


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
    try:
        with WriterLock(opened.state, kind="search"), index_faults():
            session = opened.writing()
            try:
                return _catch_up(session, request, progress or _ignore)
            finally:
                opened.close_writing()
    except LockedError:
        return _behind(opened)
    except DamagedIndexError:
        raise
    except (OSError, IndexFaultError) as error:
        # On a full or read-only disk the notes found so far are still worth answering from (F05, F32).
        problem = error.message if isinstance(error, IndexFaultError) else f"{error.strerror or error}"
        return (f"the index cannot be written: {problem}", *_behind(opened))


def _catch_up(session: WritingSession, request: SearchRequest, progress: Progress) -> tuple[str, ...]:
    _, known, changes = session.indexer.compare()
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
        progress("texts", 0, n_pending)
        try:
            session.queue.embed_some(
                deadline_s=None if request.sync else EMBED_S, progress=lambda done: progress("texts", done, n_pending)
            )
            session.queue.finish_generation()
        except EmbedderError as error:
            return (f"new text has no vector yet: {error.message}",)
    return ()


def _behind(opened: OpenedVault) -> tuple[str, ...]:
    if not (opened.state / INDEX_NAME).exists():
        return ("the index is being made",)
    with index_faults(), closing(Store(opened.state / INDEX_NAME, writer=False)) as store:
        _, _, changes = compare(opened.root, opened.state, opened.config, store)
    return (_say_behind(changes.n_behind),) if changes.n_behind else ()


def _say_behind(n_notes: int) -> str:
    return f"index behind by {n_notes} {'note' if n_notes == 1 else 'notes'}"
