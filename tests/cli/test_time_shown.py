"""What a person sees of time words and of changed facts."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

from cli_types import Run


def test_how_time_was_read_is_said_on_standard_error_alone(run: Run) -> None:
    result = run("search", "port 2026-03-05", "--mode", "fts", "--json")
    assert 'Read "2026-03-05" as 2026-03-05.\n' in result.stderr
    assert json.loads(result.stdout)["time"] == {
        "words": ["2026-03-05"],
        "since": "2026-03-05",
        "until": "2026-03-05",
    }


def test_a_question_without_time_says_nothing_of_it(run: Run) -> None:
    result = run("search", "port", "--mode", "fts")
    assert "Read " not in result.stderr


def test_a_fact_that_changed_is_marked_in_the_list(vault: Path, run: Run) -> None:
    """IW-104, TC-20."""
    today = date.today()  # noqa: DTZ011
    (vault / "memory").mkdir(exist_ok=True)
    for days, value in ((9, 5433), (1, 5499)):
        day = today - timedelta(days=days)
        (vault / "memory" / f"{day}.md").write_text(f"Warehouse port is {value}.\n", encoding="utf-8")
    result = run("search", "warehouse port", "--mode", "fts", "--sync", "-n", "2")
    lines = result.stdout.splitlines()
    assert "Warehouse port is 5499." in lines[1]
    assert lines[-1].strip() == f"possibly superseded by memory/{today - timedelta(days=1)}.md:1"
