"""Look for damage in the files of the index, and put a damaged file aside (I20)."""

from __future__ import annotations

import os
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import apsw

from clawvault.errors import IndexFaultError
from clawvault.index.connection import DAMAGE, DamagedIndexError, check_schema, harden
from clawvault.index.packing import unpack_text
from clawvault.index.schema import EMBEDDINGS, INDEX, Layout

SET_ASIDE_PER_HOUR = 3


def check_integrity(connection: apsw.Connection) -> str:
    """Return what is wrong with either file, or an empty string (I20, B113, B119)."""
    try:
        problem = connection.execute("PRAGMA quick_check(1)").get
        return _check_rows(connection) if problem == "ok" else str(problem)
    except (*DAMAGE, UnicodeDecodeError) as error:
        return str(error)


def _check_rows(connection: apsw.Connection) -> str:
    # The check of the keyword rows is written as an insert, which a read-only disk refuses.
    with suppress(apsw.ReadOnlyError, apsw.FullError):
        connection.execute("INSERT INTO lexicon (lexicon) VALUES ('integrity-check')")
    chunks = connection.execute("SELECT count(*) FROM chunks").get
    rows = connection.execute("SELECT count(*) FROM lexicon").get
    texts = connection.execute("SELECT text, text_hash FROM chunks")
    wrong = sum(unpack_text(text, text_hash) is None for text, text_hash in texts)
    if wrong:
        return f"{wrong} texts are not what was written"
    return "" if chunks == rows else f"{chunks} chunks but {rows} keyword rows"


def _is_damaged(path: Path, layout: Layout) -> bool:
    """Look through one of the two files by itself; one that is missing is whole."""
    if not path.exists():
        return False
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
            harden(connection)
            check_schema(connection, layout, "main")
            if connection.execute("PRAGMA quick_check(1)").get != "ok":
                return True
            return layout is INDEX and bool(_check_rows(connection))
    except (*DAMAGE, DamagedIndexError, UnicodeDecodeError):
        return True


def set_aside(path: Path, *, now: datetime | None = None) -> list[Path]:
    """Move what is damaged out of the way under a dated name, so that a new one can be built.

    Args:
        path: The index file. The store of vectors beside it goes only when it is damaged itself, and then goes alone;
            where both look whole, the index goes, which is the one that is cheap to make again.
        now: The time, aware.

    Returns:
        The new names.

    Raises:
        IndexFaultError: Three were set aside within the hour already; something else is wrong (I20).
    """
    now = now or datetime.now(UTC)
    return [_move_aside(file, now) for file in find_damaged(path) or [path]]


def find_damaged(path: Path) -> list[Path]:
    """Look through both files as they are on disk, whatever open connections remember of them; list the damaged ones.

    Args:
        path: The index file.
    """
    files = {path: INDEX, path.with_name(EMBEDDINGS.file_name): EMBEDDINGS}
    return [file for file, layout in files.items() if _is_damaged(file, layout)]


def _move_aside(path: Path, now: datetime) -> Path:
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
