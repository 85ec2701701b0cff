"""A vault that is moved keeps what can be undone and what was recalled; another at its path sees none of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_types import Start

QUESTION, DAILY = "backups", "memory/2026-03-09.md"


@pytest.fixture
def used(vault: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the vault an id, a line that can be undone, and a recall; and be beside it."""
    for arguments in (("init",), ("append", "databases.md", "A line of before."), ("index",), ("search", QUESTION)):
        done = start(*arguments)
        assert done.returncode == 0, done.stderr
    monkeypatch.chdir(vault.parent)
    return vault


def recalls_of(start: Start, root: Path) -> list[tuple[str, int]]:
    done = start("--vault", str(root), "recalls", DAILY, "--json")
    assert done.returncode == 0, done.stderr
    return [(item["text"], item["recalls"]) for item in json.loads(done.stdout)]


def test_a_vault_that_was_renamed_keeps_undo_recalls_and_index(used: Path, start: Start) -> None:
    before = recalls_of(start, used)
    assert before == [("Agreed with Mira to move the backups.", 1)]
    other = used.rename(used.parent / "other")
    found = start("--vault", str(other), "search", QUESTION, "--json")
    assert [hit["path"] for hit in json.loads(found.stdout)["hits"]] == [DAILY]
    assert recalls_of(start, other) == before
    undone = start("--vault", str(other), "undo", "--last")
    assert undone.returncode == 0, undone.stderr
    assert "A line of before." not in (other / "databases.md").read_text("utf-8")


def test_a_new_vault_at_the_path_of_a_deleted_one_can_undo_nothing_of_it(used: Path, start: Start) -> None:
    daily = (used / DAILY).read_bytes()
    shutil.rmtree(used)
    assert start("init", str(used), "--model", "none").returncode == 0
    assert "nothing to undo" in start("--vault", str(used), "undo").stderr
    assert start("--vault", str(used), "undo", "--last").returncode != 0
    assert not (used / "databases.md").exists()
    (used / DAILY).write_bytes(daily)
    assert recalls_of(start, used) == []


def test_a_copy_can_undo_nothing_of_the_original(used: Path, start: Start) -> None:
    copy = shutil.copytree(used, used.parent / "copy")
    assert start("--vault", str(copy), "undo", "--last").returncode != 0
    assert "A line of before." in (copy / "databases.md").read_text("utf-8")
    assert start("--vault", str(used), "undo", "--last").returncode == 0


def test_a_daemon_of_the_former_place_is_waited_for(
    vault: Path, start: Start, daemon: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """I18, F12."""
    assert start("init").returncode == 0
    assert start("append", "databases.md", "A line of before.").returncode == 0
    monkeypatch.chdir(vault.parent)
    other = vault.rename(vault.parent / "other")
    refused = start("--vault", str(other), "undo", "--last")
    assert refused.returncode == 8
    assert f"a daemon ({daemon.pid}) still works for its former place" in refused.stderr
    assert "Hint: It ends within a minute; or stop it, then try again." in refused.stderr
    daemon.terminate()
    daemon.wait(timeout=60)
    assert start("--vault", str(other), "undo", "--last").returncode == 0
    assert "A line of before." not in (other / "databases.md").read_text("utf-8")


def test_a_daemon_begins_again_for_another_vault_at_its_path(
    vault: Path, start: Start, daemon: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """F12, I18: it must not keep one vault in the state of another."""
    assert start("init").returncode == 0
    assert start("append", "databases.md", "A line of before.").returncode == 0
    monkeypatch.chdir(vault.parent)
    shutil.rmtree(vault)
    assert start("init", str(vault), "--model", "none").returncode == 0
    assert daemon.stderr is not None
    assert daemon.stderr.readline() == "Another vault is at this path now; beginning again.\n"
    assert "nothing to undo" in start("--vault", str(vault), "undo").stderr
    assert start("--vault", str(vault), "undo", "--last").returncode != 0
    (vault / "ports.md").write_text("The harbour is in the north.\n")
    found = start("--vault", str(vault), "search", "harbour", "--json")
    assert [hit["path"] for hit in json.loads(found.stdout)["hits"]] == ["ports.md"]
    assert daemon.poll() is None
