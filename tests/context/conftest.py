"""A vault for contexts."""

from __future__ import annotations

from pathlib import Path

import pytest
from context_vault import ContextVault


@pytest.fixture
def vault(tmp_path: Path) -> ContextVault:
    return ContextVault(tmp_path / "vault", tmp_path / "state")
