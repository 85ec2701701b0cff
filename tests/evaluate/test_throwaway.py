"""A vault that lives as long as a measurement."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from clawvault.errors import ClawvaultError
from clawvault.evaluate.throwaway import copy_notes, throw_away_vault


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_only_notes_and_the_rules_for_them_are_copied(tmp_path: Path) -> None:
    source = tmp_path / "notes"
    for name in ("a.md", "inner/B.MD", "c.txt", ".hidden/d.md", ".e.md", ".clawvaultignore", ".clawvault/config.toml"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text("text", encoding="utf-8")
    copy_notes(source, tmp_path / "copy", "", ("md",))
    assert files(tmp_path / "copy") == [".clawvault/config.toml", ".clawvaultignore", "a.md", "inner/B.MD"]


def test_notes_that_go_to_a_folder_bring_no_rules(tmp_path: Path) -> None:
    source = tmp_path / "notes"
    source.mkdir()
    for name in ("a.md", ".clawvaultignore"):
        (source / name).write_text("a.md", encoding="utf-8")
    copy_notes(source, tmp_path / "copy", "notes", ("md",))
    assert files(tmp_path / "copy") == ["notes/a.md"]


def test_links_are_passed_over(tmp_path: Path) -> None:
    source = tmp_path / "notes"
    source.mkdir()
    (tmp_path / "outside.md").write_text("secret", encoding="utf-8")
    (source / "link.md").symlink_to(tmp_path / "outside.md")
    (source / "folder").symlink_to(tmp_path, target_is_directory=True)
    copy_notes(source, tmp_path / "copy", "", ("md",))
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize(("number", "kind"), [(errno.EACCES, ClawvaultError), (errno.ENOSPC, OSError)])
def test_a_file_that_cannot_be_copied_is_named_and_a_full_disk_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[Exception]
) -> None:
    def fail(source: Path, target: Path) -> None:
        raise OSError(number, os.strerror(number), str(source))

    (tmp_path / "a.md").write_text("text", encoding="utf-8")
    monkeypatch.setattr(shutil, "copyfile", fail)
    with pytest.raises(kind, match=r"a\.md"):
        copy_notes(tmp_path, tmp_path / "copy", "", ("md",))


def test_the_vault_and_its_index_are_gone_in_the_end() -> None:
    def fill(root: Path) -> None:
        (root / "a.md").write_text("alpha\n", encoding="utf-8")

    with throw_away_vault(fill, settings={}, environment={}, make_embedder=lambda _: None) as vault:
        vault.index()
        root, state = vault.root, vault.opened.state
        assert state.is_dir()
    assert not root.exists()
    assert not state.exists()
