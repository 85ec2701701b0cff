"""A daemon makes and removes files while the doctor looks at them."""

from __future__ import annotations

from pathlib import Path

import pytest

from clawvault.doctor import state


def test_a_file_that_went_since_it_was_listed_is_not_open_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(state, "list_state_files", lambda folder: [folder / "index.sqlite3-wal"])
    assert state.check_privacy(tmp_path).level == "ok"


@pytest.mark.parametrize("name", [".mcp.token.1.tmp", "index.sqlite3.damaged-20260309T000000"])
def test_a_file_that_went_since_it_was_listed_is_nothing_to_remove(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    passing = tmp_path / name
    passing.touch()
    is_symlink = Path.is_symlink

    def look_and_lose(path: Path) -> bool:
        found = is_symlink(path)
        passing.unlink(missing_ok=True)
        return found

    monkeypatch.setattr(Path, "is_symlink", look_and_lose)
    assert state.list_leftovers(tmp_path / "vault", tmp_path) == []
    assert state.list_damaged(tmp_path, older_than_s=60.0) == []
