"""A vault for agents, without a model, and clients that end with their test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from agent_types import Connect
from raw_client import RawClient

NOTES = {
    "MEMORY.md": "# Memory\n\n- Anna prefers dark mode in every editor.\n- The database listens on port 5433.\n",
    "USER.md": "# User\n\nName: Anna\n",
    "memory/2026-03-09.md": "# 2026-03-09\n\nDeployed postgres to the new host.\n",
    "projects/atlas.md": "# Atlas\n\nThe launch is planned for May.\n",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "notes"
    for path, text in NOTES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
    (folder / ".clawvault").mkdir()
    monkeypatch.setenv("CLAWVAULT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "none")
    monkeypatch.delenv("CLAWVAULT_VAULT", raising=False)
    return folder


@pytest.fixture
def connect(root: Path) -> Iterator[Connect]:
    """Start a server and a raw client of it."""
    clients: list[RawClient] = []

    def start(*arguments: str, code: str | None = None, **environment: str) -> RawClient:
        clients.append(RawClient(root, *arguments, code=code, **environment))
        return clients[-1]

    yield start
    for client in clients:
        client.kill()
