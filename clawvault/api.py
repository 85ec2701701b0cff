"""The Python API: open a vault, search it, read it, keep its index true.

    import clawvault

    with clawvault.open_vault("notes") as vault:
        for hit in vault.search("which port does the database use").hits:
            print(hit.path, hit.line_start, hit.snippet)

Everything runs in this process, unless ``use_daemon`` asks a running ``clawvault watch``. There is no global state.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from clawvault.config import Config, load_config
from clawvault.context.offered import GivenContext
from clawvault.dream.offered import DreamtNotes
from clawvault.dream.retaining import RetainedNotes
from clawvault.errors import NotFoundError, UsageError
from clawvault.keeping.arguments import insist_on_numbers, insist_on_texts
from clawvault.vault.local_time import day_of_question
from clawvault.vault.locating import locate_vault
from clawvault.vault.paths import parse_note_path, state_folder

if TYPE_CHECKING:
    # Each is imported by the operation that needs it: writing a line must not take as long as reading or searching.
    from clawvault.embed.protocol import Embedder
    from clawvault.freshening import Freshness
    from clawvault.index.indexer import SyncReport
    from clawvault.index.store import Store
    from clawvault.opened import OpenedVault
    from clawvault.search.asking.request import SearchRequest
    from clawvault.search.hits.result import SearchResult
    from clawvault.vault.listing import Listing
    from clawvault.vault.note_lines import NoteLines
    from clawvault.vault.tree import TreeEntry

__all__ = ["NoteLines", "Vault", "locate_vault", "open_vault"]

REBUILT = "the index was damaged or of another version and has been built again"

Progress = Callable[[str, int, int], None]
Answer = TypeVar("Answer")


class Vault(DreamtNotes, RetainedNotes, GivenContext):
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
        state = state_folder(root, config, environment)
        super().__init__(root, config, state, on_written=self._look_again, is_known=self._is_indexed)
        self._environment = environment
        self._embedder = embedder
        self._opened: OpenedVault | None = None
        self._opening = threading.Lock()
        self._ended = False

    @property
    def opened(self) -> OpenedVault:
        """Return index, embedder and search put together, made when first asked for."""
        from clawvault.opened import OpenedVault

        if self._ended:
            raise UsageError("The vault is closed.", "Ask it inside of its with block, or open it again.")
        with self._opening:
            if self._opened is None:
                self._opened = OpenedVault(self.root, self.config, self._environment, embedder=self._embedder)
            return self._opened

    @cached_property
    def _fresh(self) -> Freshness:
        from clawvault.freshening import Freshness

        return Freshness(self.opened)

    def __enter__(self) -> Vault:
        self._ended = False
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        self._ended = True

    def close(self) -> None:
        """Close the index; safe to call twice."""
        if self._opened is not None:
            self._opened.close()

    def search(
        self, query: str, *, limit: int = 10, mode: str = "hybrid", progress: Progress | None = None, **options: Any
    ) -> SearchResult:
        """Answer a question from notes as they are on disk now.

        The first question of a process compares all notes with the index. Later ones only glance at their times; in a
        vault of many thousands of notes, once a second at most, so an edit by another program is seen after a second
        at the latest. What this process writes is seen at once, and no hit is ever shown as it was before an edit.
        ``sync=True`` always compares.

        Args:
            query: Any text.
            limit: The most hits, 1..1000.
            mode: ``hybrid``, ``fts`` or ``vector``.
            progress: Called as by ``index`` while the index is brought up to date, which takes long the first time.
            options: Further fields of ``SearchRequest``.

        Returns:
            Hits, best first. ``stale`` says that the index is behind the notes, ``degraded`` what was missing.

        Raises:
            UsageError: A field is unknown or out of range.
            EmbedderError: Mode ``vector`` and the model cannot answer.
        """
        from clawvault.search.asking.request import SearchRequest

        asked = SearchRequest.from_dict({"query": query, "limit": limit, "mode": mode, **options})
        return self.answer(asked, progress=progress)

    def answer(self, request: SearchRequest, *, progress: Progress | None = None) -> SearchResult:
        """Answer one request; see ``search``."""
        self.opened.was_damaged = False
        result = self._mending(
            lambda: self._fresh.answer(request, today=day_of_question(self.config), progress=progress)
        )
        self._recalled(request, result)
        return replace(result, degraded=(*result.degraded, REBUILT)) if self.opened.was_damaged else result

    def ask(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Answer a request given as its fields; see ``search``."""
        from clawvault.search.asking.request import SearchRequest

        return self.answer(SearchRequest.from_dict(fields)).to_dict()

    def _mending(self, act: Callable[[], Answer]) -> Answer:
        """Do it; if the index turns out to be damaged, set it aside and do it again on a new one (I20)."""
        from clawvault.daemon.lock import WriterLock
        from clawvault.index.connection import DamagedIndexError

        found = self.opened.index_identity()
        try:
            return act()
        except DamagedIndexError:
            with WriterLock(self.state, kind="mend"):
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
            progress: Called with a stage (``compare``, ``notes``, ``texts``, ``finish``), how much is done and how much
                there is, 0 where that is not known.

        Raises:
            LockedError: Another process writes this index.
            EmbedderError: The model cannot load; keyword search is up to date nevertheless.
        """
        from clawvault.freshening import bring_up_to_date

        return self._mending(
            lambda: bring_up_to_date(
                self.opened, rebuild=rebuild, verify=verify, accept_deletions=accept_deletions, progress=progress
            )
        )

    def status(self) -> dict[str, Any]:
        """Return what the index holds and what is missing; see design, section 4."""
        from clawvault.daemon.lock import find_holder

        holder = find_holder(self.state)
        status = self.opened.status()
        degraded = [*status["degraded"], *([REBUILT] if self.opened.was_damaged else [])]
        writer = None if holder is None else holder.kind
        return {**status, "degraded": degraded, "writer": writer, "dream": self.dream_status()}

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
        from clawvault.search.asking.request import SearchRequest

        insist_on_texts(path=path)
        request = SearchRequest.from_dict({"query": query, **options})
        return self._mending(lambda: self._why(path, request))

    def _why(self, path: str, request: SearchRequest) -> dict[str, Any]:
        from clawvault.freshening import freshen

        behind = freshen(self.opened, request)
        return self.opened.why(path, request, today=day_of_question(self.config), degraded=behind)

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
        from clawvault.vault.note_lines import read_lines

        insist_on_texts(path=path)
        insist_on_numbers(line_start=line_start)
        if line_end is not None:
            insist_on_numbers(line_end=line_end)
        return read_lines(self.root, self.state, self.config, path, line_start, line_end)

    def tree(self, prefix: str = "", *, depth: int = 3) -> list[TreeEntry]:
        """Return folders and notes with their sizes, dates and titles; see ``build_tree``.

        Raises:
            NotFoundError: There is no note below the prefix.
            UsageError: The prefix leaves the vault, or the depth is not positive.
        """
        from clawvault.vault.tree import build_tree

        insist_on_texts(prefix=prefix)
        insist_on_numbers(depth=depth)
        prefix = parse_note_path(prefix.rstrip("/")) if prefix.strip("/") else ""
        if depth < 1:
            raise UsageError(f"The depth is {depth}.", "Ask for 1 level or more.")
        entries = build_tree(self.list_notes().files, self._titles(), prefix=prefix, depth=depth)
        if prefix and not entries:
            raise NotFoundError(f'There is no note below "{prefix}".', 'Run "clawvault tree" to see all folders.')
        return entries

    def list_notes(self) -> Listing:
        """Return the notes on disk, and what is left out and why."""
        from clawvault.vault.ignoring import read_ignore_rules
        from clawvault.vault.listing import list_notes

        return list_notes(self.root, read_ignore_rules(self.root, self.config, self.state), self.config)

    def _look_again(self, _written: str) -> None:
        """Let the next question see what was written."""
        if self._opened is not None:
            self._fresh.forget()

    def _is_indexed(self, path: str) -> bool:
        from clawvault.index.known import is_indexed

        return is_indexed(self.state, path)

    def _titles(self) -> dict[str, str]:
        titles = self._ask_index(lambda store: dict(store.connection.execute("SELECT path, title FROM notes")))
        return titles or {}

    def _ask_index(self, ask: Callable[[Store], Answer]) -> Answer | None:
        """Ask the index without opening more of it than that; ``None`` when there is none."""
        from clawvault.index.connection import INDEX_NAME, index_faults
        from clawvault.index.store import Store

        if not (self.state / INDEX_NAME).exists():
            return None
        with index_faults(), closing(Store(self.state / INDEX_NAME, writer=False)) as store:
            return ask(store)


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


def __getattr__(name: str) -> Any:
    # What a call of ``Vault`` returns has a name here too, without being imported for the calls that do not.
    if name == "NoteLines":
        from clawvault.vault.note_lines import NoteLines

        return NoteLines
    raise AttributeError(name)
