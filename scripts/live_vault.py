"""A vault of invented notes, a real ``clawvault watch`` over it, and the comparison with a fresh index."""

from __future__ import annotations

import hashlib
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from counted_embeddings import embed
from environment import clean_environment
from invented_notes import invent_vault

from clawvault.config import load_config
from clawvault.daemon.transport import SilentDaemonError, ask
from clawvault.index.connection import INDEX_NAME, read_text
from clawvault.index.damage import check_integrity
from clawvault.index.store import Store
from clawvault.opened import OpenedVault

__all__ = ["STOP_S", "Difference", "LiveVault", "hash_files"]

POLL_S = 0.05
QUIET_S = 2.0
STOP_S = 5.0
# From here on nobody can say that the daemon is only slow.
PATIENCE_S = 600.0


@dataclass(frozen=True)
class Difference:
    """How a live index differs from a fresh one of the same folder."""

    n_notes: int
    notes: tuple[str, ...]  # paths that only one of them has, or whose hash, chunk texts, lines or offsets differ
    terms: int  # keywords whose counts differ
    missing_vectors: int  # chunks without a vector
    wrong_vectors: int  # vectors that are not those of the text
    integrity: str  # what SQLite's own checks say; empty when nothing

    def __bool__(self) -> bool:
        return bool(self.notes or self.terms or self.missing_vectors or self.wrong_vectors or self.integrity)

    def __str__(self) -> str:
        shown = ", ".join(self.notes[:5]) + (" ..." if len(self.notes) > 5 else "")
        return (
            f"{self.n_notes} notes, {len(self.notes)} differ{f' ({shown})' if shown else ''}, {self.terms} keywords"
            f" differ, {self.missing_vectors} chunks without vector, {self.wrong_vectors} wrong vectors,"
            f" integrity {self.integrity or 'ok'}"
        )


class LiveVault:
    """One vault with its own state folder.

    Args:
        folder: Where vault and state go; stays short, since a socket's path is.
        settings: In the form of the environment; no other ``CLAWVAULT_`` variable is heeded.
    """

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.root = folder / "vault"
        (self.root / ".clawvault").mkdir(parents=True, exist_ok=True)
        self.environment = clean_environment(**{"CLAWVAULT_EMBEDDING_PROVIDER": "none", **settings})
        self.process: subprocess.Popen[bytes] | None = None
        self.use_state("state")

    def use_state(self, name: str) -> None:
        """Go on with another state folder, and so with an empty index."""
        self.environment["CLAWVAULT_STATE_DIR"] = str(self.folder / name)
        self.state = self._open().state

    def seed(self, chance: random.Random, count: int) -> dict[str, str]:
        """Write invented notes; return their texts by path."""
        notes = dict(invent_vault(chance, count))
        for path, text in notes.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, encoding="utf-8")
        return notes

    def start(self) -> None:
        """Start ``clawvault watch``."""
        command = [sys.executable, "-m", "clawvault", "--vault", str(self.root), "watch"]
        with (self.folder / "watch.log").open("ab") as log:
            self.process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)

    def ask(self, op: str, **fields: object) -> dict[str, Any] | None:
        """Ask the daemon; ``None`` when nobody listens or the answer does not come."""
        with suppress(SilentDaemonError):
            return ask(self.state, {"op": op, **fields}, 30.0)
        return None

    def wait_until_ready(self) -> float:
        """Wait for the start-up sweep; return the seconds it took."""
        return self._wait(lambda: bool((self.ask("ping") or {}).get("ready")), "ready")

    def wait_until_quiet(self) -> float:
        """Wait until nothing waits to be read, pruned or embedded, two seconds long; return the seconds it took.

        ``status`` alone is asked, which makes the daemon look at nothing.
        """
        quiet_since = time.monotonic()

        def is_quiet() -> bool:
            nonlocal quiet_since
            if not self._is_idle():
                quiet_since = time.monotonic()
            return time.monotonic() - quiet_since >= QUIET_S

        return self._wait(is_quiet, "quiet") - QUIET_S

    def is_alive(self) -> bool:
        """Say whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def _is_idle(self) -> bool:
        status = (self.ask("status") or {}).get("status")
        if not status:
            return False
        daemon = status["daemon"]
        return bool(
            daemon["ready"] and daemon["doing"] == "waiting" and not daemon["pending_paths"] and not status["pending"]
        )

    def _wait(self, is_true: Any, what: str) -> float:
        began = time.monotonic()
        while not is_true():
            if not self.is_alive():
                raise SystemExit(f"clawvault watch ended by itself; see below\n{self._log_tail()}")
            if time.monotonic() - began > PATIENCE_S:
                raise SystemExit(f"clawvault watch was not {what} within {PATIENCE_S:.0f} s: {self.ask('status')}")
            time.sleep(POLL_S)
        return time.monotonic() - began

    def _log_tail(self) -> str:
        return (self.folder / "watch.log").read_text(encoding="utf-8", errors="replace")[-2000:]

    def stop(self) -> float:
        """End the daemon in order; return the seconds it took."""
        began = time.monotonic()
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(2 * STOP_S)
            self.kill()
        return time.monotonic() - began

    def kill(self) -> None:
        """End the daemon without letting it know."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def log_bytes(self) -> tuple[int, int]:
        """Return size and time of the index's write-ahead log, which move with every write."""
        log = self.state / f"{INDEX_NAME}-wal"
        found = log.stat() if log.exists() else None
        return (0, 0) if found is None else (found.st_size, found.st_mtime_ns)

    def compare_with_fresh(self) -> Difference:
        """Compare the live index with one made from nothing of the notes as they are now (I07)."""
        former = self.environment["CLAWVAULT_STATE_DIR"]
        self.environment["CLAWVAULT_STATE_DIR"] = str(self.folder / f"fresh-{time.monotonic_ns()}")
        opened = self._open()
        self.environment["CLAWVAULT_STATE_DIR"] = former
        opened.writing().indexer.sweep()
        opened.close()
        live, fresh = Store(self.state / INDEX_NAME, writer=False), Store(opened.state / INDEX_NAME, writer=False)
        try:
            return _difference(live, fresh, has_vectors=opened.embedder is not None)
        finally:
            live.close()
            fresh.close()

    def _open(self) -> OpenedVault:
        return OpenedVault(self.root, load_config(self.root, environment=self.environment), self.environment)


