"""Old notes that hold something lasting are shown, and pinned by a person alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_types import Run
from click.testing import CliRunner, Result

from clawvault.cli import at_risk
from clawvault.cli.main import cli

FIRST, SECOND = "memory/2024-01-02.md", "memory/2024-01-03.md"


@pytest.fixture
def bare(vault: Path) -> Path:
    """Have no other note of a day, which would be old or not as the clock of the machine has it."""
    for path in (vault / "memory").iterdir():
        path.unlink()
    return vault


@pytest.fixture
def old(bare: Path) -> Path:
    (bare / FIRST).write_text("- Keys change every quarter.\n")
    (bare / SECOND).write_text("# Runbook for the mail server\n\ntext\n")
    return bare


def shown(root: Path, keys: str = "", *, as_json: bool = False) -> Result:
    arguments = ["--vault", str(root), "dream", "--at-risk", *(["--json"] if as_json else [])]
    return CliRunner().invoke(cli, arguments, input=keys)


def test_without_a_person_nothing_is_pinned_and_each_has_its_command(old: Path) -> None:
    lines = shown(old, "y\ny\n").stdout.splitlines()
    assert lines[0].startswith(f"{FIRST}:1  2024-01-02  0.0%  [")
    assert lines[0].endswith("[every quarter]  Keys change every quarter.")
    assert lines[1] == f"    clawvault pin {FIRST}:1"
    assert lines[3] == f"    clawvault pin {SECOND}"
    assert "pin" not in (old / FIRST).read_text()


def test_a_key_pins_each(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_risk, "is_terminal", lambda _: True)
    result = shown(old, "xyn")
    assert (old / FIRST).read_text() == "- Keys change every quarter. <!-- pin -->\n"
    assert (old / SECOND).read_text() == "# Runbook for the mail server\n\ntext\n"
    assert result.stderr == 'Pinned 1 of 2. "clawvault undo" takes each back.\n'
    assert "pin memory/2024-01-03.md? [y/n/q] n" in result.stdout


@pytest.mark.parametrize("keys", ["q", "", "\x1b"])
def test_a_person_may_stop(old: Path, monkeypatch: pytest.MonkeyPatch, keys: str) -> None:
    monkeypatch.setattr(at_risk, "is_terminal", lambda _: True)
    assert shown(old, keys).stderr == "Pinned 0 of 2.\n"


def test_as_json_there_is_everything_and_no_question(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_risk, "is_terminal", lambda _: True)
    said = json.loads(shown(old, "y", as_json=True).stdout)
    assert [item["command"] for item in said] == [f"clawvault pin {FIRST}:1", f"clawvault pin {SECOND}"]
    assert set(said[0]) == {
        *("path", "day", "decay", "line", "text", "cue", "strength", "pins_line", "place", "command"),
    }


def test_nothing_at_risk_is_said(bare: Path) -> None:
    (bare / FIRST).write_text("- lunch\n")
    assert shown(bare).stderr == "No old note holds anything lasting that is not pinned.\n"


def test_a_page_is_drawn(old: Path, run: Run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert run("dream", "--report", str(page)).output == f"Wrote {page}.\n"
    assert "Keys change every quarter." in page.read_text(encoding="utf-8")
    (tmp_path / "mine.html").write_text("mine")
    assert run("dream", "--report", str(tmp_path / "mine.html")).exit_code == 4


@pytest.mark.parametrize("more", [("--apply",), ("undo",), ("--report", "x.html")])
def test_what_is_listed_stands_alone(run: Run, more: tuple[str, ...]) -> None:
    assert run("dream", "--at-risk", *more).exit_code == 2
