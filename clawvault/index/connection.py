"""Open the files of the index: settings of the connection, the extension, and what tells a file that is not ours."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

import apsw

from clawvault.errors import IndexFaultError
from clawvault.index.packing import unpack_text
from clawvault.index.schema import EMBEDDINGS, INDEX, SEQUENCE, SHADOW_PREFIX, Layout

INDEX_NAME = INDEX.file_name
EMBEDDINGS_NAME = EMBEDDINGS.file_name
IN_MEMORY = ":memory:"
BUSY_MS = 10_000
# Between the making of a file and that of its tables lie milliseconds, unless its writer was killed there.
MAKING_S = 2.0
WAL_PAGES = 500
LOG_BYTES = 67_108_864
_NAMED = re.compile(r"^(CREATE (?:UNIQUE |VIRTUAL )?[A-Z]+) ")
_COUNT_TABLES = {
    "main": "SELECT count(*) FROM main.sqlite_schema",
    "embeddings": "SELECT count(*) FROM embeddings.sqlite_schema",
}
_LIST_TABLES = {
    "main": "SELECT name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL",
    "embeddings": "SELECT name, sql FROM embeddings.sqlite_schema WHERE sql IS NOT NULL",
}

# Only these say that the file itself is damaged; "locked", "full", "read-only" never do (I20, F04).
DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)


class DamagedIndexError(IndexFaultError):
    """Say that the index file is not one this program can trust; it may be set aside and built again."""


def read_text(packed: object, text_hash: object) -> str:
    """Return the text of a chunk from what is kept of it.

    Raises:
        DamagedIndexError: It is not the text its hash was taken of (I14).
    """
    text = unpack_text(packed, text_hash)
    if text is None:
        raise DamagedIndexError("The index holds a text that is not what was written.")
    return text


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
    """Open the index with the store of vectors beside it.

    Args:
        path: The index file; a writer creates both files, with mode 0600 (I41).
        writer: Whether this process holds the writer lock of the vault (I18).

    Raises:
        DamagedIndexError: A file is not of this version, or its pages are damaged.
        IndexFaultError: The index cannot be opened or is missing for a reader.
    """
    vectors = path.with_name(EMBEDDINGS.file_name)
    if writer:
        for file in (path, vectors):
            if not file.exists():
                os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if writer else 0)
    try:
        connection = apsw.Connection(str(path), flags=flags)
    except apsw.CantOpenError as error:
        raise IndexFaultError(
            "The index cannot be opened.", 'Run "clawvault index" to make it, or check the state folder\'s permissions.'
        ) from error
    try:
        with _closed_unless_whole(connection):
            harden(connection)
            _attach(connection, str(vectors) if vectors.exists() else IN_MEMORY)
            _prepare(connection)
            for layout in (INDEX, EMBEDDINGS):
                if writer:
                    _create_tables(connection, layout)
                else:
                    _await_tables(connection, layout)
                check_schema(connection, layout, layout.schema)
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.IOError):
        if writer or _has_log(path) or _has_log(vectors):
            raise
        # A reader on a full or read-only disk cannot make the shared-memory file of the log (F05, F32).
        return _connect_immutable(path, vectors)
    return connection


@contextmanager
def _closed_unless_whole(connection: apsw.Connection) -> Iterator[None]:
    """Close a connection again where what is done to it fails.

    Raises:
        DamagedIndexError: A page is not what was written.
    """
    with ExitStack() as stack:
        stack.callback(connection.close)
        try:
            yield
        except DAMAGE as error:
            raise DamagedIndexError(
                f"The index is damaged: {error}.", 'Run "clawvault index" to build it again.'
            ) from error
        stack.pop_all()


def _await_tables(connection: apsw.Connection, layout: Layout) -> None:
    """Give another process the time to fill a file it has just made, which is no damaged one (B117).

    Raises:
        IndexFaultError: There is still nothing in it.
    """
    until = time.monotonic() + MAKING_S
    while not (
        connection.pragma("user_version", schema=layout.schema) or connection.execute(_COUNT_TABLES[layout.schema]).get
    ):
        if time.monotonic() > until:
            raise IndexFaultError(f"The {layout.noun} is being made.", "Try again in a moment.")
        time.sleep(0.02)


def _has_log(path: Path) -> bool:
    """Say whether commits wait in the log, which an immutable reader would not see."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _connect_immutable(path: Path, vectors: Path) -> apsw.Connection:
    connection = apsw.Connection(_immutable(path), flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    with _closed_unless_whole(connection):
        harden(connection)
        _attach(connection, _immutable(vectors) if vectors.exists() else IN_MEMORY)
        for layout in (INDEX, EMBEDDINGS):
            check_schema(connection, layout, layout.schema)
    return connection


def _immutable(path: Path) -> str:
    return path.absolute().as_uri() + "?immutable=1"


def harden(connection: apsw.Connection) -> None:
    """Let a connection believe and run nothing that the file itself brings, and wait for its turn."""
    connection.set_busy_timeout(BUSY_MS)
    # A file from elsewhere must not be able to run anything (T17).
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    connection.execute("PRAGMA cell_size_check = ON")


def _attach(connection: apsw.Connection, vectors: str) -> None:
    """Attach the store of vectors; a reader that finds none sees an empty one, and words still answer."""
    connection.execute("ATTACH ? AS embeddings", (vectors,))
    if vectors == IN_MEMORY:
        _create_tables(connection, EMBEDDINGS)


def _prepare(connection: apsw.Connection) -> None:
    for layout in (INDEX, EMBEDDINGS):
        # Only a file that is still empty takes the size of its pages, and before it gets its log.
        connection.pragma("page_size", layout.page_bytes, schema=layout.schema)
        connection.pragma("journal_mode", "WAL", schema=layout.schema)
        # In WAL mode NORMAL cannot corrupt; power failure may lose the last commits, and a sweep finds them again.
        connection.pragma("synchronous", "NORMAL", schema=layout.schema)
        connection.pragma("journal_size_limit", LOG_BYTES, schema=layout.schema)
    connection.wal_autocheckpoint(WAL_PAGES)


def _create_tables(connection: apsw.Connection, layout: Layout) -> None:
    schema = layout.schema
    if connection.pragma("user_version", schema=schema) or connection.execute(_COUNT_TABLES[schema]).get:
        return
    with connection:
        for statement in layout.tables.values():
            connection.execute(_NAMED.sub(rf"\1 {schema}.", statement, count=1))
        connection.pragma("application_id", layout.application_id, schema=schema)
        connection.pragma("user_version", layout.version, schema=schema)


def check_schema(connection: apsw.Connection, layout: Layout, schema: str) -> None:
    """Compare the tables of one file with those this version makes.

    Args:
        connection: Any.
        layout: What the file should be.
        schema: Its name in the connection.

    Raises:
        DamagedIndexError: It is of another version, or has other tables.
    """
    version = connection.pragma("user_version", schema=schema)
    hint = 'Run "clawvault index" to build it again.'
    if connection.pragma("application_id", schema=schema) != layout.application_id or version != layout.version:
        raise DamagedIndexError(f"The {layout.noun} has version {version}, not {layout.version}.", hint)
    found = {
        name: sql
        for name, sql in connection.execute(_LIST_TABLES[schema])
        if not name.startswith(SHADOW_PREFIX) and name != SEQUENCE
    }
    if found != layout.tables:
        raise DamagedIndexError(f"The {layout.noun} has tables this version did not make.", hint)


def identify(path: Path) -> tuple[tuple[int, int], ...] | None:
    """Return what tells the files of an index from those that replace them; ``None`` when there is no index."""
    if not path.exists():
        return None
    return tuple(_identify(file) for file in (path, path.with_name(EMBEDDINGS.file_name)))


def _identify(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_ino, found.st_ctime_ns if found.st_ino == 0 else 0


def load_vector_extension(connection: apsw.Connection) -> str:
    """Load sqlite-vec into one connection, then forbid any further extension (T18).

    Returns:
        An empty string, or why it could not be loaded.
    """
    try:
        # Only its place is needed: the package itself imports NumPy.
        spec = find_spec("sqlite_vec")
        if spec is None or spec.origin is None:
            return "sqlite-vec cannot load: it is not installed"
        connection.enable_load_extension(True)
        connection.load_extension(str(Path(spec.origin).with_name("vec0")))
    except (apsw.Error, ImportError, OSError, ValueError) as error:
        return f"sqlite-vec cannot load: {error}"
    finally:
        connection.enable_load_extension(False)
    return ""