def hash_files(root: Path) -> dict[str, str]:
    """Return the hash of every file below a folder by path."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def _difference(live: Store, fresh: Store, *, has_vectors: bool) -> Difference:
    left, right = _read_notes(live), _read_notes(fresh)
    left_terms, right_terms = _read_terms(live), _read_terms(fresh)
    missing, wrong = _check_vectors(live) if has_vectors else (0, 0)
    return Difference(
        n_notes=len(right),
        notes=tuple(path for path in sorted(left.keys() | right.keys()) if left.get(path) != right.get(path)),
        terms=len(left_terms ^ right_terms),
        missing_vectors=missing,
        wrong_vectors=wrong,
        integrity=check_integrity(live.connection),
    )


def _read_notes(store: Store) -> dict[str, list[tuple[object, ...]]]:
    notes: defaultdict[str, list[tuple[object, ...]]] = defaultdict(list)
    rows = store.connection.execute(
        """SELECT n.path, hex(n.sha256), n.title, n.stale, n.encoding, n.tags, c.ordinal, c.char_start, c.char_end,
                  c.line_start, c.line_end, c.heading, c.text, l.rowid IS NOT NULL
           FROM notes n LEFT JOIN chunks c ON c.note_id = n.id LEFT JOIN lexicon l ON l.rowid = c.id
           ORDER BY n.path, c.ordinal"""
    )
    for row in rows:
        notes[row[0]].append(row[1:])
    return notes


def _read_terms(store: Store) -> set[tuple[object, ...]]:
    """Return each keyword with the column it is in, how many chunks hold it and how often it occurs."""
    store.connection.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'lexicon', 'col')")
    return set(store.connection.execute("SELECT term, col, doc, cnt FROM temp.terms"))


def _check_vectors(store: Store) -> tuple[int, int]:
    rows = store.connection.execute(
        """SELECT c.text, c.text_hash, v.vector FROM chunks c LEFT JOIN vectors v ON v.text_hash = c.text_hash
           GROUP BY c.text_hash"""
    )
    missing = wrong = 0
    for packed, text_hash, blob in rows:
        text = read_text(packed, text_hash)
        missing += blob is None
        wrong += blob is not None and not np.allclose(np.frombuffer(blob, "<f4"), embed(text), atol=1e-5)
    return missing, wrong
