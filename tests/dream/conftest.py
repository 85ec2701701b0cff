"""A vault without an index, its state folder, and one to write into."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_vault import Kept


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "vault"
    (made / ".clawvault").mkdir(parents=True)
    return made


@pytest.fixture
def state(tmp_path: Path) -> Path:
    made = tmp_path / "state"
    made.mkdir(mode=0o700)
    return made


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """Make a vault on 9 March 2026."""
    return Kept(tmp_path / "vault", tmp_path / "state")
