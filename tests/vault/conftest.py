"""A vault to read, and the shortest way to list it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clawvault.config import Config
from clawvault.vault import paths
from clawvault.vault.ignoring import read_ignore_rules
from clawvault.vault.listing import Listing, list_notes


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / ".clawvault").mkdir(parents=True)
    return root


@pytest.fixture
def listed(tmp_path: Path) -> Callable[[Path], Listing]:
    def look(root: Path, config: Config | None = None) -> Listing:
        chosen = config or Config()
        return list_notes(root, read_ignore_rules(root, chosen, tmp_path / "state"), chosen)

    return look


@pytest.fixture(params=["handles", "names"])
def walker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to reach a folder: by handles, and by names as on Windows."""
    monkeypatch.setattr(paths, "CAN_WALK_HANDLES", request.param == "handles")
