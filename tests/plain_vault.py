"""A small vault without a model, for tests of doors to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest


def make_plain_vault(folder: Path, notes: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write notes below ``notes/`` and have the environment say that there is no model, and a state folder beside."""
    root = folder / "notes"
    for path, text in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="\n")
    (root / ".clawvault").mkdir()
    monkeypatch.setenv("CLAWVAULT_STATE_DIR", str(folder / "state"))
    monkeypatch.setenv("CLAWVAULT_EMBEDDING_PROVIDER", "none")
    monkeypatch.delenv("CLAWVAULT_VAULT", raising=False)
    return root
