"""A vault to write into, and the operations on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_vault import Kept

from clawvault.keeping.keeper import Keeper


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path / "vault", tmp_path / "state")


@pytest.fixture
def keeper(kept: Kept) -> Keeper:
    return kept.keeper()
