"""A vault to write into, and the operations on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_vault import Kept

from clawvault.keeping.keeper import Keeper


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    made = Kept(tmp_path / "vault", tmp_path / "state")
    (made.root / ".clawvault").mkdir(parents=True)
    made.state.mkdir()
    return made


@pytest.fixture
def keeper(kept: Kept) -> Keeper:
    return kept.keeper()
