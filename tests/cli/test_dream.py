"""``clawvault dream`` and ``clawvault recalls``."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from cli_types import Run

from clawvault.dream import offered
from clawvault.dream.nightly.night_log import Night, write_night
from clawvault.dream.recall.recall_log import RecallLog

NOTE = f"memory/{date.today() - timedelta(days=1)}.md"  # noqa: DTZ011 - the command has no other clock
FACT = "The staging database listens on port 5433."
QUESTIONS = (
    "staging database port",
    "which port has the database",
    "database listens where",
    "port of staging",
    "where is the staging database",
)


@pytest.fixture
def recalled(vault: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have one statement found on five days by five questions."""
    monkeypatch.setenv("CLAWVAULT_DREAM_MIN_SCORE", "0.5")
    (vault / NOTE).write_text(f"# Day\n\n- {FACT}\n- The weather was nice all day long.\n")
    for back, question in enumerate(reversed(QUESTIONS)):
        day = date.today() - timedelta(days=len(QUESTIONS) - 1 - back)  # noqa: DTZ011
        monkeypatch.setattr(
            offered.DreamtNotes,
            "_recall_log",
            property(lambda self, day=day: RecallLog(self.state, self.config.recall, lambda: day)),
        )
        assert run("search", question).exit_code == 0
        # What is read waits for what is still to be written, here with the day of this question.
        assert run("recalls", NOTE).exit_code == 0
    return vault


def test_recalls_shows_what_was_found(run: Run, recalled: Path) -> None:
    found = json.loads(run("recalls", NOTE, "--json").stdout)
    assert [(item["text"], item["recalls"], item["queries"], len(item["days"])) for item in found] == [(FACT, 5, 5, 5)]
    assert "5 recalls, 5 questions, 5 days" in run("recalls", NOTE).output


def test_recalls_of_a_note_that_was_never_found_says_so(run: Run) -> None:
    result = run("recalls", "memory/2026-03-09.md")
    assert result.exit_code == 0
    assert "No search found" in result.stderr


def test_dream_shows_what_would_be_kept(run: Run, recalled: Path) -> None:
    result = run("dream")
    assert result.exit_code == 0
    assert "Would be kept:" in result.stdout
    assert FACT in result.stdout
    assert not (recalled / "MEMORY.md").exists()


def test_explain_shows_each_signal_and_each_gate(run: Run, recalled: Path) -> None:
    """OC-42..54."""
    (item,) = json.loads(run("dream", "--json").stdout)["candidates"]
    shown = run("dream", "--explain", item["key"][:8]).stdout
    for name in ("frequency", "relevance", "diversity", "recency", "consolidation", "conceptual"):
        assert name in shown
    assert shown.count("passed") == 5
    assert json.loads(run("dream", "--explain", item["key"], "--json").stdout)["signals"] == item["signals"]


def test_explain_of_what_is_none_ends_with_3(run: Run) -> None:
    result = run("dream", "--explain", "abc")
    assert result.exit_code == 3
    assert result.stderr.startswith('Error: There is no candidate "abc".')


def test_apply_keeps_it_and_undo_takes_it_back(run: Run, recalled: Path) -> None:
    """L15."""
    applied = run("dream", "--apply")
    assert applied.exit_code == 0
    assert f"Kept in MEMORY.md: {FACT}" in applied.stdout
    assert FACT in (recalled / "MEMORY.md").read_text()
    undone = run("dream", "undo")
    assert "Took 1 line out of MEMORY.md." in undone.stdout
    assert FACT not in (recalled / "MEMORY.md").read_text()
    assert run("dream", "undo").exit_code == 3


def test_what_is_kept_is_found_and_the_diary_is_not(run: Run, recalled: Path) -> None:
    """L35."""
    run("dream", "--apply")
    assert FACT in (recalled / "DREAMS.md").read_text()
    hits = json.loads(run("search", "staging database port", "--json").stdout)["hits"]
    paths = {hit["path"] for hit in hits} | {path for hit in hits for path in hit["copy_paths"]}
    assert "MEMORY.md" in paths
    assert "DREAMS.md" not in paths
    status = json.loads(run("status", "--json").stdout)
    assert [skip["reason"] for skip in status["skipped"] if skip["path"] == "DREAMS.md"] == ["ignored"]


def test_a_diary_of_a_persons_own_stays_a_note(run: Run, recalled: Path) -> None:
    (recalled / "DREAMS.md").write_text("# Dreams\n\nI flew over a lighthouse.\n")
    result = run("dream", "--apply")
    assert '"DREAMS.md" is a note of your own' in result.stderr
    hits = json.loads(run("search", "lighthouse", "--json").stdout)["hits"]
    assert [hit["path"] for hit in hits] == ["DREAMS.md"]


def test_a_note_that_was_just_changed_ends_with_4(run: Run, recalled: Path) -> None:
    """F25."""
    (recalled / "MEMORY.md").write_text("# Memory\n")
    result = run("dream", "--apply")
    assert result.exit_code == 4
    assert "promotion waits for 60 s of quiet" in result.stderr
    assert (recalled / "MEMORY.md").read_text() == "# Memory\n"


def test_undo_stands_alone(run: Run) -> None:
    assert run("dream", "undo", "--apply").exit_code == 2


def test_nothing_recalled_is_said(run: Run) -> None:
    result = run("dream")
    assert result.exit_code == 0
    assert "No search found a statement of a daily note yet." in result.stderr


def test_status_tells_of_the_last_night(run: Run) -> None:
    assert json.loads(run("status", "--json").stdout)["dream"] == {
        "applies": False,
        "last_run": None,
        "empty_nights": 0,
        "warning": "",
    }


def test_status_shows_the_last_night_and_what_is_wrong_with_many(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """B133."""
    monkeypatch.setenv("CLAWVAULT_DREAM_APPLY", "true")
    state = Path(json.loads(run("status", "--json").stdout)["state"])
    for day in range(1, 8):
        write_night(state, Night(f"2026-03-0{day}", finished=True, applied=True, candidates=3, reasons={"days": 3}))
    (row,) = [line for line in run("status").output.splitlines() if line.startswith("Dreaming")]
    assert row == ("Dreaming    last night 2026-03-07, 0 kept of 3 statements; nothing promoted for 7 nights (days 3)")
