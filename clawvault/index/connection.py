"""Open the index file: settings of the connection, the extension, and what to do with a damaged file."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import apsw
import apsw.bestpractice

from clawvault.errors import IndexFaultError
from clawvault.index.records import hash_text
from clawvault.index.schema import APPLICATION_ID, SCHEMA_VERSION, SEQUENCE, SHADOW_PREFIX, TABLES

INDEX_NAME = "index.sqlite3"
BUSY_MS = 10_000
WAL_PAGES = 1000
SET_ASIDE_PER_HOUR = 3

# Only these say that the file itself is damaged; "locked", "full", "read-only" never do (I20, F04).
DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)


class DamagedIndexError(IndexFaultError):
    """Say that the index file is not one this program can trust; it may be set aside and built again."""


@contextmanager
def index_faults() -> Iterator[None]:
    """Turn what SQLite says into an error with a next step.

    Raises:
        DamagedIndexError: A page, or the content of a row, is not what was written.
        IndexFaultError: The disk is full, or the file is busy or cannot be read or written.
    """
    try:
        yield
    except (*DAMAGE, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DamagedIndexError("The index is damaged.", 'Run "clawvault index" to build it again.') from error
    except apsw.FullError as error:
        raise IndexFaultError("The disk that holds the index is full.", "Make room; no note is affected.") from error
    except apsw.BusyError as error:
        raise IndexFaultError("The index is busy.", "Try again in a moment.") from error
    except apsw.Error as error:
        raise IndexFaultError(f"The index cannot be used: {error}.", "Check the state folder and its disk.") from error


def connect(path: Path, *, writer: bool) -> apsw.Connection:
    """Open the index.

    Args:
        path: The index file; a writer creates it, with mode 0600 (I41).
        writer: Whether this process holds the writer lock of the vault (I18).

    Raises:
        DamagedIndexError: The file is not an index of this version, or its pages are damaged.
        IndexFaultError: The file cannot be opened or is missing for a reader.
    """
    if writer and not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if writer else 0)
    try:
        connection = apsw.Connection(str(path), flags=flags)
    except apsw.CantOpenError as error:
        raise IndexFaultError(
            "The index cannot be opened.", 'Run "clawvault index" to make it, or check the state folder\'s permissions.'
        ) from error
    try:
        _prepare(connection)
        if writer:
            _create_tables(connection)
        _check_schema(connection)
    except DAMAGE as error:
        connection.close()
        raise DamagedIndexError(
            f"The index is damaged: {error}.", 'Run "clawvault index" to build it again.'
        ) from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.IOError):
        connection.close()
        if writer or _has_log(path):
            raise
        # A reader on a full or read-only disk cannot make the shared-memory file of the log (F05, F32).
        return _connect_immutable(path)
    except Exception:
        connection.close()
        raise
    return connection


def _has_log(path: Path) -> bool:
    """Say whether commits wait in the log, which an immutable reader would not see."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _connect_immutable(path: Path) -> apsw.Connection:
    uri = path.absolute().as_uri() + "?immutable=1"
    return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def _prepare(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(BUSY_MS)
    # A file from elsewhere must not be able to run anything (T17).
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA journal_mode = WAL")
    # In WAL mode NORMAL cannot corrupt; the last commits may be lost on power failure, and a sweep finds them again.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA journal_size_limit = 67108864")
    connection.wal_autocheckpoint(WAL_PAGES)


def _create_tables(connection: apsw.Connection) -> None:
    if connection.pragma("user_version") or connection.execute("SELECT count(*) FROM sqlite_schema").get:
        return
    with connection:
        for statement in TABLES.values():
            connection.execute(statement)
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", SCHEMA_VERSION)


def _check_schema(connection: apsw.Connection) -> None:
    version = connection.pragma("user_version")
    if connection.pragma("application_id") != APPLICATION_ID or version != SCHEMA_VERSION:
        raise DamagedIndexError(
            f"The index has version {version}, not {SCHEMA_VERSION}.", 'Run "clawvault index" to build it again.'
        )
    found = {
        name: sql
        for name, sql in connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        if not name.startswith(SHADOW_PREFIX) and name != SEQUENCE
    }
    if found != TABLES:
        raise DamagedIndexError(
            "The index has tables this version did not make.", 'Run "clawvault index" to build it again.'
        )


def check_integrity(connection: apsw.Connection) -> str:
    """Return what is wrong with the file, or an empty string (I20, B113, B119)."""
    try:
        problem = connection.execute("PRAGMA quick_check(1)").get
        if problem != "ok":
            return str(problem)
        # The check of the keyword rows is written as an insert, which a read-only disk refuses.
        with contextlib.suppress(apsw.ReadOnlyError, apsw.FullError):
            connection.execute("INSERT INTO lexicon (lexicon) VALUES ('integrity-check')")
        chunks = connection.execute("SELECT count(*) FROM chunks").get
        rows = connection.execute("SELECT count(*) FROM lexicon").get
        texts = connection.execute("SELECT text, text_hash FROM chunks")
        wrong = sum(hash_text(text) != text_hash for text, text_hash in texts)
    except (*DAMAGE, UnicodeDecodeError) as error:
        return str(error)
    if wrong:
        return f"{wrong} texts are not what was written"
    return "" if chunks == rows else f"{chunks} chunks but {rows} keyword rows"


def set_aside(path: Path, *, now: datetime | None = None) -> Path:
    """Move a damaged index out of the way under a dated name, so that a new one can be built.

    Raises:
        IndexFaultError: Three were set aside within the hour already; something else is wrong (I20).
    """
    now = now or datetime.now(UTC)
    recent = [old for old in path.parent.glob(f"{path.name}.damaged-*") if time.time() - old.stat().st_mtime < 3600]
    if len(recent) >= SET_ASIDE_PER_HOUR:
        raise IndexFaultError(
            f"The index was damaged {len(recent)} times within an hour.", "Check the disk that holds the state folder."
        )
    target = path.with_name(f"{path.name}.damaged-{now:%Y%m%dT%H%M%S%f}")
    path.replace(target)
    os.utime(target)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return target


def load_vector_extension(connection: apsw.Connection) -> str:
    """Load sqlite-vec into one connection, then forbid any further extension (T18).

    Returns:
        An empty string, or why it could not be loaded.
    """
    try:
        import sqlite_vec  # a connection that compares no vectors must not pay for it

        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
    except (apsw.Error, ImportError, OSError) as error:
        return f"sqlite-vec cannot load: {error}"
    finally:
        connection.enable_load_extension(False)
    return ""
