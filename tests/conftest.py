"""Fixtures every room shares."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench_vault import BenchVault


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[BenchVault]:
    """Give an empty vault with a deterministic embedder."""
    made = BenchVault(tmp_path)
    yield made
    made.vault.close()
