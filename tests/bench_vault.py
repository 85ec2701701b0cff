"""A vault in a temporary folder with its index and a counting embedder, for tests of every room."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from fakes import HashEmbedder

from clawvault.api import Vault
from clawvault.config import load_config
from clawvault.index.indexer import SyncReport
from clawvault.index.store import Store
from clawvault.index.writing_session import WritingSession
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import SearchResult

TODAY = date(2026, 3, 15)


class BenchVault:
    """Notes on disk, and the index they make."""

    def __init__(self, folder: Path, embedder: HashEmbedder | None = None, **flags: Any) -> None:
        self.root = folder / "vault"
        (self.root / ".clawvault").mkdir(parents=True, exist_ok=True)
        self.environment = {"CLAWVAULT_STATE_DIR": str(folder / "state")}
        self.embedder = embedder or HashEmbedder()
        self.flags = {name.replace("__", "."): value for name, value in flags.items()}
        self.vault = self._open()

    def _open(self) -> Vault:
        config = load_config(self.root, environment=self.environment, flags=self.flags)
        return Vault(self.root, config, self.environment, embedder=self.embedder)

    def reopen(self, embedder: HashEmbedder | None = None, **flags: Any) -> None:
        """Close everything and open the vault again, perhaps with another model or other settings."""
        self.vault.close()
        self.embedder = embedder or self.embedder
        self.flags |= {name.replace("__", "."): value for name, value in flags.items()}
        self.vault = self._open()

    @property
    def index_path(self) -> Path:
        return self.vault.opened.state / "index.sqlite3"

    def write(self, path: str, text: str | bytes) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        return target

    def sync(self, **options: Any) -> SyncReport:
        return self.vault.index(**options)

    def session(self) -> WritingSession:
        """Open the index for writing without taking the lock; closed with the vault."""
        return self.vault.opened.writing()

    def search(self, query: str, **options: Any) -> SearchResult:
        """Search the index as it stands, without looking for changes first."""
        return self.vault.opened.search(SearchRequest(query=query, **options), today=TODAY)

    def paths(self, query: str, **options: Any) -> list[str]:
        return [hit.path for hit in self.search(query, **options).hits]

    def store(self) -> Store:
        return Store(self.index_path, writer=False)

    def rows(self, sql: str, *parameters: Any) -> list[Any]:
        store = self.store()
        try:
            return store.connection.execute(sql, parameters).fetchall()
        finally:
            store.close()

    def note_paths(self) -> list[str]:
        return [row[0] for row in self.rows("SELECT path FROM notes ORDER BY path")]
