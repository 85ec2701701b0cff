"""``--timings``: stages that add up."""

from __future__ import annotations

import json

import pytest
from cli_types import Run

from clawvault.cli.timings import StageTimes, Timings


def stages_shown(stderr: str) -> list[str]:
    return [line.split()[0] for line in stderr.splitlines() if line.endswith(" ms")]


def test_a_search_says_where_its_time_went(run: Run) -> None:
    run("index")
    result = run("search", "port", "--mode", "fts", "--timings")
    shown = stages_shown(result.stderr)
    assert shown[:3] == ["start", "locate", "ask"]
    assert shown[-3:] == ["open", "show", "total"]
    assert {"freshen", "fts", "hits"} <= set(shown)
    assert result.stdout.startswith("1  databases.md")


def test_a_search_asked_of_a_daemon_opens_nothing(daemon: object, run: Run) -> None:
    shown = stages_shown(run("search", "port", "--mode", "fts", "--timings").stderr)
    assert "fts" in shown
    assert "open" not in shown


def test_the_stages_of_a_search_are_in_its_json_and_add_up(run: Run) -> None:
    timings = json.loads(run("search", "port", "--mode", "fts", "--timings", "--json").stdout)["timings_ms"]
    total = timings.pop("total")
    assert total == pytest.approx(sum(timings.values()), abs=0.01)
    assert all(took >= 0 for took in timings.values())


def test_nobody_is_told_of_times_who_did_not_ask(run: Run) -> None:
    result = run("search", "port", "--mode", "fts", "--json")
    assert "timings_ms" not in json.loads(result.stdout)
    assert result.stderr == ""


def test_an_index_run_says_where_its_time_went(run: Run) -> None:
    result = run("index", "--timings")
    assert stages_shown(result.stderr) == [
        "start",
        "locate",
        "open",
        "compare",
        "notes",
        "finish",
        "show",
        "total",
    ]


def test_the_stages_of_an_index_run_are_in_its_json(run: Run) -> None:
    run("index")
    # A note changed within a tick of the clock of its first reading is read once more.
    run("index")
    values = json.loads(run("index", "--timings", "--json").stdout)
    assert list(values["timings_ms"]) == ["start", "locate", "open", "compare", "finish", "total"]


def test_a_stage_keeps_what_its_parts_leave() -> None:
    timings = Timings()
    timings.end_stage("ask", {"fts": 1.5, "rank": 0.5})
    assert list(timings.took_ms) == ["start", "fts", "rank", "ask"]
    assert (timings.took_ms["fts"], timings.took_ms["ask"]) == (1.5, 0.0)


def test_a_stage_entered_twice_is_one_line() -> None:
    timings = Timings()
    timings.end_stage("ask")
    timings.end_stage("open")
    timings.end_stage("ask")
    assert list(timings.took_ms) == ["start", "ask", "open"]


def test_a_stage_of_a_long_run_ends_where_the_next_begins() -> None:
    timings = Timings()
    times = StageTimes(timings)
    times.report("notes", 0, 2)
    times.report("notes", 1, 2)
    times.report("texts", 0, 9)
    times.finish()
    assert list(timings.took_ms) == ["start", "open", "notes", "texts"]
