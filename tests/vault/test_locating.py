"""Which vault a command is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from clawvault.errors import NotFoundError
from clawvault.vault.locating import locate_vault


@pytest.mark.parametrize("given", [".", "inner/..", "../vault", "./"])
def test_a_vault_may_be_named_in_any_spelling(vault: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    (vault / "inner").mkdir()
    monkeypatch.chdir(vault)
    assert locate_vault(given, {}) == vault
    assert locate_vault(None, {"CLAWVAULT_VAULT": given}) == vault


@pytest.mark.parametrize("given", ["inner", "~no-such-user/x", "nul\0"])
def test_only_the_working_folder_is_looked_for_above(vault: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    (vault / "inner").mkdir()
    monkeypatch.chdir(vault / "inner")
    assert locate_vault(None, {}) == vault
    monkeypatch.chdir(vault)
    with pytest.raises(NotFoundError):
        locate_vault(given, {})
    with pytest.raises(NotFoundError):
        locate_vault(None, {"CLAWVAULT_VAULT": given})


@pytest.mark.parametrize("given", [None, "notes", "."])
def test_a_deleted_working_folder_is_no_vault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    with pytest.raises(NotFoundError):
        locate_vault(given, {})


def test_a_disk_that_fails_is_no_vault(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F03."""

    def fail(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_dir", fail)
    with pytest.raises(NotFoundError, match="Permission denied"):
        locate_vault(vault, {})
