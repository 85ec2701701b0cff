"""One promotion at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from clawvault.dream.machines.dream_lock import DreamLock, find_owner
from clawvault.dream.machines.machine import machine_id
from clawvault.dream.machines.processes import is_running, start_of
from clawvault.errors import LockedError

NOW = 1_772_000_000.0


def held_by(root: Path, state: Path, **changes: object) -> Path:
    """Leave the lock of a process that has ended."""
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    owner = {
        "pid": int(ended.stdout),
        "started": "",
        "host": "elsewhere",
        "machine": machine_id(state),
        "at": NOW - 61,
        **changes,
    }
    path = root / "memory" / ".dreams" / "dream.lock"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(owner))
    return path


def test_the_lock_names_its_owner_and_goes_with_it(root: Path, state: Path) -> None:
    """OC-57, OC-58."""
    with DreamLock(root, state, lambda: NOW):
        owner = find_owner(root)
        assert owner is not None
        assert (owner.pid, owner.at, owner.machine) == (os.getpid(), NOW, machine_id(state))
    assert find_owner(root) is None
    assert list((root / "memory" / ".dreams").iterdir()) == []


def test_a_second_one_is_refused(root: Path, state: Path) -> None:
    with DreamLock(root, state), pytest.raises(LockedError, match="Another process promotes"):
        DreamLock(root, state).acquire()


def test_what_a_dead_process_held_for_over_a_minute_is_taken(root: Path, state: Path) -> None:
    """OC-59."""
    held_by(root, state)
    with DreamLock(root, state, lambda: NOW):
        owner = find_owner(root)
        assert owner is not None
        assert owner.pid == os.getpid()


def test_what_a_dead_process_held_a_moment_ago_is_left(root: Path, state: Path) -> None:
    """OC-59: both must be so."""
    path = held_by(root, state, at=NOW - 59)
    with pytest.raises(LockedError, match="promotes since"):
        DreamLock(root, state, lambda: NOW).acquire()
    assert path.exists()


def test_a_dead_owner_from_a_wrong_clock_does_not_hold_for_ever(root: Path, state: Path) -> None:
    """F15."""
    held_by(root, state, at=NOW + 315_360_000)
    with DreamLock(root, state, lambda: NOW):
        assert find_owner(root) is not None


def test_nothing_is_taken_from_the_living_however_old(root: Path, state: Path) -> None:
    """OC-60, L24."""
    path = held_by(root, state, pid=os.getpid(), started=start_of(os.getpid()), at=NOW - 86_400)
    before = path.read_bytes()
    with pytest.raises(LockedError, match=f"Process {os.getpid()}"):
        DreamLock(root, state, lambda: NOW).acquire()
    assert path.read_bytes() == before


def test_nothing_is_taken_from_a_process_of_another_user(
    root: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OC-60: the system lets nobody ask, so it lives."""

    def refuse(pid: int, signal: int) -> None:
        raise PermissionError

    held_by(root, state)
    monkeypatch.setattr(os, "kill", refuse)
    with pytest.raises(LockedError):
        DreamLock(root, state, lambda: NOW).acquire()


def test_a_number_that_was_given_to_another_process_is_no_owner() -> None:
    """L24: the number lives, the process does not."""
    assert is_running(os.getpid(), start_of(os.getpid()))
    assert not is_running(os.getpid(), "began at another time")


def test_the_lock_of_another_machine_is_never_taken(root: Path, state: Path) -> None:
    """L24: its processes cannot be asked for."""
    path = held_by(root, state, machine="0123456789ab", host="attic", at=NOW - 86_400 * 365)
    with pytest.raises(LockedError, match='"attic" promotes') as caught:
        DreamLock(root, state, lambda: NOW).acquire()
    assert "memory/.dreams/dream.lock" in caught.value.hint
    assert path.exists()


def test_a_lock_without_a_name_is_left(root: Path, state: Path) -> None:
    path = held_by(root, state)
    path.write_bytes(b"")
    with pytest.raises(LockedError, match="does not say who"):
        DreamLock(root, state, lambda: NOW).acquire()


def test_a_lock_that_was_replaced_meanwhile_is_not_removed(root: Path, state: Path) -> None:
    lock = DreamLock(root, state)
    lock.acquire()
    path = root / "memory" / ".dreams" / "dream.lock"
    path.write_bytes(b"of somebody else")
    lock.release()
    assert path.read_bytes() == b"of somebody else"
