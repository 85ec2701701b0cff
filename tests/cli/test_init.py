"""``clawvault init``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_types import Run

SEEDED = ["AGENTS.md", "HEARTBEAT.md", "IDENTITY.md", "MEMORY.md", "README.md", "SOUL.md", "USER.md"]


def test_a_new_vault_lists_what_was_made_and_which_model_was_chosen(run: Run, tmp_path: Path) -> None:
    """TC-22."""
    result = run("init", str(tmp_path / "new"), "--language", "en", "--model", "none")
    assert result.stdout.splitlines() == [
        f'Vault in "{tmp_path / "new"}".',
        "  created  memory/",
        *(f"  created  {name}" for name in SEEDED),
        "  created  .clawvault/id",
        "  created  .clawvault/config.toml",
        "Model: none. You asked for it.",
    ]


def test_a_second_init_changes_nothing(run: Run, tmp_path: Path) -> None:
    run("init", str(tmp_path / "new"))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "new").rglob("*")}
    result = run("init", str(tmp_path / "new"))
    assert result.exit_code == 0
    assert "created" not in result.stdout
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "new").rglob("*")} == before


def test_a_folder_of_notes_is_adopted_with_its_settings_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "plan.md").write_text("# The plan\n\nWe go to the sea and it is good for you.\n")
    lines = run("init", str(tmp_path / "old")).stdout.splitlines()
    assert lines[:3] == [
        f'Adopted 1 notes in "{tmp_path / "old"}".',
        "  created  .clawvault/id",
        "  created  .clawvault/config.toml",
    ]
    assert lines[3].startswith("Model: all-MiniLM-L6-v2. ")


def test_a_vault_of_before_gets_an_id_and_keeps_what_can_be_undone(run: Run, vault: Path) -> None:
    run("append", "databases.md", "A line.")
    result = run("init", str(vault), "--model", "none")
    assert "  created  .clawvault/id" in result.stdout.splitlines()
    assert run("undo", "--last").exit_code == 0
    assert "A line." not in (vault / "databases.md").read_text("utf-8")


def test_chinese_notes_choose_the_multilingual_model(run: Run, tmp_path: Path) -> None:
    (tmp_path / "zh").mkdir()
    (tmp_path / "zh" / "a.md").write_text("# 数据库\n\n生产环境的数据库监听端口五四三三，每晚备份一次。\n", "utf-8")
    answer = json.loads(run("init", str(tmp_path / "zh"), "--json").stdout)
    assert (answer["model"], answer["adopted"], answer["notes"]) == ("use-multilingual", True, 1)


def test_a_chinese_locale_seeds_chinese_notes(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    answer = json.loads(run("init", str(tmp_path / "new"), "--json").stdout)
    assert (answer["language"], answer["model"]) == ("zh", "use-multilingual")


def test_the_language_of_the_machine_is_not_taken_from_the_c_locale(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    answer = json.loads(run("init", str(tmp_path / "new"), "--json").stdout)
    assert (answer["language"], answer["model"]) == ("en", "all-MiniLM-L6-v2")


def test_a_file_in_the_way_is_exit_2(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    result = run("init", str(tmp_path / "file"))
    assert result.exit_code == 2
    assert "is a file, not a folder." in result.stderr


def test_a_language_without_a_template_is_exit_2(run: Run, tmp_path: Path) -> None:
    assert run("init", str(tmp_path / "new"), "--language", "tlh").exit_code == 2


def test_a_model_that_is_not_there_makes_no_vault(run: Run, tmp_path: Path) -> None:
    result = run("init", str(tmp_path / "new"), "--model", "nosuch")
    assert result.exit_code == 7
    assert result.stderr.startswith('Error: The model "nosuch" is not on this machine.\nHint: ')
    assert not (tmp_path / "new").exists()


def test_a_folder_without_a_name_is_not_the_present_one(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    result = run("init", "", "--model", "none")
    assert result.exit_code == 2
    assert list((tmp_path / "here").iterdir()) == []


def test_a_vault_inside_another_is_made_with_a_word_of_warning(run: Run, vault: Path) -> None:
    result = run("init", str(vault / "inner"), "--model", "none")
    assert result.exit_code == 0
    assert f'"{vault / "inner"}" is inside the vault "{vault}"' in result.stderr
    assert "is inside" not in run("init", str(vault / "inner"), "--model", "none").stderr
