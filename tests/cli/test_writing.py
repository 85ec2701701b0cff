"""Commands that change notes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli_types import Run, Start
from click.testing import CliRunner

from clawvault.cli.main import cli


def piped(text: str | bytes, *arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, list(arguments), input=text)
    return result.exit_code, result.output


def test_a_fact_is_kept_and_found_at_once(run: Run, vault: Path) -> None:
    """TC-23."""
    assert run("remember", "I", "like", "dark", "mode", "--category", "preference").exit_code == 0
    hits = json.loads(run("search", "dark mode", "--json").stdout)["hits"]
    assert (hits[0]["path"], hits[0]["text"].splitlines()[-1]) == ("MEMORY.md", "- I like dark mode")


def test_a_written_note_is_found_at_once_with_a_daemon(daemon: object, start: Start) -> None:
    assert start("append", "MEMORY.md", "the kettle is purple").returncode == 0
    hits = json.loads(start("search", "purple kettle", "--json").stdout)["hits"]
    assert hits[0]["path"] == "MEMORY.md"


def test_text_comes_from_standard_input(vault: Path) -> None:
    assert piped("# A\r\n\r\ntext", "write", "a.md") == (0, "Made a.md, line 1-3.\n")
    assert (vault / "a.md").read_bytes() == b"# A\n\ntext\n"
    assert piped("more\n", "append", "a.md", "-")[0] == 0
    assert (vault / "a.md").read_bytes() == b"# A\n\ntext\nmore\n"


def test_standard_input_that_is_no_text_is_refused(vault: Path) -> None:
    code, said = piped(b"caf\xe9", "write", "a.md")
    assert (code, said.splitlines()[0]) == (2, "Error: The text is not UTF-8 (byte 3).")


def test_a_note_is_replaced_with_its_hash_alone(run: Run, vault: Path) -> None:
    sha256 = json.loads(run("read", "databases.md", "--json").stdout)["sha256"]
    assert run("write", "databases.md", "new").exit_code == 4
    assert run("write", "databases.md", "new", "--expect", sha256).exit_code == 0
    assert run("write", "databases.md", "newer", "--expect", sha256).exit_code == 4
    assert (vault / "databases.md").read_text() == "new\n"


def test_what_was_done_is_said_as_json(run: Run, vault: Path) -> None:
    said = json.loads(run("log", "finished", "--json").stdout)
    assert set(said) == {
        *("path", "operation", "line_start", "line_end", "sha256", "undo_id", "created", "changed", "warnings"),
    }
    assert (said["operation"], said["created"], said["changed"]) == ("log", True, True)


def test_one_place_of_a_note_is_patched(run: Run, vault: Path) -> None:
    assert run("patch", "databases.md", "--old", "5433", "--new", "5435").output == "Changed databases.md, line 5.\n"
    assert run("patch", "databases.md", "--old", "port", "--new", "x").exit_code == 4
    assert run("patch", "databases.md", "--old", "x", "--new", "").exit_code == 2
    assert "5435" in (vault / "databases.md").read_text()


@pytest.mark.parametrize(
    ("path", "code"), [("../x.md", 2), ("SOUL.md", 2), ("threads/a.md", 2), ("bootstrap", 2), ("a.txt", 2)]
)
def test_a_path_that_is_not_for_tools_is_a_fault_of_usage(run: Run, vault: Path, path: str, code: int) -> None:
    """T01, T05, MN-52."""
    result = run("append", path, "x")
    assert (result.exit_code, result.stdout) == (code, "")
    assert "Hint: " in result.stderr


def test_a_text_that_begins_like_an_option_has_a_hint(run: Run) -> None:
    assert 'put "--" before it' in run("log", "-x").output
    assert run("log", "--", "- x").exit_code == 0


def test_forgetting_shows_first_and_asks_somebody(run: Run, vault: Path) -> None:
    """MN-33."""
    shown = run("forget", "listens on port 5433", "--dry-run")
    assert shown.stdout == "databases.md:5: Production listens on port 5433.\n"
    refused = run("forget", "listens on port 5433")
    assert (refused.exit_code, "Nobody is there to agree" in refused.stderr) == (2, True)
    assert run("forget", "listens on port 5433", "--yes").exit_code == 0
    assert "5433" not in (vault / "databases.md").read_text()


def test_forgetting_asks_on_a_terminal(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from clawvault.cli.commands import forget

    monkeypatch.setattr(forget, "is_terminal", lambda _: True)
    assert "Removed" not in piped("n\n", "forget", "listens on port 5433")[1]
    assert "Removed 1 line." in piped("y\n", "forget", "listens on port 5433")[1]


def test_forgetting_nothing_is_no_failure(run: Run) -> None:
    result = run("forget", "nothing of the kind")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "No line says that.\n")


def test_the_profile_is_set_and_shown(run: Run) -> None:
    run("profile", "set", "timezone", "Europe/Berlin")
    run("profile", "set", "age", "40")
    assert run("profile", "get").stdout == "timezone: Europe/Berlin\nage: 40\n"
    assert json.loads(run("profile", "get", "age", "--json").stdout) == {"key": "age", "value": 40}
    assert run("profile", "get", "name").exit_code == 3
    assert run("profile", "set", "timezone", "Mars").exit_code == 2


def test_a_change_is_listed_and_taken_back(run: Run, vault: Path) -> None:
    before = (vault / "databases.md").read_bytes()
    run("append", "databases.md", "x")
    (copy,) = json.loads(run("undo", "--json").stdout)
    assert (copy["path"], copy["operation"], copy["existed"]) == ("databases.md", "append", True)
    assert copy["id"] in run("undo").stdout
    assert run("undo", copy["id"]).exit_code == 0
    assert (vault / "databases.md").read_bytes() == before
    assert run("undo", "nothing").exit_code == 3


def test_there_may_be_nothing_to_take_back(run: Run) -> None:
    assert run("undo").stderr == "There is nothing to undo.\n"
    assert run("undo", "--last").exit_code == 3


def test_the_day_is_that_of_the_zone_of_the_settings(start: Start, vault: Path) -> None:
    """TC-29: the ends of the earth never have the same date and hour."""
    for zone in ("Pacific/Kiritimati", "Pacific/Niue"):
        assert start("log", zone, CLAWVAULT_TIMEZONE=zone).returncode == 0
    written = {path.read_text().split(" ")[-1].strip(): path.name for path in (vault / "memory").glob("20*.md")}
    assert written["Pacific/Kiritimati"] > written["Pacific/Niue"]


def test_a_read_only_state_folder_is_said_to_be_so(run: Run, vault: Path, tmp_path: Path) -> None:
    run("log", "one")
    (state,) = (tmp_path / "state" / "vaults").iterdir()
    os.rename(state / "undo", state / "kept")
    (state / "undo").write_text("in the way")
    result = run("log", "two")
    assert (result.exit_code, "Cannot write" in result.stderr) == (1, True)
