"""Checks of the machine: Python, SQLite, the vector extension, file events."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import apsw

from clawvault.config import Config
from clawvault.doctor.findings import FAIL, OK, WARN, Finding
from clawvault.index.connection import load_vector_extension

WATCH_LIMIT = Path("/proc/sys/fs/inotify/max_user_watches")


def check_python() -> Finding:
    """Name the Python that runs; an older one than the project needs could not have come so far."""
    return Finding("python", OK, f"Python {platform.python_version()}")


def check_sqlite() -> Finding:
    """Say whether the SQLite that comes with apsw has full-text search."""
    connection = apsw.Connection(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(body)")
    except apsw.SQLError as error:
        return Finding("sqlite", FAIL, f"SQLite has no FTS5: {error}.", "Install apsw from its wheel.")
    finally:
        connection.close()
    return Finding("sqlite", OK, f"SQLite {apsw.sqlite_lib_version()} with FTS5")


def check_extension(config: Config) -> Finding:
    """Say whether sqlite-vec loads, and what compares vectors when it does not."""
    if config.vector_backend in {"numpy", "off"}:
        return Finding("vectors", OK, f"The settings choose {config.vector_backend}.")
    connection = apsw.Connection(":memory:")
    try:
        problem = load_vector_extension(connection)
    finally:
        connection.close()
    if problem:
        level = FAIL if config.vector_backend == "sqlite-vec" else WARN
        return Finding(
            "vectors", level, f"{problem}.", "NumPy compares vectors instead; reinstall sqlite-vec to use it."
        )
    return Finding("vectors", OK, "sqlite-vec loads.")


def check_watches(root: Path, config: Config, limit_file: Path = WATCH_LIMIT) -> Finding:
    """Say whether the kernel allows a watch for each folder of the vault (B015, B017)."""
    if config.watch.mode == "polling":
        return Finding("watches", OK, "The settings choose polling, which needs none.")
    try:
        limit = int(limit_file.read_text("ascii"))
    except (OSError, ValueError):
        return Finding("watches", OK, "This platform has no limit on watched folders to look at.")
    # What is too deep to be listed cannot be watched either.
    n_folders = sum(1 for _ in os.walk(root))
    if n_folders > limit // 2:
        return Finding(
            "watches",
            WARN,
            f"The vault has {n_folders} folders and the system allows {limit} watches.",
            "Raise fs.inotify.max_user_watches, or set watch.mode to polling.",
        )
    return Finding("watches", OK, f"{n_folders} folders, {limit} watches allowed.")
