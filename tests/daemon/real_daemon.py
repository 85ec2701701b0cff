"""A daemon with a real index, in this process or in one of its own, and the comparison with a fresh index."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from daemon_fakes import WAIT_S, wait_until

from clawvault.config import load_config
from clawvault.daemon.running import Daemon
from clawvault.daemon.transport import ask, socket_path
from clawvault.opened import OpenedVault

RUN = """
import os, sys
from pathlib import Path
from clawvault.config import load_config
from clawvault.daemon import answering
from clawvault.daemon.running import run_daemon
from clawvault.errors import ClawvaultError
answering.SYNC_S = float(sys.argv[2])
root = Path(sys.argv[1])
try:
    config = load_config(root, environment=os.environ)
    reload = lambda: load_config(root, environment=os.environ)
    say = lambda text: print(text, flush=True)
    code = run_daemon(root, config, os.environ, reload=reload, on_ready=lambda: say("ready"), tell=say)
except ClawvaultError as error:
    print(error.message, flush=True)
    code = error.exit_code
sys.exit(code)
"""


class Bench:
    """One vault with its own state folder.

    ``env`` are settings in the form of the environment; without more there is no embedder.
    """

    def __init__(self, folder: Path, **env: str) -> None:
        self.root = folder / "vault"
        (self.root / ".clawvault").mkdir(parents=True)
        self.folder = folder
        self.env = {
            "CLAWVAULT_STATE_DIR": str(folder / "state"),
            "CLAWVAULT_EMBEDDING_PROVIDER": "none",
            "CLAWVAULT_WATCH_SETTLE_S": "0.1",
            **env,
        }

    @cached_property
    def state(self) -> Path:
        return OpenedVault(self.root, load_config(self.root, environment=self.env), self.env).state

    @contextmanager
    def running(self, **options: Any) -> Iterator[Daemon]:
        """Run the daemon in this process until the block ends."""
        daemon = Daemon(self.root, load_config(self.root, environment=self.env), self.env, **options)
        try:
            daemon.start()
            assert daemon.service.wait_until_ready(WAIT_S)
            yield daemon
        finally:
            assert daemon.stop(WAIT_S)

    @contextmanager
    def process(self, *, umask: int = 0o022, preamble: str = "") -> Iterator[subprocess.Popen[str]]:
        """Run the daemon in a process of its own; it is killed when the block ends."""
        process = self.spawn(umask=umask, preamble=preamble)
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            # A stopped process does not die before it goes on.
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.communicate()
            # Test folders have paths too long for a socket, so it is in the folder of the user.
            socket_path(self.state).unlink(missing_ok=True)

    def spawn(self, *, umask: int = 0o022, preamble: str = "") -> subprocess.Popen[str]:
        code = f"import os; os.umask({umask})\n{preamble}\n{RUN}"
        return subprocess.Popen(
            [sys.executable, "-c", code, str(self.root), str(WAIT_S)],
            env={**os.environ, **self.env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def search(self, word: str, **fields: object) -> dict[str, Any]:
        answer = ask(self.state, {"op": "search", "request": {"query": word, "mode": "fts", **fields}}, 2 * WAIT_S)
        assert answer is not None, "nobody listens"
        assert answer["ok"], answer
        result = answer["result"]
        assert isinstance(result, dict)
        return result

    def paths(self, word: str) -> list[str]:
        """Return the paths of the notes that hold a word, as the daemon answers."""
        return [hit["path"] for hit in self.search(word, group="note")["hits"]]

    def status(self) -> dict[str, Any]:
        answer = ask(self.state, {"op": "status"}, WAIT_S)
        assert answer is not None, "nobody listens"
        assert answer["ok"], answer
        status = answer["status"]
        assert isinstance(status, dict)
        return status

    def finds(self, word: str, paths: list[str]) -> bool:
        return wait_until(lambda: self.paths(word) == paths)

    def has_notes(self, count: int) -> bool:
        return wait_until(lambda: self.status()["notes"] == count)

    def vault_hash(self) -> str:
        """Return one hash of every path and every byte of the vault (I01)."""
        digest = hashlib.sha256()
        for path in sorted(self.root.rglob("*")):
            digest.update(os.fsencode(path))
            digest.update(path.read_bytes() if path.is_file() else b"")
        return digest.hexdigest()

    def indexed(self) -> list[tuple[object, ...]]:
        """Return every chunk and every keyword row of the live index."""
        return self._dump(self.env)

    def fresh(self) -> list[tuple[object, ...]]:
        """Return the same of an index built from scratch."""
        env = {**self.env, "CLAWVAULT_STATE_DIR": str(self.folder / f"fresh-{time.monotonic_ns()}")}
        opened = OpenedVault(self.root, load_config(self.root, environment=env), env)
        opened.writing().indexer.sweep()
        opened.close()
        return self._dump(env)

    def is_equal_to_fresh(self) -> bool:
        """Wait until the live index equals one built from scratch (I07)."""
        return wait_until(lambda: self.indexed() == self.fresh())

    def _dump(self, env: dict[str, str]) -> list[tuple[object, ...]]:
        from clawvault.index.connection import INDEX_NAME
        from clawvault.index.damage import check_integrity
        from clawvault.index.store import Store

        opened = OpenedVault(self.root, load_config(self.root, environment=env), env)
        store = Store(opened.state / INDEX_NAME, writer=False)
        rows = list(
            store.connection.execute(
                """SELECT n.path, hex(n.sha256), n.title, c.ordinal, c.char_start, c.char_end, c.line_start, c.text,
                          l.title, l.heading, l.body
                   FROM notes n LEFT JOIN chunks c ON c.note_id = n.id LEFT JOIN lexicon l ON l.rowid = c.id
                   ORDER BY n.path, c.ordinal"""
            )
        )
        assert check_integrity(store.connection) == ""
        store.close()
        return rows


def during(step: Callable[[], object], watch: Callable[[], bool]) -> list[bool]:
    """Run ``step`` in a thread and collect what ``watch`` sees until it ends."""
    thread = threading.Thread(target=step)
    thread.start()
    seen = [watch()]
    while thread.is_alive():
        seen.append(watch())
    thread.join()
    return seen
