"""How far long work is: one line that fits the terminal; times are given, not taken."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.cli.progress import Bar, Pace, PlainProgress, render_bar, render_time, show_progress

SIGNS = ("#", "-")


def pace_after(*steps: tuple[float, str, int, int]) -> Pace:
    now = [0.0]
    pace = Pace(lambda: now[0])
    for at, stage, done, total in steps:
        now[0] = at
        pace.take(stage, done, total)
    return pace


EMBEDDING = ((0.0, "texts", 0, 364), (4.0, "texts", 48, 364))


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (80, "Embedding texts  ###---------------------------  48/364  12/s  26 s left"),
        (60, "Embedding texts  ##----------------  48/364  12/s  26 s left"),
        (45, "Embedding texts  48/364  12/s  26 s left"),
        (30, "Embedding texts  48/364"),
        (20, "48/364"),
        (3, "48/"),
    ],
)
def test_a_line_leaves_out_what_has_no_room(width: int, line: str) -> None:
    assert render_bar(pace_after(*EMBEDDING), width, SIGNS) == line


def test_before_the_first_is_done_there_is_no_rate() -> None:
    line = render_bar(pace_after((0.0, "texts", 0, 364)), 80, SIGNS)
    assert line == f"Embedding texts  {'-' * 30}  0/364"


def test_a_stage_without_a_count_is_its_name() -> None:
    assert render_bar(pace_after((0.0, "compare", 0, 0)), 80, SIGNS) == "Comparing notes…"


def test_the_time_a_model_takes_to_load_is_forgotten() -> None:
    pace = pace_after((0.0, "texts", 0, 100), (20.0, "texts", 10, 100), (30.0, "texts", 20, 100))
    assert (pace.rate(), pace.left_s()) == (1.0, 80.0)


def test_a_new_stage_begins_anew() -> None:
    pace = pace_after((0.0, "notes", 0, 10), (5.0, "notes", 9, 10), (6.0, "texts", 0, 90), (8.0, "texts", 20, 90))
    assert pace.rate() == 10.0


@settings(deadline=None)
@given(st.integers(1, 200), st.integers(0, 10**6), st.integers(0, 10**6), st.floats(0, 10**6))
def test_a_line_never_wraps(width: int, done: int, more: int, took_s: float) -> None:
    pace = pace_after((0.0, "texts", 0, done + more), (took_s, "texts", done, done + more))
    assert len(render_bar(pace, width, SIGNS)) <= width


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1:00"), (185.0, "3:05"), (7385.0, "2:03:05")]
)
def test_time_is_short(seconds: float, text: str) -> None:
    assert render_time(seconds) == text


def test_work_that_is_soon_done_draws_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    bar = Bar(lambda: now[0], after_s=1.0)
    bar.report("notes", 0, 9)
    now[0] = 0.9
    bar.report("texts", 0, 9)
    bar.clear()
    assert capsys.readouterr().err == ""


def test_a_shorter_line_leaves_nothing_of_a_longer_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    now = [0.0]
    bar = Bar(lambda: now[0])
    bar.report("texts", 999, 1000)
    now[0] = 1.0
    bar.report("texts", 0, 9)
    bar.clear()
    assert capsys.readouterr().err == "\r999/1000\r0/9     \r   \r"


def read_some_notes(n_notes: int) -> None:
    with show_progress(interrupted="The next run goes on from there.") as report:
        report("notes", n_notes, 200)
        raise KeyboardInterrupt


def test_who_ends_it_early_is_told_how_far_it_came(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        read_some_notes(57)
    assert capsys.readouterr().err == "Reading notes: 57 of 200. The next run goes on from there.\n"


def test_a_log_gets_a_line_every_five_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    plain = PlainProgress(lambda: now[0])
    said_at = []
    for second in range(31):
        now[0] = float(second)
        plain.report("texts", second, 400)
        said_at += [second] * capsys.readouterr().err.count("\n")
    assert said_at == [5, 10, 15, 20, 25, 30]


def test_the_time_left_does_not_jump_with_the_pace_of_a_moment() -> None:
    """After five minutes at ten a second, twenty slow seconds say little about the hour that is left."""
    steady = [(float(second), "texts", 10 * second, 36_000) for second in range(301)]
    slow = [(300.0 + second, "texts", 3000 + second, 36_000) for second in range(1, 21)]
    assert round(pace_after(*steady).left_s() or 0) == 3300
    assert round(pace_after(*steady, *slow).left_s() or 0) == 3716


def test_a_step_many_times_a_second_is_not_kept_many_times() -> None:
    pace = pace_after(*((number / 1000, "texts", number, 90_000) for number in range(10_000)))
    assert (round(pace.rate()), len(pace._seen) < 25) == (1000, True)
