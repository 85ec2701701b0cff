"""Dated or evergreen: the name of the file decides."""

from __future__ import annotations

from datetime import date

import pytest

from clawvault.vault.dating import importance, is_evergreen, note_date, note_day

DAY = date(2026, 1, 11)


@pytest.mark.parametrize(
    "path",
    [
        "memory/2026-01-11.md",
        "2026-01-11.md",
        "reports/2026-01-11.md",
        "a/b/c/2026-01-11-weekly-review.md",
        "daily/2026-01-11 standup.md",
        "2026-01-11_x.y.markdown",
        "2026-01-11-.md",
    ],
)
def test_a_day_at_the_start_of_a_file_name_dates_a_note(path: str) -> None:
    """OC-09, CB-25, B093: at any depth."""
    assert note_date(path) == DAY


@pytest.mark.parametrize(
    "path",
    [
        "2026-02-30.md",
        "0000-00-00.md",
        "2026-13-01.md",
        "2025-02-29.md",
        "2026-1-11.md",
        "20260111.md",
        "2026-01-111.md",
        "x2026-01-11.md",
        "2026-01-11",
        "2026-01-11/notes.md",
        "\uff12\uff10\uff12\uff16-01-11.md",
        "MEMORY.md",
        "",
    ],
)
def test_any_other_name_is_undated_and_never_shifted(path: str) -> None:
    """B057, I27."""
    assert note_date(path) is None


def test_a_leap_day_is_a_day() -> None:
    assert note_date("2024-02-29.md") == date(2024, 2, 29)


@pytest.mark.parametrize(
    ("front_matter", "expected"),
    [
        ({"date": "2026-01-11"}, DAY),
        ({"created": "2026-01-11T10:00:00Z"}, DAY),
        ({"date": "2026-02-30", "created": "2026-01-11 10:00"}, DAY),
        ({"date": "2026-02-30"}, None),
        ({"date": ["2026-01-11"]}, None),
        ({"date": None}, None),
        ({"date": 20260111}, None),
        ({}, None),
    ],
)
def test_front_matter_gives_the_day_of_an_undated_note(front_matter: dict[str, object], expected: date | None) -> None:
    """B057."""
    assert note_day("plan.md", front_matter) == expected


def test_the_name_wins_over_the_front_matter() -> None:
    assert note_day("2026-01-11.md", {"date": "2020-05-05"}) == DAY


@pytest.mark.parametrize(
    ("path", "front_matter", "expected"),
    [
        ("MEMORY.md", {}, True),
        ("memory/coding-style.md", {}, True),
        ("plan.md", {"date": "2026-01-11"}, True),
        ("memory/2026-01-11.md", {}, False),
        ("memory/2026-01-11.md", {"evergreen": True}, True),
        ("memory/2026-01-11.md", {"evergreen": "true"}, False),
        ("memory/2026-01-11.md", {"evergreen": False}, False),
        ("memory/2026-01-11.md", {"importance": 1}, True),
        ("memory/2026-01-11.md", {"importance": "high"}, False),
    ],
)
def test_a_note_fades_when_it_is_dated_and_does_not_say_otherwise(
    path: str, front_matter: dict[str, object], expected: bool
) -> None:
    """OC-05, OC-06, OC-07, L2."""
    assert is_evergreen(path, front_matter) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, 1),
        (10, 10),
        ("7", 7),
        (0, None),
        (11, None),
        (-1, None),
        (True, None),
        (5.0, None),
        ("x", None),
        (None, None),
    ],
)
def test_importance_is_a_whole_number_from_one_to_ten(value: object, expected: int | None) -> None:
    assert importance({"importance": value}) == expected
