"""A vault without an index, and its state folder."""

from __future__ import annotations

from pathlib import Path

import pytest


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
