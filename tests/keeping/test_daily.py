"""The note of today has the day and the hour of where the person is."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from kept_vault import Kept

from clawvault.config import Config, load_config
from clawvault.errors import ConfigError, UsageError
from clawvault.keeping.keeper import Keeper
from clawvault.vault.local_time import local_now


def test_the_first_entry_makes_the_note(keeper: Keeper, kept: Kept) -> None:
    """TC-29."""
    written = keeper.log("finished project X")
    assert (written.path, written.line_start) == ("memory/2026-03-09.md", 1)
    assert kept.text("memory/2026-03-09.md") == "# 2026-03-09\n\n- 14:05 finished project X\n"


def test_further_entries_go_on_with_the_list(keeper: Keeper, kept: Kept) -> None:
    kept.put("memory/2026-03-09.md", "# Monday\n\n- 09:00 tea")
    keeper.log("one\n\n  two  \n")
    assert kept.text("memory/2026-03-09.md") == "# Monday\n\n- 09:00 tea\n- 14:05 one\n\n    two\n"


def test_the_day_is_that_of_the_zone(kept: Kept) -> None:
    """B129: at 23:30 in London it is tomorrow in Shanghai."""
    kept.now = datetime(2026, 3, 9, 23, 30, tzinfo=UTC).astimezone(ZoneInfo("Asia/Shanghai"))
    assert kept.keeper().log("x").path == "memory/2026-03-10.md"
    assert "- 07:30 x" in kept.text("memory/2026-03-10.md")


def test_the_zone_of_the_settings_is_used(kept: Kept) -> None:
    config = load_config(kept.root, environment={"CLAWVAULT_TIMEZONE": "Asia/Tokyo"})
    assert local_now(config).utcoffset() == datetime(2026, 1, 1, tzinfo=ZoneInfo("Asia/Tokyo")).utcoffset()


def test_a_moment_always_has_a_zone() -> None:
    assert local_now(Config()).tzinfo is not None


@pytest.mark.parametrize("name", ["Mars/Olympus", "../etc/passwd", "Europe", "a\0b", "/etc/localtime"])
def test_a_zone_that_is_none_is_a_fault_of_the_settings(name: str) -> None:
    with pytest.raises(ConfigError, match="is no zone"):
        local_now(Config(timezone=name))


def test_nothing_is_no_entry(keeper: Keeper) -> None:
    with pytest.raises(UsageError):
        keeper.log(" \n")
