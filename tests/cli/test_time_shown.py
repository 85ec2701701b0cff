"""What a person sees of time words and of changed facts."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from cli_types import Run

from clawvault.cli.times import show_day, show_moment
from clawvault.config import Config


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


def test_moments_are_those_of_the_person_and_say_how_far_they_are_from_utc(
    vault: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAWVAULT_TIMEZONE", "Asia/Kathmandu")
    (vault / "SOUL.md").write_text("Be kind.\n")
    run("append", "databases.md", "A line.")
    run("index")
    (vault / "SOUL.md").write_text("Be mean to all.\n")
    shown = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+05:45")
    for command in ("undo", "accept", "status"):
        said = run(command).stdout
        assert shown.search(said), command
        assert "+00:00" not in said
    assert json.loads(run("undo", "--json").stdout)[0]["at"].endswith("+00:00")


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("Asia/Kathmandu", "2026-03-09 05:15:00 +05:45", "2026-03-09"),
        ("America/New_York", "2026-03-08 19:30:00 -04:00", "2026-03-08"),
    ],
)
def test_a_moment_is_shown_in_the_zone_of_the_settings(zone: str, moment: str, day: str) -> None:
    config = Config(timezone=zone)
    assert show_moment("2026-03-08T23:30:00.5+00:00", config) == moment
    assert show_day("2026-03-08T23:30:00+00:00", config) == day


def test_what_is_no_moment_is_shown_as_it_is() -> None:
    assert show_moment("never", Config()) == "never"
