"""A folder that one may not look into is a person's matter, no fault of the program."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from cli_types import Run

from clawvault.vault.writing.folder import Folder


@pytest.fixture(autouse=True)
def closed(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody look at what is in "memory" and "closed"; whoever runs the tests may be allowed everything."""
    (vault / "closed").mkdir()
    look, look_at_link, reach = os.stat, os.lstat, Folder.reach

    def refuse(path: Any) -> None:
        if isinstance(path, (str, os.PathLike)) and Path(os.fspath(path)).parent.name in {"memory", "closed"}:
            raise PermissionError(13, "Permission denied", os.fspath(path))

    def stat(path: Any, **options: Any) -> os.stat_result:
        refuse(path)
        return look(path, **options)

    def lstat(path: Any, **options: Any) -> os.stat_result:
        refuse(path)
        return look_at_link(path, **options)

    def reach_open(root: Path, parts: list[str], **options: Any) -> Folder:
        refuse("/".join([*parts, "x"]))
        return reach(root, parts, **options)

    monkeypatch.setattr(os, "stat", stat)
    monkeypatch.setattr(os, "lstat", lstat)
    monkeypatch.setattr(Folder, "reach", reach_open)


@pytest.mark.parametrize(
    "arguments",
    [("log", "hi"), ("append", "closed/x.md", "text"), ("write", "closed/x.md", "text")],
)
def test_what_cannot_be_written_for_want_of_permission_is_said(run: Run, arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Permission denied." in result.stderr
    assert "Hint: Check that the vault is writable" in result.stderr


@pytest.mark.parametrize("command", ["read", "pin", "unpin", "accept"])
def test_what_cannot_be_looked_at_for_want_of_permission_is_said(run: Run, command: str) -> None:
    result = run(command, "closed/a.md")
    assert result.exit_code in {1, 2, 3}
    assert result.stderr.startswith("Error: ")


def test_settings_that_cannot_be_looked_at_are_no_new_vault(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = os.stat

    def stat(path: Any, **options: Any) -> os.stat_result:
        if str(path).endswith("config.toml"):
            raise PermissionError(13, "Permission denied", str(path))
        return look(path, **options)

    monkeypatch.setattr(os, "stat", stat)
    before = sorted(vault.rglob("*.md"))
    result = run("init", str(vault))
    assert (result.exit_code, result.stderr.splitlines()[0].endswith("Permission denied.")) == (1, True)
    assert sorted(vault.rglob("*.md")) == before
