"""Which machine writes a vault that several share."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from clawvault.dream.machines.machine import ask_to_write, elect, host_name, list_machines, machine_id

DAY = date(2026, 3, 9)


def another(state: Path, name: str) -> Path:
    made = state.parent / name
    made.mkdir()
    return made


def test_a_machine_keeps_its_id(state: Path) -> None:
    assert machine_id(state) == machine_id(state)
    assert len(machine_id(state)) == 12


def test_nobody_writes_before_it_asked(root: Path, state: Path) -> None:
    election = elect(root, state, DAY, "")
    assert (election.writer, election.is_mine, election.is_settled) == (None, False, False)


def test_the_first_one_writes_from_the_day_after_it_asked(root: Path, state: Path) -> None:
    """F26: a sync has had a night by then."""
    ask_to_write(root, state, DAY)
    assert not elect(root, state, DAY, "").is_settled
    election = elect(root, state, DAY + timedelta(days=1), "")
    assert (election.is_mine, election.is_settled) == (True, True)


def test_two_that_asked_on_the_same_day_find_the_same_one(root: Path, state: Path) -> None:
    """F26, B145."""
    other = another(state, "other")
    ask_to_write(root, state, DAY)
    ask_to_write(root, other, DAY)
    tomorrow = DAY + timedelta(days=1)
    assert elect(root, state, tomorrow, "").writer == elect(root, other, tomorrow, "").writer
    assert elect(root, state, tomorrow, "").is_mine != elect(root, other, tomorrow, "").is_mine


def test_one_that_asks_later_changes_nothing(root: Path, state: Path) -> None:
    ask_to_write(root, state, DAY)
    ask_to_write(root, another(state, "other"), DAY + timedelta(days=1))
    assert elect(root, state, DAY + timedelta(days=9), "").is_mine


def test_asking_again_does_not_change_the_day(root: Path, state: Path) -> None:
    ask_to_write(root, state, DAY)
    ask_to_write(root, state, DAY + timedelta(days=5))
    assert [machine.since for machine in list_machines(root)] == [DAY]


def test_the_setting_decides(root: Path, state: Path) -> None:
    other = another(state, "other")
    ask_to_write(root, state, DAY)
    assert elect(root, other, DAY, machine_id(other)).is_mine
    assert elect(root, other, DAY, host_name()).is_mine
    assert not elect(root, state, DAY + timedelta(days=2), "attic").is_mine


def test_a_conflict_copy_or_nonsense_is_nobody(root: Path, state: Path) -> None:
    ask_to_write(root, state, DAY)
    folder = root / "memory" / ".dreams" / "machines"
    (folder / "0123456789ab.sync-conflict-20260112-003022-ABCDEFG.json").write_text("{}")
    (folder / "0123456789ab.json").write_text("[1]")
    assert len(list_machines(root)) == 1
