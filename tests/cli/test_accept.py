"""``clawvault accept``, and what ``status`` and ``doctor`` say of identity files changed elsewhere (T05)."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from cli_types import Run, Start

from clawvault.agent.reading_tools import READING_TOOLS
from clawvault.agent.writing_tools import WRITING_TOOLS
from clawvault.index.connection import INDEX_NAME

CANARY = "canary-of-the-soul"


@pytest.fixture
def known(vault: Path, run: Run) -> Path:
    """Have identity files that were looked at once."""
    (vault / "SOUL.md").write_text("Be kind.\n")
    (vault / "AGENTS.md").write_text("Look first.\n")
    assert run("index").exit_code == 0
    return vault


def waiting(run: Run) -> list[tuple[str, str]]:
    edits = json.loads(run("status", "--json").stdout)["identity_changes"]
    return [(edit["path"], edit["change"]) for edit in edits]


def test_status_tells_an_edit_at_once(run: Run, known: Path) -> None:
    assert waiting(run) == []
    (known / "SOUL.md").write_text(f"Be mean. {CANARY}\n")
    assert waiting(run) == [("SOUL.md", "changed")]
    said = run("status").stdout
    assert "Changed outside clawvault: 1\n  SOUL.md: changed, noticed " in said
    assert "clawvault accept SOUL.md" in said
    assert CANARY not in said


@pytest.mark.parametrize("command", [("index",), ("search", "anything")])
def test_the_next_command_that_looks_at_the_notes_notices_it(run: Run, known: Path, command: tuple[str, ...]) -> None:
    (known / "SOUL.md").write_text("Be mean.\n")
    run(*command)
    (edit,) = json.loads(run("status", "--json").stdout)["identity_changes"]
    (known / "SOUL.md").write_text("Be kind.\n")
    run(*command)
    assert (edit["change"], waiting(run)) == ("changed", [("SOUL.md", "restored")])


def test_another_file_put_in_place_a_deletion_and_a_namesake_are_told(run: Run, known: Path) -> None:
    (known / "x.tmp").write_text("Be mean.\n")
    (known / "x.tmp").replace(known / "SOUL.md")
    (known / "AGENTS.md").unlink()
    (known / "agents.md").write_text("x")
    assert waiting(run) == [("AGENTS.md", "vanished"), ("SOUL.md", "changed"), ("agents.md", "appeared")]


def test_doctor_names_it_and_the_next_step(run: Run, known: Path) -> None:
    (known / "SOUL.md").write_text("Be mean.\n")
    found = [item for item in json.loads(run("doctor", "--json").stdout)["findings"] if item["check"] == "identity"]
    assert [(item["level"], item["details"][0][:26]) for item in found] == [("warn", "SOUL.md: changed, noticed ")]
    assert "clawvault accept" in found[0]["hint"]


@pytest.mark.parametrize("words", [("SOUL.md",), ("./SOUL.md",), ("soul.md",), ("--all",)])
def test_what_was_accepted_is_not_told_again(run: Run, known: Path, words: tuple[str, ...]) -> None:
    (known / "SOUL.md").write_text("Be mean.\n")
    answer = run("accept", *words)
    assert (answer.exit_code, answer.stdout[:40]) == (0, "Accepted: SOUL.md changed (noticed " + answer.stdout[35:40])
    assert waiting(run) == []


def test_accepting_one_that_is_gone_means_the_one_at_the_top(run: Run, known: Path) -> None:
    (known / "old").mkdir()
    (known / "SOUL.md").rename(known / "old" / "SOUL.md")
    assert run("accept", "SOUL.md").exit_code == 0
    assert waiting(run) == []


def test_without_a_path_it_lists_and_accepts_nothing(run: Run, known: Path) -> None:
    (known / "SOUL.md").write_text("Be mean.\n")
    assert run("accept").stdout.startswith("SOUL.md changed (noticed ")
    assert [edit["path"] for edit in json.loads(run("accept", "--json").stdout)["waiting"]] == ["SOUL.md"]
    assert waiting(run) == [("SOUL.md", "changed")]


def test_with_nothing_to_accept_it_says_so(run: Run, known: Path) -> None:
    assert "Nothing waits to be looked at." in run("accept", "SOUL.md").stderr


def test_another_note_cannot_be_accepted(run: Run, known: Path) -> None:
    (known / "other.md").write_text("x")
    answer = run("accept", "other.md")
    assert (answer.exit_code, "no identity file" in answer.stderr) == (2, True)


def test_the_baseline_outlives_the_index(run: Run, known: Path, tmp_path: Path) -> None:
    (known / "SOUL.md").write_text("Be mean.\n")
    run("status")
    for file in (tmp_path / "state").rglob(f"{INDEX_NAME}*"):
        file.unlink()
    run("index", "--rebuild")
    assert waiting(run) == [("SOUL.md", "changed")]


def test_what_init_makes_is_known(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "fresh"
    assert run("init", str(root), "--language", "en", "--model", "none").exit_code == 0
    monkeypatch.chdir(root)
    assert waiting(run) == []
    (root / "USER.md").unlink()
    assert waiting(run) == [("USER.md", "vanished")]


def test_a_daemon_notices_it_and_takes_the_acceptance(
    start: Start, vault: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """T05: an outside edit is reported within one rescan."""
    (vault / "SOUL.md").write_text("Be kind.\n")
    request.getfixturevalue("daemon")
    (vault / "SOUL.md").write_text(f"Be mean. {CANARY}\n")
    log = next((tmp_path / "state").rglob("daemon.log"))
    give_up_at = time.monotonic() + 60
    while "SOUL.md was changed outside clawvault" not in log.read_text() and time.monotonic() < give_up_at:
        time.sleep(0.05)
    status = json.loads(start("status", "--json").stdout)
    assert status["daemon"]["running"]
    assert [(edit["path"], edit["change"]) for edit in status["identity_changes"]] == [("SOUL.md", "changed")]
    assert start("accept", "SOUL.md").returncode == 0
    assert json.loads(start("status", "--json").stdout)["identity_changes"] == []
    assert (CANARY in log.read_text(), os.fspath(vault) in log.read_text()) == (False, False)


def test_no_tool_of_an_agent_accepts() -> None:
    names = {tool.name for tool in (*READING_TOOLS, *WRITING_TOOLS)}
    assert {name for name in names if "accept" in name or "identity" in name} == set()
