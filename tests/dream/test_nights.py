"""Once a local date."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from dreaming import Clock, Dreaming
from sixty_nights import simulate

from clawvault.dream.nightly.night_log import Night, describe_nights, read_nights
from clawvault.dream.nightly.nights import Nightly, is_due

FACT = "The staging database listens on port 5433."
NOTE = "memory/2026-03-03.md"


def ran(*days: str) -> list[Night]:
    return [Night(day, finished=True, attempts=1) for day in days]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.fixture
def vault(tmp_path: Path) -> Dreaming:
    made = Dreaming(tmp_path / "vault", tmp_path / "state", flags={"dream.apply": True})
    made.put(NOTE, f"- {FACT}\n")
    return made


def test_the_first_run_waits_for_its_hour() -> None:
    assert not is_due(at("2026-03-04T02:59"), [], hour=3)
    assert is_due(at("2026-03-04T03:00"), [], hour=3)


def test_a_date_that_was_run_is_not_run_again() -> None:
    """I34."""
    assert not is_due(at("2026-03-04T23:59"), ran("2026-03-04"), hour=3)


def test_a_missed_date_is_made_up_for_once() -> None:
    """I34: after five nights of sleep there is one run, whatever the hour, and the next comes the day after."""
    assert is_due(at("2026-03-09T01:10"), ran("2026-03-04"), hour=3)
    assert not is_due(at("2026-03-09T03:10"), ran("2026-03-04", "2026-03-09"), hour=3)


def test_a_clock_that_goes_back_repeats_nothing() -> None:
    """I34, F15: by an hour or a day."""
    assert not is_due(at("2026-03-03T12:00"), ran("2026-03-02", "2026-03-04"), hour=3)
    assert not is_due(at("2026-03-02T12:00"), ran("2026-03-04"), hour=3)


def test_a_clock_that_was_years_ahead_does_not_end_dreaming() -> None:
    """F15."""
    assert is_due(at("2026-03-04T12:00"), ran("2036-03-04"), hour=3)
    assert not is_due(at("2026-03-04T13:00"), ran("2026-03-04", "2036-03-04"), hour=3)


def test_a_run_that_was_cut_short_is_tried_three_times() -> None:
    """F39."""
    assert is_due(at("2026-03-04T12:00"), [Night("2026-03-04", attempts=2)], hour=3)
    assert not is_due(at("2026-03-04T12:00"), [Night("2026-03-04", attempts=3)], hour=3)


def test_a_person_may_ask_before_the_hour() -> None:
    assert is_due(at("2026-03-04T00:10"), ran("2026-03-03"), hour=3, asked=True)


def hours_of(zone: str, first: str) -> Iterator[datetime]:
    """Yield each quarter of an hour of ten days around a change of the clocks, as local time."""
    begin = datetime.fromisoformat(first).replace(tzinfo=UTC)
    return ((begin + timedelta(minutes=15 * step)).astimezone(ZoneInfo(zone)) for step in range(96 * 10))


@pytest.mark.parametrize(
    ("zone", "spring", "autumn"),
    [
        ("Europe/Berlin", "2026-03-25", "2026-10-21"),
        ("America/New_York", "2026-03-04", "2026-10-28"),
        ("Australia/Lord_Howe", "2026-10-01", "2026-04-01"),
        ("America/Santiago", "2026-09-02", "2026-04-01"),
        ("Africa/Cairo", "2026-04-20", "2026-10-26"),
    ],
)
@pytest.mark.parametrize("hour", [0, 2, 3])
def test_each_date_has_one_run_when_the_clocks_change(zone: str, spring: str, autumn: str, hour: int) -> None:
    """I34: both ways, in five zones; in some of them midnight itself is left out or comes twice."""
    for first in (spring, autumn):
        nights: list[Night] = []
        dates = set()
        for now in hours_of(zone, first):
            dates.add(now.date().isoformat())
            if is_due(now, nights, hour=hour):
                nights.append(Night(now.date().isoformat(), finished=True))
        days = [night.day for night in nights]
        assert len(days) == len(set(days))
        # The first and the last date may have ended before or begun after the hour.
        assert set(sorted(dates)[1:-1]) <= set(days)


def test_sixty_nights_with_sleep_crashes_and_a_journey(vault: Dreaming) -> None:
    """F39, I34 to I38: one finished run a date that was seen, and not one line twice."""
    finished, crashes = simulate(vault, FACT)
    assert crashes == 4
    assert len(finished) == len(set(finished))
    assert len(finished) >= 54
    assert vault.text("MEMORY.md").count(FACT) == 1
    assert sum(night.promoted for night in read_nights(vault.state)) == 1


def test_thirty_nights_without_new_notes_change_no_byte(vault: Dreaming) -> None:
    """F40, I35, I36."""
    vault.make_memorable(NOTE, FACT)
    vault.dreamer().apply()
    before = vault.files()["MEMORY.md"]
    others = {}
    for _ in range(30):
        vault.pass_days(1)
        Nightly(vault.dreamer(), Clock()).run()
        others = {path: data for path, data in vault.files().items() if path != "DREAMS.md"}
    assert vault.files()["MEMORY.md"] == before
    assert others["memory/.dreams/promoted.json"].count(b'"day"') == 1


def test_thirty_nights_that_quote_the_own_diary_add_nothing(vault: Dreaming) -> None:
    """F40: reports that a person copies into notes, and searches that find them, do not feed it."""
    vault.make_memorable(NOTE, FACT)
    vault.dreamer().apply()
    before = vault.files()["MEMORY.md"]
    for night in range(30):
        vault.pass_days(1)
        path = f"memory/{vault.day.isoformat()}.md"
        quoted = [line for line in vault.text("MEMORY.md").splitlines() if FACT in line]
        vault.put(path, "\n".join([vault.text("DREAMS.md"), *quoted, f"- {FACT}"]) + "\n")
        vault.recall(path, FACT, f"question {night}")
        vault.recall(path, FACT, f"another question {night}")
        Nightly(vault.dreamer(), Clock()).run()
    assert vault.files()["MEMORY.md"] == before


def test_thirty_nights_with_one_junk_note_a_day_add_no_more_than_the_budget(vault: Dreaming) -> None:
    """F40, I37."""
    for night in range(30):
        vault.pass_days(1)
        path = f"memory/{vault.day.isoformat()}.md"
        junk = [f"$ make build{night}", f"User: please fix thing {night}", f"score={night / 30:.2f} recalls=3"]
        vault.put(path, "".join(f"- {line}\n" for line in junk))
        for line in junk:
            vault.recall(path, line, f"question {night} about it")
            vault.recall(path, line, f"other question {night} about it")
        Nightly(vault.dreamer(), Clock()).run()
    assert not (vault.root / "MEMORY.md").exists()


def test_preview_is_all_until_the_setting_says_otherwise(vault: Dreaming) -> None:
    vault.flags = {}
    vault.make_memorable(NOTE, FACT)
    vault.pass_days(1)
    night = Nightly(vault.dreamer(), Clock()).run()
    assert (night.finished, night.applied, night.promoted) == (True, False, 0)
    assert not (vault.root / "MEMORY.md").exists()


def test_a_note_that_is_being_written_is_tried_again_in_a_minute_and_then_left(vault: Dreaming) -> None:
    """F25."""
    vault.put("MEMORY.md", "# Memory\n")
    vault.make_memorable(NOTE, FACT)
    vault.dreamer().find_objection()
    vault.pass_days(1)
    clock = Clock()
    nightly = Nightly(vault.dreamer(), clock)
    for waits in range(1, 61):
        vault.rest("MEMORY.md", age_s=1.0)
        assert nightly.is_due()
        night = nightly.run()
        assert "was changed 1 s ago" in night.problem
        assert night.finished == (waits == 60)
        assert not nightly.is_due()
        clock.now += 60.0
    assert vault.text("MEMORY.md") == "# Memory\n"
    assert FACT in vault.text("memory/.dreams/proposal.json")


def test_heartbeat_may_ask_for_it_but_not_for_writing(vault: Dreaming) -> None:
    vault.flags = {"dream.nightly": False}
    nightly = Nightly(vault.dreamer(), Clock())
    assert not nightly.is_due()
    vault.put("HEARTBEAT.md", "# From time to time\n\n- [x] run clawvault dream\n")
    assert not nightly.is_due()
    vault.put("HEARTBEAT.md", "# From time to time\n\n- [ ] run `clawvault dream --apply`\n")
    assert nightly.is_due()
    vault.make_memorable(NOTE, FACT)
    assert nightly.run().applied is False
    assert not nightly.is_due()


def test_seven_nights_without_a_promotion_are_said_with_the_reasons() -> None:
    """B133."""
    nights = [
        Night(f"2026-03-0{day}", finished=True, applied=True, reasons={"score": day, "source_changed": 2})
        for day in range(1, 8)
    ]
    assert describe_nights(nights[:6], applies=True)["warning"] == ""
    said = describe_nights(nights, applies=True)
    assert said["warning"] == "nothing promoted for 7 nights (score 7, source_changed 2)"
    assert describe_nights(nights, applies=False)["warning"] == ""


def test_a_fault_is_tried_again_later_and_given_up_after_three(
    vault: Dreaming, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F03: dreaming ends no daemon."""

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    clock = Clock()
    monkeypatch.setattr(Nightly, "_dream", fail)
    nightly = Nightly(vault.dreamer(), clock)
    finished = []
    for _ in range(3):
        assert nightly.is_due()
        finished.append(nightly.run().finished)
        assert not nightly.is_due()
        clock.now += 600.0
    assert finished == [False, False, True]
    assert not nightly.is_due()
