"""The smaller commands, each by what a person sees."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli_types import Run, Start

STATUS_FIELDS = {
    "notes",
    "chunks",
    "vectors",
    "pending",
    "model",
    "vector_backend",
    "daemon",
    "skipped",
    "degraded",
    "db_bytes",
}
DAEMON_FIELDS = {"running", "pid", "last_event_at", "last_sweep_at", "watching"}


def test_read_into_a_pipe_keeps_line_ends_and_characters(vault: Path) -> None:
    (vault / "crlf.md").write_bytes("# Ünder\r\n\r\nline\r\n".encode())
    done = subprocess.run([sys.executable, "-m", "clawvault", "read", "crlf.md"], capture_output=True, check=True)
    assert done.stdout == "# Ünder\r\n\r\nline\r\n".encode()


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("5:5", "Production listens on port 5433.\n"),
        ("5", "Production listens on port 5433.\n"),
        ("6:", "\nStaging listens on port 5434.\n"),
        ("7:99", "Staging listens on port 5434.\n"),
    ],
)
def test_read_gives_a_range_of_lines(run: Run, lines: str, text: str) -> None:
    assert run("read", "databases.md", "--lines", lines).stdout == text


@pytest.mark.parametrize("lines", ["x", "3-4", "0:2", "9:", "5:3", ":4"])
def test_a_range_that_is_none_is_exit_2(run: Run, lines: str) -> None:
    assert run("read", "databases.md", "--lines", lines).exit_code == 2


def test_read_json(run: Run) -> None:
    found = json.loads(run("read", "databases.md", "--lines", "1:1", "--json").stdout)
    assert (found["text"], found["line_start"], found["line_end"], found["n_lines"]) == ("# Databases\n", 1, 1, 7)
    assert len(found["sha256"]) == 64


def test_tree_shows_folders_with_counts_and_the_titles_of_notes(run: Run) -> None:
    run("index")
    rows = [line.split() for line in run("tree").stdout.splitlines()]
    assert [row[0] for row in rows] == ["databases.md", "memory/", "2026-03-09.md", "projects/", "README.md", "中文.md"]
    assert rows[3][4:] == ["2", "notes", "Current", "projects"]


def test_tree_of_a_folder_and_of_nothing(run: Run) -> None:
    entries = json.loads(run("tree", "memory", "--json").stdout)["entries"]
    assert [entry["path"] for entry in entries] == ["memory/2026-03-09.md"]
    assert run("tree", "nowhere").exit_code == 3
    assert run("tree", "--depth", "0").exit_code == 2
    assert run("tree", "..").exit_code == 2


def test_tree_counts_what_is_deeper_than_it_shows(run: Run) -> None:
    entries = json.loads(run("tree", "--depth", "1", "--json").stdout)["entries"]
    assert [(entry["path"], entry["n_notes"]) for entry in entries] == [
        ("databases.md", 1),
        ("memory/", 1),
        ("projects/", 2),
    ]


def test_why_names_the_hit_and_each_lane(run: Run) -> None:
    lines = run("why", "databases.md", "staging port", "--mode", "fts").stdout.splitlines()
    assert lines[0] == "databases.md: The note is hit 1."
    assert lines[1].startswith("  lines 1-7: rank 1 by words, not compared by meaning, hit 1 with score ")


def test_why_says_that_a_note_is_left_out(run: Run, vault: Path) -> None:
    (vault / ".clawvaultignore").write_text("projects/\n")
    reasons = json.loads(run("why", "projects/README.md", "projects", "--mode", "fts", "--json").stdout)
    assert reasons["verdict"] == "The note is left out: ignored (a rule of .clawvaultignore)."


def test_why_takes_a_question_without_quotes_and_a_path_without_its_ending(run: Run) -> None:
    lines = run("why", "databases", "staging", "port", "--mode", "fts").stdout.splitlines()
    assert lines[0] == "databases.md: The note is hit 1."


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        (("databases.md", "staging port"), "The note is hit 1."),
        (("databases.md", "Mira projects port", "-n", "1"), None),
        (("draft.md", "port"), "The note is left out: ignored (a rule of .clawvaultignore)."),
    ],
)
def test_why_is_answered_by_a_running_daemon_as_it_is_without_one(
    daemon: object,
    run: Run,
    vault: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    verdict: str | None,
) -> None:
    from clawvault.cli import asking
    from clawvault.daemon import transport

    (vault / ".clawvaultignore").write_text("draft.md\n")
    (vault / "draft.md").write_text("port\n")
    command = ("why", *arguments, "--mode", "fts", "--json")
    with monkeypatch.context() as patch:
        patch.setattr(asking.Place, "open", _no_vault)
        by_daemon = json.loads(run(*command).stdout)
    assert by_daemon["verdict"] == (verdict or by_daemon["verdict"])
    monkeypatch.setattr(transport, "ask", lambda *_: None)
    assert json.loads(run(*command).stdout) == by_daemon


def test_a_note_that_is_not_there_has_the_same_end_with_a_daemon(daemon: object, run: Run) -> None:
    result = run("why", "README.md", "port")
    assert (result.exit_code, result.stderr) == (
        3,
        'Error: There is no note "README.md".\nHint: Did you mean "projects/README.md"?\n',
    )


def test_status_has_the_fields_of_the_contract_without_a_daemon(run: Run) -> None:
    run("index")
    status = json.loads(run("status", "--json").stdout)
    assert set(status) >= STATUS_FIELDS
    assert set(status["daemon"]) >= DAEMON_FIELDS
    assert (status["notes"], status["model"], status["daemon"]["running"]) == (4, None, False)


def test_status_has_the_fields_of_the_contract_with_a_daemon(daemon: subprocess.Popen[str], run: Run) -> None:
    status = json.loads(run("status", "--json").stdout)
    assert set(status) >= STATUS_FIELDS
    assert set(status["daemon"]) >= DAEMON_FIELDS
    assert (status["daemon"]["running"], status["daemon"]["pid"]) == (True, daemon.pid)
    assert status["daemon"]["watching"] in {"events", "polling"}


def test_status_for_people_lists_what_was_left_out_and_why(run: Run, vault: Path) -> None:
    """B043."""
    (vault / "old.md").symlink_to(vault / "missing.md")
    run("index")
    lines = run("status").stdout.splitlines()
    assert lines[1] == "Notes       4, 4 passages, 0 with a vector"
    assert lines[-2:] == ["Left out: 1", "  old.md: symlink (links are not followed)"]


def test_status_before_the_first_index(run: Run) -> None:
    assert json.loads(run("status", "--json").stdout)["notes"] == 0


def test_watch_ends_in_order_on_sigterm_and_with_130_on_ctrl_c(daemon: subprocess.Popen[str]) -> None:
    daemon.send_signal(signal.SIGINT)
    assert daemon.wait(timeout=240) == 130


def test_a_second_watch_says_who_holds_the_vault(daemon: subprocess.Popen[str], start: Start) -> None:
    """B017."""
    done = start("watch")
    assert done.returncode == 8
    said = done.stderr.splitlines()
    assert said[0].startswith("Error: ")
    assert f"is watched already: by process {daemon.pid} on " in said[0]
    assert said[1:] == ['Hint: Nothing is to be done; "clawvault status" tells how it is doing.']


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(start: Start, shell: str) -> None:
    done = start("completion", shell)
    assert "_CLAWVAULT_COMPLETE" in done.stdout


def test_completion_completes_commands(start: Start) -> None:
    done = start(_CLAWVAULT_COMPLETE="bash_complete", COMP_WORDS="clawvault se", COMP_CWORD="1")
    assert done.stdout == "plain,search\n"


def test_the_vault_comes_from_the_option_then_the_environment_then_the_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second"):
        (tmp_path / name / ".clawvault").mkdir(parents=True)
    monkeypatch.setenv("CLAWVAULT_VAULT", str(tmp_path / "second"))
    assert json.loads(run("status", "--json").stdout)["vault"] == "second"
    assert json.loads(run("--vault", str(tmp_path / "first"), "status", "--json").stdout)["vault"] == "first"
    monkeypatch.delenv("CLAWVAULT_VAULT")
    os.chdir("memory")
    assert json.loads(run("status", "--json").stdout)["vault"] == "notes"


def _no_vault(_: object) -> None:
    raise AssertionError("the vault was opened in this process")
