"""Make the index equal to the vault: compare, then apply note by note (I07).

Each note is written whole or not at all. Where many are to be written, those of a moment share one transaction, since
ending it costs more than reading a note; the first and the last never wait for others.

Start, wake, overflow, an event and a plain ``index`` all run the same comparison; an event only narrows which of its
facts are acted on now, and where it can be no more than an edit of known notes, what is looked at.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from clawvault.config import Config
from clawvault.errors import NotFoundError
from clawvault.index.changes import ChangeSet, find_brake, plan_changes
from clawvault.index.embedding import EmbeddingQueue
from clawvault.index.generations import prune_vectors
from clawvault.index.looking import LastLook
from clawvault.index.narrowing import compare_known
from clawvault.index.note_building import build_note
from clawvault.index.records import UNSURE_MTIME, ChunkText, KnownNote, NoteRecord
from clawvault.index.store import Store
from clawvault.vault.ignoring import read_ignore_rules
from clawvault.vault.listing import KEEP_REASONS, Listing, NoteFile, Skip, find_note, list_notes
from clawvault.vault.notes import NoteText, NoteUnreadableError, read_note

# An empty or all-NUL note that had text is believed only after this (I06, B009).
EMPTY_BELIEF_S = 2.0
# A file changed within one tick of the clock of the read may change again without its stat moving.
RACY_NS = 20_000_000
# Notes read within this time are written together: long against the end of a transaction, short against a person.
GROUP_S = 0.05


@dataclass(slots=True)
class SyncReport:
    """What one comparison found and did; all counts are of notes unless they say otherwise.

    ``deferred`` are paths to look at again soon, ``brake`` why vanished notes were kept. Where only edits of known
    notes were looked at, ``pending_chunks`` are of these, and ``skipped`` is what was met on the way.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    moved: int = 0
    hashed: int = 0
    written: int = 0
    embedded_texts: int = 0
    pending_chunks: int = 0
    skipped: tuple[Skip, ...] = ()
    deferred: tuple[str, ...] = ()
    brake: str = ""
    took_s: float = 0.0


Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class _Write:
    """A note that was read and cut, and the path it moved away from."""

    note: NoteRecord
    chunks: dict[int, list[ChunkText]]
    origin: str | None


@dataclass(slots=True)
class _Pass:
    """What one comparison works on; ``waiting`` was read since ``written_at``, seconds of a clock of its own."""

    listing: Listing
    known: dict[str, KnownNote]
    changes: ChangeSet
    report: SyncReport = field(default_factory=SyncReport)
    skips: list[Skip] = field(default_factory=list)
    deferred: list[str] = field(default_factory=list)
    waiting: list[_Write] = field(default_factory=list)
    written_at: float = float("-inf")


