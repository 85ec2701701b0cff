"""The benchmark of speed: its figures, its table, its vaults, and one cheap run of all of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_a_row_within_all_its_bounds_is_ok_and_past_one_of_them_is_over() -> None:
    from speed.figures import Bound, Row

    bounds = (Bound("median", 0.2), Bound("ratio", least=2.0))
    assert Row("search", [0.1, 0.2, 0.3], bounds=bounds, floor=0.1).verdict == "ok"
    assert Row("search", [0.1, 0.3, 0.3], bounds=bounds, floor=0.1).verdict == "over"
    assert Row("search", [0.1, 0.2, 0.3], bounds=bounds, floor=0.2).verdict == "over"


def test_a_bound_on_a_figure_that_was_not_measured_does_not_hold() -> None:
    from speed.figures import Bound, Row

    assert Row("search", [0.1], bounds=(Bound("recall@10", least=0.99),)).verdict == "over"


def test_a_row_with_a_problem_has_failed_unless_the_problem_is_the_systems() -> None:
    from speed.figures import Row

    assert Row("search", problem="the note was not found").verdict == "failed"
    assert Row("idle", problem="this system does not tell", skipped=True).verdict == "skipped"


def test_the_table_shows_target_figures_floor_and_what_was_used() -> None:
    from speed.figures import Bound, Row, render_table

    row = Row(
        "search", [0.1, 0.12, 0.3], bounds=(Bound("median", 0.15),), floor=0.02, floor_name="python", used="1 note"
    )
    assert render_table([row]).splitlines() == [
        "row    target            n  median     p95   floor  ratio",
        "search median <= 0.150 s 3 0.120 s 0.300 s 0.020 s 6.00 x ok",
        "    floor: python; 1 note",
    ]


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (0.0123, "s", "0.012 s"),
        (0.0123, "ms", "12.3 ms"),
        (3.5e8, "MB", "350.0 MB"),
        (0.005, "%", "0.500 %"),
        (None, "s", "-"),
    ],
)
def test_a_figure_is_shown_in_its_unit(value: float | None, unit: str, expected: str) -> None:
    from speed.figures import show

    assert show(value, unit) == expected


def test_invented_notes_are_the_same_for_a_seed_and_each_holds_a_name_of_its_own() -> None:
    from speed.zipf_notes import invent_notes

    notes = list(invent_notes(1, 300))
    assert notes[:100] == list(invent_notes(1, 100))
    assert all(sum(note.name in other.text for other in notes) == 1 for note in notes)
    assert len({note.path for note in notes}) == 300
    assert sum("。" in note.text for note in notes) > 10


def test_a_cheap_row_is_measured_and_written_as_json(tmp_path: Path) -> None:
    output = tmp_path / "speed.json"
    command = [sys.executable, str(ROOT / "scripts/measure_speed.py"), "--short", "--rows", "words", "--sizes", "20"]
    done = subprocess.run([*command, "--json", str(output)], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(output.read_text(encoding="utf-8"))
    assert found["sizes"] == [20]
    assert {"system", "python", "cores"} <= found["machine"].keys()
    [row] = found["rows"]
    assert row["name"] == "search --mode fts, no daemon, 20 notes"
    assert row["n"] == len(row["values"]) >= 3
    assert {"median", "p95", "p99", "ratio"} <= row["figures"].keys()
    assert row["bounds"] == [{"figure": "median", "most": 0.5}]
    assert row["verdict"] in {"ok", "over"}
