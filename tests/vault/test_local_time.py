"""What day and hour it is where the machine is, whatever its settings say."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from clawvault.cli.times import show_moment
from clawvault.config import Config
from clawvault.errors import ConfigError
from clawvault.vault.local_time import local_now, machine_now, on_machine

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
