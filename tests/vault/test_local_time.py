"""What day and hour it is where the machine is, whatever its settings say."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from bench_vault import BenchVault

from clawvault.cli.times import show_moment
from clawvault.config import Config
from clawvault.daemon.indexed_vault import IndexedVault
from clawvault.errors import ConfigError
from clawvault.vault.local_time import day_of_question, local_now, machine_now, on_machine

read_zone = getattr(time, "tzset", lambda: None)


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", request.param)
        read_zone()
        yield
    read_zone()


@pytest.mark.parametrize("zone", ["UTC+25", "UTC-24", "Mars/Base", "XXX+24:30", ""], indirect=True)
@pytest.mark.usefixtures("zone")
def test_a_zone_that_is_none_counts_as_utc() -> None:
    """TC-29."""
    assert machine_now().utcoffset() == timedelta(0)
    assert local_now(Config()).utcoffset() == timedelta(0)
    assert on_machine(datetime.fromisoformat("2026-03-09T12:00:00")).isoformat() == "2026-03-09T12:00:00+00:00"
    assert show_moment("2026-03-09T12:00:00+01:00", Config()) == "2026-03-09 11:00:00 +00:00"


def test_a_moment_keeps_its_point_in_time() -> None:
    moment = datetime(2026, 3, 9, 12, tzinfo=UTC)
    assert on_machine(moment) == moment


def test_a_zone_of_the_settings_that_is_none_is_said() -> None:
    with pytest.raises(ConfigError, match="which is no zone"):
        local_now(Config(timezone="Mars/Base"))


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_question_counts_from_the_day_that_notes_are_dated_by(bench: BenchVault, zone: str) -> None:
    """TC-29: the two zones never have the same day; asked of a process and of a daemon."""
    bench.reopen(timezone=zone)
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    before = datetime.now(ZoneInfo(zone)).date().isoformat()
    own = bench.vault.search("what did the heron do today")
    kept = IndexedVault(bench.root, bench.vault.config, bench.environment)
    with closing(kept):
        told = kept.search({"query": "what did the heron do today", "mode": "fts"})
    days = (before, datetime.now(ZoneInfo(zone)).date().isoformat())
    assert own.time is not None
    assert own.time["since"] in days
    assert told["time"]["since"] in days  # type: ignore[index]


def test_a_question_minds_no_zone_that_is_none() -> None:
    assert day_of_question(Config(timezone="Mars/Base")) == machine_now().date()
