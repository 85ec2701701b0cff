"""A vault for a real daemon. That one is late because the machine is busy is no fault; who tests it says so itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from daemon_fakes import WAIT_S
from fakes import HashEmbedder
from real_daemon import Bench

from clawvault.daemon import answering


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search wait for the index, so that it is never stale for want of a processor."""
    monkeypatch.setattr(answering, "SYNC_S", WAIT_S)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, bench: Bench) -> HashEmbedder:
    """Let the daemon embed with an embedder that counts."""
    embedder = HashEmbedder()
    bench.env["CLAWVAULT_EMBEDDING_PROVIDER"] = "sentence-transformers"
    monkeypatch.setattr("clawvault.opened.open_embedder", lambda *_: embedder)
    return embedder
