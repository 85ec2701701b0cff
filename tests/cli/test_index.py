"""``clawvault index``: what it says and how it ends."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from cli_types import Run, Start

from clawvault.cli.place import Invocation

SUMMARY = ["Notes: 4 added, 0 changed, 0 removed, 0 moved."]


def test_the_first_run_adds_every_note_and_the_second_does_nothing(run: Run) -> None:
    assert run("index").stdout.splitlines()[:1] == SUMMARY
    again = json.loads(run("index", "--json").stdout)
    assert (again["added"], again["written"], again["embedded_texts"]) == (0, 0, 0)


def test_what_changed_is_counted(run: Run, vault: Path) -> None:
    run("index")
    (vault / "databases.md").write_text("# Databases\n\nNew text.\n")
    (vault / "memory/2026-03-09.md").rename(vault / "memory/2026-03-10.md")
    (vault / "projects/README.md").unlink()
    (vault / "new.md").write_text("# New\n")
    result = run("index")
    assert result.stdout.splitlines()[0] == "Notes: 1 added, 1 changed, 1 removed, 1 moved."
    assert result.exit_code == 0


def test_a_dangling_link_is_listed_once_and_the_exit_code_tells(run: Run, vault: Path) -> None:
    """B013."""
    (vault / "old.md").symlink_to(vault / "missing.md")
    result = run("index")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == SUMMARY[0]
    assert result.stdout.splitlines()[2:] == ["Skipped: 1", "  old.md: symlink (links are not followed)"]


def test_an_oversized_note_is_listed_and_the_exit_code_tells(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAWVAULT_INDEX_MAX_NOTE_BYTES", "1000")
    (vault / "big.md").write_text("x" * 2000)
    result = run("index")
    assert result.exit_code == 1
    assert "  big.md: too-large (2000 bytes, more than index.max_note_bytes = 1000)" in result.stdout.splitlines()


def test_what_is_left_out_on_purpose_is_no_failure(run: Run, vault: Path) -> None:
    (vault / ".clawvaultignore").write_text("drafts/\n*.private.md\n")
    (vault / "a.private.md").write_text("x")
    (vault / "Plan.sync-conflict-20260112-003022-ABCDEFG.md").write_text("x")
    assert run("index").exit_code == 0


def test_links_to_something_and_things_that_are_no_files_are_no_failure(run: Run, vault: Path) -> None:
    """F20."""
    (vault / "link.md").symlink_to(vault / "databases.md")
    (vault / "linked.md").symlink_to(vault / "memory", target_is_directory=True)
    os.mkfifo(vault / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.md")
        result = run("index")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[2] == "Skipped: 4"


def test_a_damaged_index_is_said_to_be_built_again(run: Run) -> None:
    """I20."""
    run("index")
    (Invocation().locate().state / "index.sqlite3").write_bytes(b"not a database, but long enough for one" * 100)
    result = run("index")
    assert result.stderr == "Degraded: the index was damaged or of another version and has been built again\n"
    assert result.stdout.splitlines()[0] == SUMMARY[0]


def test_a_twenty_first_skip_is_counted_and_not_listed(run: Run, vault: Path) -> None:
    (vault / ".clawvaultignore").write_text("draft*\n")
    for number in range(25):
        (vault / f"draft-{number:02}.md").write_text("x")
    lines = run("index").stdout.splitlines()
    assert lines[2] == "Skipped: 25"
    assert lines[22] == "  draft-19.md: ignored (a rule of .clawvaultignore)"
    assert lines[23:] == ["  and 5 more; clawvault status --json lists all"]


def test_many_vanished_notes_are_kept_until_a_person_agrees(run: Run, vault: Path) -> None:
    """B045."""
    for number in range(50):
        (vault / "bulk").mkdir(exist_ok=True)
        (vault / f"bulk/{number}.md").write_text(f"Note {number}\n")
    run("index")
    shutil.rmtree(vault / "bulk")
    kept = run("index")
    assert kept.exit_code == 1
    assert "they are kept until you run: clawvault index --accept-deletions" in kept.stderr
    agreed = run("index", "--accept-deletions")
    assert agreed.exit_code == 0
    assert agreed.stdout.splitlines()[0] == "Notes: 0 added, 0 changed, 50 removed, 0 moved."


def test_verify_finds_an_edit_that_hides_behind_its_old_time(run: Run, vault: Path) -> None:
    """B025."""
    run("index")
    note = vault / "databases.md"
    before = note.stat()
    note.write_text(note.read_text().replace("5433", "9999"))
    os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert json.loads(run("index", "--verify", "--json").stdout)["changed"] == 1


def test_rebuild_cuts_all_notes_anew_and_the_answers_stay(run: Run) -> None:
    run("index")
    assert json.loads(run("index", "--rebuild", "--json").stdout)["written"] == 4
    assert run("search", "5434", "--mode", "fts").stdout.startswith("1  databases.md")


def test_a_running_daemon_is_asked_to_do_it(daemon: object, run: Run, vault: Path) -> None:
    (vault / "fresh.md").write_text("zeppelin\n")
    result = run("index")
    assert (result.exit_code, result.stdout) == (0, "The running daemon brought the index up to date.\n")
    assert json.loads(run("status", "--json").stdout)["notes"] == 5


def test_a_daemon_that_starts_anew_with_other_settings_is_waited_for(
    daemon: subprocess.Popen[str], run: Run, vault: Path
) -> None:
    """B109: whenever the command comes, the same daemon answers it."""
    log = Invocation().locate().state / "daemon.log"
    (vault / "plain.txt").write_text("zeppelin\n")
    (vault / ".clawvault/config.toml").write_text('[index]\nextensions = ["md", "txt"]\n')
    results = []
    while log.read_text().count("started, process") < 2:
        results.append(run("index"))
    results.append(run("index"))
    assert {(result.exit_code, result.stdout, result.stderr) for result in results} == {
        (0, "The running daemon brought the index up to date.\n", "")
    }
    status = json.loads(run("status", "--json").stdout)
    assert (status["notes"], status["daemon"]["pid"]) == (5, daemon.pid)


def test_rebuild_beside_a_daemon_is_refused_with_what_to_do(daemon: object, run: Run) -> None:
    result = run("index", "--rebuild")
    assert result.exit_code == 8
    assert result.stderr == (
        "Error: A daemon keeps this vault, and --rebuild needs the index for itself.\n"
        'Hint: End "clawvault watch", then run this again.\n'
    )


def test_json_is_alone_on_standard_output(start: Start) -> None:
    done = start("index", "--json")
    assert json.loads(done.stdout)["added"] == 4
