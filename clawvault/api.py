"""The Python API: open a vault, search it, read it, keep its index true.

    import clawvault

    with clawvault.open_vault("notes") as vault:
        for hit in vault.search("which port does the database use").hits:
            print(hit.path, hit.line_start, hit.snippet)

Everything runs in this process, unless ``use_daemon`` asks a running ``clawvault watch``. There is no global state.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from clawvault.config import Config, load_config
from clawvault.daemon.lock import WriterLock, find_holder
from clawvault.embed.protocol import Embedder
from clawvault.errors import NotFoundError, UsageError
from clawvault.freshening import freshen
from clawvault.index.connection import INDEX_NAME, DamagedIndexError, index_faults
from clawvault.index.indexer import SyncReport
from clawvault.index.store import Store
from clawvault.index.writing_session import WritingSession
from clawvault.opened import OpenedVault
from clawvault.search.request import SearchRequest
from clawvault.search.result import SearchResult
from clawvault.vault.ignoring import read_ignore_rules
from clawvault.vault.listing import Listing, Skip, list_notes
from clawvault.vault.locating import locate_vault
from clawvault.vault.lookup import look_up, refusal
from clawvault.vault.notes import read_note
from clawvault.vault.paths import parse_note_path
from clawvault.vault.tree import TreeEntry, build_tree

__all__ = ["NoteLines", "Vault", "locate_vault", "open_vault"]

REBUILT = "the index was damaged and has been built again"

Progress = Callable[[str, int, int], None]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class NoteLines:
    """A range of a note: ``text`` is the exact slice of lines ``line_start``..``line_end`` (1-based, inclusive)."""

    path: str
    line_start: int
    line_end: int
    n_lines: int
    text: str
    sha256: str
    encoding: str

    def to_dict(self) -> dict[str, Any]:
        """Return the range as JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