class Indexer:
    """The writer of one index. Only the holder of the vault's writer lock may make one."""

    def __init__(self, root: Path, state: Path, config: Config, store: Store, queue: EmbeddingQueue) -> None:
        self.root = root
        self.state = state
        self.config = config
        self.store = store
        self.queue = queue
        self._missing_since: dict[str, float] = {}
        self._n_calm: int | None = None
        self._is_braked = False
        self._last_look = LastLook(root, store)

    def compare(self, *, verify: bool = False, generation: int = 0) -> tuple[Listing, dict[str, KnownNote], ChangeSet]:
        """Compare the disk with the index and change nothing; costs a stat a note.

        Args:
            verify: Take every file as a suspect.
            generation: Notes cut for an earlier generation are suspects too.
        """
        return compare(self.root, self.state, self.config, self.store, verify=verify, generation=generation)

    def sweep(
        self,
        *,
        verify: bool = False,
        accept_deletions: bool = False,
        deletion_delay_s: float = 0.0,
        progress: Progress | None = None,
        only: Collection[str] | None = None,
    ) -> SyncReport:
        """Bring text and keyword rows up to date; vectors follow through ``queue``.

        Args:
            verify: Hash every note, whatever its stat says.
            accept_deletions: A person agreed that the vanished notes are gone (I10).
            deletion_delay_s: Seconds a note must have been gone, over several calls, before it is pruned.
            progress: Called with (notes done, notes to do, path) before each note is read.
            only: Act on these notes, and on notes below these folders, alone.
        """
        began, listed_ns = time.perf_counter(), time.time_ns()
        if only is None and not verify and not accept_deletions:
            unchanged = self._last_look.find_unchanged()
            if unchanged is not None:
                pending = self.queue.count_pending()
                took_s = time.perf_counter() - began
                return SyncReport(pending_chunks=pending, skipped=unchanged.skips, took_s=took_s)
        newest_chunk = self.store.newest_chunk()
        edited = None if verify or accept_deletions or self._is_braked else self._compare_edited(only or ())
        work = _Pass(*(edited or self.compare(verify=verify, generation=self.queue.newest_generation)))
        if edited is None:
            self._drop_left_out(work)
        vanished = self._chosen(work.changes.vanished, only)
        todo = [file for file in (*work.changes.added, *work.changes.suspects) if _is_chosen(file.path, only)]
        # When a note moves twice in a row, the path it left first came to rest earlier and is not among the chosen.
        moves = {work.known[path].sha256: path for path in work.changes.vanished}
        for done, file in enumerate(todo):
            if progress is not None:
                progress(done, len(todo), file.path)
            self._apply_file(file, work, moves)
            if time.monotonic() - work.written_at >= GROUP_S:
                self._flush(work)
        self._flush(work)
        if edited is None:
            self._prune(vanished, work, accept_deletions=accept_deletions, delay_s=deletion_delay_s)
        report = work.report
        report.skipped = (*work.listing.skips, *work.skips)
        if only is None:
            self.store.set_skips(report.skipped)
            if (report.written or report.removed) and not report.brake and work.listing.healthy:
                prune_vectors(self.store)
            self._look_back(work, listed_ns)
        report.deferred = tuple(work.deferred)
        report.pending_chunks = self.queue.count_pending(newest_chunk if edited else 0)
        report.took_s = time.perf_counter() - began
        return report

    def _look_back(self, work: _Pass, listed_ns: int) -> None:
        """Remember a comparison that found nothing to do, now or later."""
        if work.changes.is_empty and work.listing.healthy and not (work.skips or work.deferred or self._is_braked):
            self._last_look.remember(work.listing, listed_ns)
        else:
            self._last_look.forget()

    def _compare_edited(self, paths: Collection[str]) -> tuple[Listing, dict[str, KnownNote], ChangeSet] | None:
        newest = self.queue.newest_generation
        return compare_known(self.root, self.state, self.config, self.store, paths, generation=newest)

    def _drop_left_out(self, work: _Pass) -> None:
        """Take out at once what is still on disk but no longer a note: somebody chose to leave it out."""
        if not work.listing.healthy:
            return
        there = [path for path in work.changes.vanished if os.path.lexists(self.root / path)]
        if not there:
            return
        # A note that a save put back just now is there as well, and stays.
        rules = read_ignore_rules(self.root, self.config, self.state)
        left_out = [path for path in there if _is_left_out(find_note(self.root, path, rules, self.config))]
        if not left_out:
            return
        self.store.remove_notes(left_out)
        work.report.removed += len(left_out)
        for path in left_out:
            del work.known[path]
            self._missing_since.pop(path, None)
        work.changes = plan_changes(work.listing, work.known, generation=self.queue.newest_generation)

    @staticmethod
    def _chosen(paths: tuple[str, ...], only: Collection[str] | None) -> list[str]:
        return [path for path in paths if _is_chosen(path, only)]

    def _apply_file(self, file: NoteFile, work: _Pass, moves: dict[bytes, str]) -> None:
        known = work.known.get(file.path)
        self._missing_since.pop(file.path, None)
        try:
            note = read_note(self.root, file, max_bytes=self.config.index.max_note_bytes)
        except NotFoundError:
            # Gone between the listing and the read; the next look decides whether for good.
            work.deferred.append(file.path)
            return
        except NoteUnreadableError as error:
            work.skips.append(Skip(path=file.path, reason=error.reason, detail=error.message))
            if error.deferred:
                work.deferred.append(file.path)
            if known is not None:
                self.store.mark_stale(file.path, error.reason)
            return
        work.report.hashed += 1
        settled = _settled_stat(note.file)
        if known is not None and known.sha256 == note.sha256 and known.generation >= self.queue.newest_generation:
            if not known.same_stat(settled) or known.stale:
                self.store.touch_note(settled)
            return
        if known is not None and self._is_passing_emptiness(note, known):
            work.deferred.append(file.path)
            return
        self._write(NoteText(note.text, note.sha256, note.encoding, note.guessed, settled), known, work, moves)

    def _write(self, note: NoteText, known: KnownNote | None, work: _Pass, moves: dict[bytes, str]) -> None:
        record, chunks = build_note(note, self.queue.cutters())
        origin = moves.pop(note.sha256, None) if known is None else None
        work.waiting.append(_Write(record, chunks, origin))
        report = work.report
        report.written += 1
        if origin is not None:
            self._missing_since.pop(origin, None)
            work.known.pop(origin)
            report.moved += 1
        elif known is None:
            report.added += 1
        elif known.sha256 != note.sha256:
            report.changed += 1

    def _flush(self, work: _Pass) -> None:
        """Write what was read, each note whole or not at all; a kill before loses only work (I15, F01)."""
        lengths = [cutter.lengths for cutter in self.queue.cutters() if cutter.lengths and cutter.lengths.has_news]
        with self.store.transaction() if len(work.waiting) + len(lengths) > 1 else nullcontext():
            for known in lengths:
                known.save()
            for write in work.waiting:
                self.store.replace_note(write.note, write.chunks, removing=write.origin)
        work.waiting.clear()
        work.written_at = time.monotonic()

    def _is_passing_emptiness(self, note: NoteText, known: KnownNote) -> bool:
        """Say whether a note that had text is empty only for the moment of a save (I06, B009, F08)."""
        if note.text.strip("\x00 \t\r\n\ufeff") or not known.size:
            return False
        now = time.time()
        # A time in the future says nothing about when the save was.
        times = (ns / 1e9 for ns in (note.file.mtime_ns, note.file.ctime_ns))
        return now - next((saved for saved in times if saved <= now), 0.0) < EMPTY_BELIEF_S

    def _prune(self, vanished: list[str], work: _Pass, *, accept_deletions: bool, delay_s: float) -> None:
        report = work.report
        gone = [path for path in vanished if path in work.known]
        report.brake = "" if accept_deletions else self._brake(work)
        self._is_braked = bool(report.brake)
        if report.brake:
            for path in gone:
                self.store.mark_stale(path, "missing")
            return
        now = time.monotonic()
        due = [path for path in gone if now - self._missing_since.setdefault(path, now) >= delay_s]
        self.store.remove_notes(due)
        report.removed += len(due)
        for path in due:
            del self._missing_since[path]
        work.deferred.extend(path for path in gone if path in self._missing_since)

    def _brake(self, work: _Pass) -> str:
        """Say why deletions must wait for a person (I10).

        Not lost is a note whose bytes live on under another path (F18), and one in whose place there is a new one, as
        after a change of branch or when notes are moved and edited at once (F17). Once the brake is on, new notes do
        not release it.
        """
        changes = work.changes
        n_known = len(work.known) + work.report.moved
        n_present = n_known - len(changes.vanished) + len(changes.added)
        if self._n_calm is None:
            self._n_calm = n_known
        if not changes.vanished:
            self._n_calm = n_present
        if not changes.brake or not work.listing.healthy:
            return changes.brake
        living = {note.sha256 for path, note in self.store.known_notes().items() if path in work.listing.files}
        left = [work.known[path] for path in changes.vanished if path in work.known]
        n_lost = sum(note.sha256 not in living for note in left)
        if not self._is_braked:
            n_lost = min(n_lost, self._n_calm - n_present)
        return find_brake(work.listing, self._n_calm, n_lost)


