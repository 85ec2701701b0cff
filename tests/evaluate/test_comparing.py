"""Telling a difference between two measurements from luck."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clawvault.errors import NotFoundError, UsageError
from clawvault.evaluate.comparing import compare_reports, paired_interval, read_report
from clawvault.evaluate.reporting import FORMAT, SHOWN


def report(values: list[float], *, data: str = "d1", lane: str = "fts", first: int = 0) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "pinned": {"data_sha256": data},
        "lanes": {lane: {}},
        "per_question": [
            {"id": f"q{number}", "lanes": {lane: dict.fromkeys(SHOWN, value)}}
            for number, value in enumerate(values, first)
        ],
    }


def compared(before: list[float], after: list[float]) -> dict[str, Any]:
    figure: dict[str, Any] = compare_reports(report(before), report(after))["lanes"]["fts"]["mrr"]
    return figure


def test_a_gain_on_every_question_is_shown() -> None:
    figure = compared([0.25] * 20, [0.75] * 20)
    assert figure == {"first": 0.25, "second": 0.75, "difference": 0.5, "low": 0.5, "high": 0.5, "shown": True}


def test_gains_and_losses_that_even_out_are_not_shown() -> None:
    figure = compared([0.0, 1.0] * 10, [1.0, 0.0] * 10)
    assert figure["shown"] is False
    assert figure["low"] < 0 < figure["high"]


def test_equal_reports_show_no_difference() -> None:
    assert compared([0.5, 1.0], [0.5, 1.0])["shown"] is False


def test_the_order_of_questions_does_not_matter() -> None:
    before, after = report([0.0, 0.5, 1.0]), report([0.5, 0.5, 0.0])
    turned = {**after, "per_question": after["per_question"][::-1]}
    assert compare_reports(before, turned) == compare_reports(before, after)


def test_the_interval_is_the_same_every_time_and_as_wide_as_theory_says() -> None:
    differences = np.random.default_rng(1).normal(0.1, 1.0, size=(400, 1))
    low, high = paired_interval(differences)
    assert (low, high) == paired_interval(differences)
    error = differences.std() / 20
    assert high[0] - low[0] == pytest.approx(2 * 1.96 * error, rel=0.05)


def test_reports_on_different_data_are_refused() -> None:
    with pytest.raises(UsageError, match="different data"):
        compare_reports(report([1.0]), report([1.0], data="d2"))


def test_reports_on_different_questions_are_refused() -> None:
    with pytest.raises(UsageError, match="different questions"):
        compare_reports(report([1.0]), report([1.0], first=1))


def test_reports_without_a_common_lane_are_refused() -> None:
    with pytest.raises(UsageError, match="no lane in common"):
        compare_reports(report([1.0]), report([1.0], lane="rrf"))


@pytest.mark.parametrize(
    "damage", [{"pinned": None}, {"per_question": [{}]}, {"lanes": {"fts": {}}, "per_question": 7}]
)
def test_a_damaged_report_is_refused(damage: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="damaged"):
        compare_reports(report([1.0]), {**report([1.0]), **damage})


@pytest.mark.parametrize("content", ["{", "[]", '{"format": "other"}', "[" * 100_000])
def test_what_is_no_report_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.json").write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match="is not a report"):
        read_report(tmp_path / "a.json")


def test_a_saved_report_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(report([1.0])), encoding="utf-8")
    assert read_report(tmp_path / "a.json") == report([1.0])


def test_a_report_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no report"):
        read_report(tmp_path / "none.json")