class Vault:
    """One vault, ready to search; a context manager, usable without one.

    Args:
        root: The vault folder.
        config: All settings.
        environment: Where keys and the state folder are looked up.
        embedder: Used in place of the one the settings ask for.
    """

    def __init__(
        self, root: Path, config: Config, environment: Mapping[str, str], *, embedder: Embedder | None = None
    ) -> None:
        self.root = root
        self.config = config
        self.opened = OpenedVault(root, config, environment, embedder=embedder)

    def __enter__(self) -> Vault:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the index; safe to call twice."""
        self.opened.close()

    def search(self, query: str, *, limit: int = 10, mode: str = "hybrid", **options: Any) -> SearchResult:
        """Answer a question from notes as they are on disk now.

        Args:
            query: Any text.
            limit: The most hits, 1..1000.
            mode: ``hybrid``, ``fts`` or ``vector``.
            options: Further fields of ``SearchRequest``.

        Returns:
            Hits, best first. ``stale`` says that the index is behind the notes, ``degraded`` what was missing.

        Raises:
            UsageError: A field is unknown or out of range.
            EmbedderError: Mode ``vector`` and the model cannot answer.
        """
        return self.answer(SearchRequest.from_dict({"query": query, "limit": limit, "mode": mode, **options}))

    def answer(self, request: SearchRequest) -> SearchResult:
        """Answer one request; see ``search``."""
        self.opened.was_damaged = False
        result = self._mending(lambda: self._answer(request))
        return replace(result, degraded=(*result.degraded, REBUILT)) if self.opened.was_damaged else result

    def _answer(self, request: SearchRequest) -> SearchResult:
        began = time.perf_counter()
        behind = freshen(self.opened, request)
        freshen_ms = (time.perf_counter() - began) * 1000
        result = self.opened.search(request, today=_today(), degraded=behind, stale=bool(behind))
        return replace(result, timings_ms={"freshen": freshen_ms, **result.timings_ms})

    def _mending(self, act: Callable[[], Answer]) -> Answer:
        """Do it; if the index turns out to be damaged, set it aside and do it again on a new one (I20)."""
        found = self.opened.index_identity()
        try:
            return act()
        except DamagedIndexError:
            with WriterLock(self.opened.state, kind="mend"):
                # Another process may have mended it meanwhile; its new index must not be taken for the damaged one.
                if self.opened.index_identity() == found:
                    self.opened.set_index_aside()
            self.opened.close()
            return act()

    def index(
        self,
        *,
        rebuild: bool = False,
        verify: bool = False,
        accept_deletions: bool = False,
        progress: Progress | None = None,
    ) -> SyncReport:
        """Bring the index up to date: text, keyword rows and vectors.

        Args:
            rebuild: Cut all notes anew beside the present index, which answers until that is done (I17).
            verify: Compare by content, whatever the times of the files say.
            accept_deletions: Agree that many vanished notes are gone (I10).
            progress: Called with a stage (``notes`` or ``texts``), how much is done and how much there is.

        Raises:
            LockedError: Another process writes this index.
            EmbedderError: The model cannot load; keyword search is up to date nevertheless.
        """
        return self._mending(lambda: self._index(rebuild, verify, accept_deletions, progress))

    def _index(self, rebuild: bool, verify: bool, accept_deletions: bool, progress: Progress | None) -> SyncReport:
        with WriterLock(self.opened.state, kind="index"), index_faults():
            session = self.opened.writing(check=True)
            try:
                if rebuild:
                    session.queue.begin_rebuild()
                report = session.indexer.sweep(
                    verify=verify, accept_deletions=accept_deletions, progress=_stage(progress, "notes")
                )
                return _embed_all(session, report, progress)
            finally:
                self.opened.close_writing()

    def status(self) -> dict[str, Any]:
        """Return what the index holds and what is missing; see design, section 4."""
        holder = find_holder(self.opened.state)
        status = self.opened.status()
        degraded = [*status["degraded"], *([REBUILT] if self.opened.was_damaged else [])]
        return {**status, "degraded": degraded, "writer": None if holder is None else holder.kind}

    def why(self, path: str, query: str, **options: Any) -> dict[str, Any]:
        """Say why a note is, or is not, among the hits of a question.

        Args:
            path: Vault path of the note.
            query: The question.
            options: Further fields of ``SearchRequest``.

        Returns:
            See ``OpenedVault.why``.

        Raises:
            NotFoundError: There is no such note.
            UsageError: The path is not one of a note.
        """
        request = SearchRequest.from_dict({"query": query, **options})
        return self._mending(lambda: self._why(path, request))

    def _why(self, path: str, request: SearchRequest) -> dict[str, Any]:
        behind = freshen(self.opened, request)
        return self.opened.why(path, request, today=_today(), degraded=behind)

    def read(self, path: str, line_start: int = 1, line_end: int | None = None) -> NoteLines:
        """Return a note, or a range of its lines, exactly as it is on disk.

        Args:
            path: Vault path of the note; the ending of the file may be missing.
            line_start: First line, 1 or more.
            line_end: Last line, inclusive; ``None`` is the end of the note.

        Raises:
            NotFoundError: There is no such note, or it stays out of the search.
            UsageError: The path leaves the vault, or the range is empty.
        """
        rules = read_ignore_rules(self.root, self.config, self.opened.state)
        file = look_up(self.root, parse_note_path(path), rules, self.config)
        if isinstance(file, Skip):
            raise refusal(file)
        path = file.path
        note = read_note(self.root, file, max_bytes=self.config.index.max_note_bytes)
        lines = note.text.split("\n")
        n_lines = len(lines) - (1 if lines[-1] == "" and len(lines) > 1 else 0)
        last = n_lines if line_end is None else min(line_end, n_lines)
        if line_start < 1 or line_start > last:
            raise UsageError(
                f'Lines {line_start} to {line_end or "the end"} are not in "{path}".', f"It has {n_lines} lines."
            )
        text = "\n".join(lines[line_start - 1 : last])
        text += "\n" if last < len(lines) else ""
        return NoteLines(path, line_start, last, n_lines, text, note.sha256.hex(), note.encoding)

    def tree(self, prefix: str = "", *, depth: int = 3) -> list[TreeEntry]:
        """Return folders and notes with their sizes, dates and titles; see ``build_tree``.

        Raises:
            NotFoundError: There is no note below the prefix.
            UsageError: The prefix leaves the vault, or the depth is not positive.
        """
        prefix = parse_note_path(prefix.rstrip("/")) if prefix.strip("/") else ""
        if depth < 1:
            raise UsageError(f"The depth is {depth}.", "Ask for 1 level or more.")
        entries = build_tree(self.list_notes().files, self._titles(), prefix=prefix, depth=depth)
        if prefix and not entries:
            raise NotFoundError(f'There is no note below "{prefix}".', 'Run "clawvault tree" to see all folders.')
        return entries

    def list_notes(self) -> Listing:
        """Return the notes on disk, and what is left out and why."""
        return list_notes(self.root, read_ignore_rules(self.root, self.config, self.opened.state), self.config)

    def _titles(self) -> dict[str, str]:
        if not (self.opened.state / INDEX_NAME).exists():
            return {}
        with index_faults(), closing(Store(self.opened.state / INDEX_NAME, writer=False)) as store:
            return dict(store.connection.execute("SELECT path, title FROM notes"))


def open_vault(
    path: str | os.PathLike[str] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    embedder: Embedder | None = None,
    **flags: object,
) -> Vault:
    """Open a vault.

    Args:
        path: The vault, or a folder inside it; ``None`` is ``CLAWVAULT_VAULT``, else the folder the process is in.
        environment: Taken instead of the process's own.
        embedder: Your own embedder, in place of the one the settings ask for.
        flags: Settings that win over file and environment, with ``__`` for the dot: ``search__limit=5``.

    Raises:
        NotFoundError: There is no vault there or above.
        ConfigError: A setting has no usable value.
    """
    environment = os.environ if environment is None else environment
    root = locate_vault(path, environment)
    dotted = {name.replace("__", "."): value for name, value in flags.items()}
    return Vault(root, load_config(root, environment=environment, flags=dotted), environment, embedder=embedder)


def _embed_all(session: WritingSession, report: SyncReport, progress: Progress | None) -> SyncReport:
    total = session.queue.count_pending()
    inner = None if progress is None else (lambda done: progress("texts", done, total))
    report.embedded_texts = session.queue.embed_some(progress=inner)
    session.queue.finish_generation()
    session.store.checkpoint()
    report.pending_chunks = session.queue.count_pending()
    return report


def _stage(progress: Progress | None, name: str) -> Callable[[int, int, str], None] | None:
    return None if progress is None else (lambda done, total, _: progress(name, done, total))


def _today() -> date:
    return datetime.now().astimezone().date()
