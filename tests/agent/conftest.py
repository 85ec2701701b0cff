"""A vault for agents, without a model, and clients that end with their test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from agent_types import Connect
from plain_vault import make_plain_vault
from raw_client import RawClient

NOTES = {
    "MEMORY.md": "# Memory\n\n- Anna prefers dark mode in every editor.\n- The database listens on port 5433.\n",
    "USER.md": "# User\n\nName: Anna\n",
    "memory/2026-03-09.md": "# 2026-03-09\n\nDeployed postgres to the new host.\n",
    "projects/atlas.md": "# Atlas\n\nThe launch is planned for May.\n",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return make_plain_vault(tmp_path, NOTES, monkeypatch)


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
