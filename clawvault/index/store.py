"""Rows of notes and chunks: read, and replaced note by note, one transaction each (I15)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from clawvault.index.connection import EMBEDDINGS_NAME, connect
from clawvault.index.lexical import render_index_text
from clawvault.index.packing import pack_text
from clawvault.index.records import ChunkText, KnownNote, NoteRecord
from clawvault.vault.listing import NoteFile, Skip

# Where a run wrote so many chunks, and so large a share of all there are, what it left free is worth giving back.
TIDY_AFTER = 200
TIDY_SHARE = 0.5
# All that is kept of a chunk but for its text, which has the same hash only where it is the same.
_ROW = "generation, ordinal, char_start, char_end, line_start, line_end, heading, pinned, text_hash, flags"
_ChunkRow = tuple[int, int, int, int, int, int, str, int, bytes, str]


class Store:
    """The files of the index of one vault, through one connection.

    Each method may be called from any thread: one thread at a time uses the connection, a transaction included.
    Only the holder of the vault's writer lock may call the methods that write.
    """

    def __init__(self, path: Path, *, writer: bool) -> None:
        self.path = path
        self.connection = connect(path, writer=writer)
        self._lock = threading.RLock()
        self.n_written = 0
        self._n_tidied = 0
        self._version_seen: int | None = None

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """Keep other threads from the connection."""
        with self._lock:
            yield self.connection

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """Keep other threads from the connection and make all or none of the changes."""
        with self._lock:
            if self.connection.in_transaction:
                # What goes wrong ends the one around it, which a savepoint would only delay.
                yield self.connection
            else:
                with self.connection:
                    yield self.connection

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """Read what the index is now, whatever another connection writes meanwhile.

        Else what one statement found may be gone, or another, when the next one reads of it.
        """
        with self.transaction():
            self._version_seen = self._read_version()
            try:
                yield
            finally:
                self._version_seen = None

    def close(self) -> None:
        """Close the connection; the file stays."""
        self.connection.close()

    def version(self) -> int:
        """Return a number that changes whenever the content may have changed, by this connection or another."""
        return self._read_version() if self._version_seen is None else self._version_seen

    def _read_version(self) -> int:
        by_others = (int(self.connection.pragma("data_version", schema=schema)) for schema in ("main", "embeddings"))
        version = self.connection.total_changes()
        for number in by_others:
            version = version * 1_000_000_007 + number
        return version

    def size_bytes(self) -> int:
        """Return how much room the files take, their logs left out."""
        files = (self.path, self.path.with_name(EMBEDDINGS_NAME))
        return sum(file.stat().st_size for file in files if file.exists())

    def known_notes(self) -> dict[str, KnownNote]:
        """Return what is known of each file, by vault path."""
        rows = self.connection.execute(
            "SELECT id, path, size, mtime_ns, ctime_ns, inode, sha256, stale, generation FROM notes"
        )
        return {row[1]: KnownNote(*row) for row in rows}

    def find_note(self, path: str) -> KnownNote | None:
        """Return what is known of one file, or ``None``."""
        row = self.connection.execute(
            "SELECT id, path, size, mtime_ns, ctime_ns, inode, sha256, stale, generation FROM notes WHERE path = ?",
            (path,),
        ).fetchone()
        return None if row is None else KnownNote(*row)

    def newest_chunk(self) -> int:
        """Return the greatest id a chunk ever had; 0 when there was none."""
        return int(self.connection.execute("SELECT seq FROM main.sqlite_sequence WHERE name = 'chunks'").get or 0)

    def replace_note(
        self, note: NoteRecord, chunks: Mapping[int, Sequence[ChunkText]], *, removing: str | None = None
    ) -> None:
        """Write one note with its chunks, keyword rows and links in one transaction.

        What is in the index already, in the same place and under the same title, is left as it is: to add a line to a
        long note writes the rows of its end.

        Args:
            note: The note as read.
            chunks: For each live generation its chunks, in order.
            removing: A path the note moved away from, taken out in the same transaction.
        """
        with self.transaction():
            if removing is not None:
                self._delete_note(removing)
            known = self._find_titles(_storable(note.file.path))
            note_id = self._upsert_note(note, max(chunks), known[0] if known else None)
            rows = [_chunk_row(generation, note, item) for generation, texts in chunks.items() for item in texts]
            items = [item for texts in chunks.values() for item in texts]
            # The titles of a note are searched with each of its chunks.
            same_titles = known is not None and known[1:] == (_storable(note.title), _storable(_as_json(note.aliases)))
            kept = self._drop_chunks(note_id, rows if same_titles else ()) if known else frozenset()
            self._insert_chunks(
                note_id, note, [(row, item) for row, item in zip(rows, items, strict=True) if row not in kept]
            )
            self._write_links(note_id, [(link.target, link.heading, link.line) for link in note.links])

    def touch_note(self, file: NoteFile) -> None:
        """Remember a file's new stat when its bytes are the same (I13)."""
        with self.transaction():
            self.connection.execute(
                "UPDATE notes SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, stale = '' WHERE path = ?",
                (file.size, file.mtime_ns, file.ctime_ns, file.inode, file.path),
            )

    def mark_stale(self, path: str, reason: str) -> None:
        """Say that a note's rows may no longer be what is on disk (I11)."""
        with self.transaction():
            self.connection.execute("UPDATE notes SET stale = ? WHERE path = ? AND stale <> ?", (reason, path, reason))

    def remove_notes(self, paths: Iterable[str]) -> None:
        """Take notes out of the index, one transaction each."""
        for path in paths:
            with self.transaction():
                self._delete_note(path)

    def set_skips(self, skips: Iterable[Skip]) -> None:
        """Remember what was left out and why; writes nothing when that is unchanged (I13)."""
        wanted = {skip.path: (skip.reason, skip.detail) for skip in skips}
        if wanted == {skip.path: (skip.reason, skip.detail) for skip in self.list_skips()}:
            return
        with self.transaction():
            self.connection.execute("DELETE FROM skips")
            self.connection.executemany(
                "INSERT INTO skips (path, reason, detail) VALUES (?, ?, ?)",
                ((_storable(path), reason, _storable(detail)) for path, (reason, detail) in wanted.items()),
            )

    def list_skips(self) -> list[Skip]:
        """Return what was left out and why, by path."""
        rows = self.connection.execute("SELECT path, reason, detail FROM skips ORDER BY path")
        return [Skip(path=path, reason=reason, detail=detail) for path, reason, detail in rows]

    def get_meta(self, key: str, default: str = "") -> str:
        """Return a remembered value."""
        value = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).get
        return default if value is None else str(value)

    def set_meta(self, key: str, value: str) -> None:
        """Remember a value; writes nothing when it is unchanged."""
        if self.get_meta(key, "\0") != value:
            self.connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def checkpoint(self) -> None:
        """End a run: make the file small after a large one, fold the write-ahead log into it and empty that."""
        since, self._n_tidied = self._n_tidied, self.n_written
        self.tidy(since)
        self.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def tidy(self, since: int) -> None:
        """Make the file small after a large run; one that wrote little leaves it as it is, for a person waits for it.

        Args:
            since: What ``n_written``, the number of chunks written so far, was when the run began.
        """
        n_chunks = int(self.connection.execute("SELECT count(*) FROM chunks").get)
        if self.n_written - since >= max(TIDY_AFTER, TIDY_SHARE * n_chunks):
            # Nothing depends on it, so that a disk without room for a copy, or a reader that is busy, is no fault.
            with suppress(apsw.FullError, apsw.BusyError, apsw.LockedError):
                self._tidy()

    def _tidy(self) -> None:
        """Join the parts of the keyword rows, of which every transaction adds one, and give free pages back."""
        with self.alone() as connection:
            connection.execute("INSERT INTO lexicon (lexicon) VALUES ('optimize')")
            connection.execute("VACUUM main")

    def _upsert_note(self, note: NoteRecord, generation: int, known: int | None) -> int:
        """Write the row of a note; return its id, which is ``known`` if it has one."""
        file = note.file
        values: tuple[Any, ...] = (
            file.path,
            file.size,
            file.mtime_ns,
            file.ctime_ns,
            file.inode,
            note.sha256,
            note.encoding,
            note.title,
            note.date,
            int(note.evergreen),
            note.importance,
            _as_json(note.tags),
            _as_json(note.aliases),
            _as_json(note.warnings),
            generation,
        )
        # For RETURNING the id, SQLite would make a table, which takes several times as long as to write the row.
        self.connection.execute(
            """INSERT INTO notes (path, size, mtime_ns, ctime_ns, inode, sha256, encoding, title, date, evergreen,
                   importance, tags, aliases, warnings, generation)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
               ON CONFLICT (path) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns,
                   ctime_ns = excluded.ctime_ns, inode = excluded.inode, sha256 = excluded.sha256,
                   encoding = excluded.encoding, title = excluded.title, date = excluded.date,
                   evergreen = excluded.evergreen, importance = excluded.importance, tags = excluded.tags,
                   aliases = excluded.aliases, warnings = excluded.warnings, stale = '',
                   generation = excluded.generation""",
            tuple(_storable(value) if isinstance(value, str) else value for value in values),
        )
        return int(self.connection.last_insert_rowid()) if known is None else known

    def _insert_chunks(self, note_id: int, note: NoteRecord, written: Sequence[tuple[_ChunkRow, ChunkText]]) -> None:
        stem = note.file.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        title = render_index_text(" ".join(dict.fromkeys((note.title, stem, *note.aliases))))
        newest = self.newest_chunk()
        rows: list[tuple[Any, ...]] = []
        words: list[tuple[int, str, str, str]] = []
        for chunk_id, (row, item) in enumerate(written, newest + 1):
            text = _storable(item.text)
            rows.append((chunk_id, note_id, *row, pack_text(text)))
            words.append((chunk_id, title, render_index_text(" ".join(item.chunk.heading)), render_index_text(text)))
        self.connection.executemany(
            f"INSERT INTO chunks (id, note_id, {_ROW}, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
            rows,
        )
        self.connection.executemany("INSERT INTO lexicon (rowid, title, heading, body) VALUES (?, ?, ?, ?)", words)
        self.n_written += len(words)

    def _write_links(self, note_id: int, links: Sequence[tuple[str, str, int]]) -> None:
        there = self.connection.execute(
            "SELECT target, heading, line FROM links WHERE note_id = ? ORDER BY rowid", (note_id,)
        ).fetchall()
        if list(links[: len(there)]) != there:
            self.connection.execute("DELETE FROM links WHERE note_id = ?", (note_id,))
            there = []
        self.connection.executemany(
            "INSERT INTO links (note_id, target, heading, line) VALUES (?, ?, ?, ?)",
            ((note_id, *link) for link in links[len(there) :]),
        )

    def _delete_note(self, path: str) -> None:
        known = self._find_titles(path)
        if known is not None:
            self._drop_chunks(known[0], ())
            self._write_links(known[0], ())
            self.connection.execute("DELETE FROM notes WHERE id = ?", (known[0],))

    def _find_titles(self, path: str) -> tuple[int, str, str] | None:
        """Return id, title and aliases of a note."""
        found: tuple[int, str, str] | None = self.connection.execute(
            "SELECT id, title, aliases FROM notes WHERE path = ?", (path,)
        ).fetchone()
        return found

    def _drop_chunks(self, note_id: int, wanted: Iterable[_ChunkRow]) -> Set[_ChunkRow]:
        """Delete the chunks of a note but for those that are wanted as they are; return these."""
        left, kept = set(wanted), set()
        gone: list[tuple[int]] = []
        for chunk_id, *row in self.connection.execute(
            f"SELECT id, {_ROW} FROM chunks WHERE note_id = ?",  # noqa: S608
            (note_id,),
        ):
            if (values := tuple(row)) in left:
                left.remove(values)
                kept.add(values)
            else:
                gone.append((chunk_id,))
        self.connection.executemany("DELETE FROM lexicon WHERE rowid = ?", gone)
        self.connection.executemany("DELETE FROM chunks WHERE id = ?", gone)
        return kept


def _chunk_row(generation: int, note: NoteRecord, item: ChunkText) -> _ChunkRow:
    """Return what the index keeps of a chunk: ``_ROW``."""
    chunk = item.chunk
    place = (chunk.ordinal, chunk.char_start, chunk.char_end, chunk.line_start, chunk.line_end)
    heading = _pack_heading(chunk.heading, note.title)
    return (generation, *place, heading, int(chunk.pinned), item.text_hash, " ".join(item.flags))


def _pack_heading(heading: tuple[str, ...], title: str) -> str:
    """Return headings as they are kept: most texts stand under the title of their note, which is kept with that."""
    if heading == (title,):
        return ""
    return _as_json([None if part == title else _storable(part) for part in heading])


def _as_json(values: Sequence[str | None]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) if values else "[]"


def _storable(text: str) -> str:
    """Replace what SQLite cannot hold as UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")