def compare(
    root: Path, state: Path, config: Config, store: Store, *, verify: bool = False, generation: int = 0
) -> tuple[Listing, dict[str, KnownNote], ChangeSet]:
    """Compare the disk with an index that is open for reading; see ``Indexer.compare``."""
    with _without_collection():
        rules = read_ignore_rules(root, config, state)
        listing = list_notes(root, rules, config)
        known = store.known_notes()
        return listing, known, plan_changes(listing, known, generation=generation, verify=verify)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Make values for every note without looking for garbage among them, which takes longer the more there are."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _is_left_out(found: NoteFile | Skip | None) -> bool:
    return not isinstance(found, NoteFile) and (found is None or found.reason not in KEEP_REASONS)


def _is_chosen(path: str, only: Collection[str] | None) -> bool:
    if only is None or path in only:
        return True
    position = path.find("/")
    while position >= 0:
        if path[:position] in only:
            return True
        position = path.find("/", position + 1)
    return False


def _settled_stat(file: NoteFile) -> NoteFile:
    """Forget the time of a file that was changed just now, so that the next comparison hashes it again (B025)."""
    if abs(time.time_ns() - max(file.mtime_ns, file.ctime_ns)) >= RACY_NS:
        return file
    return NoteFile(file.path, file.disk_path, file.size, UNSURE_MTIME, file.ctime_ns, file.inode)
