"""The state of a vault goes where the vault goes, and serves no other vault."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import filelock
import pytest

from clawvault.config import Config
from clawvault.daemon.lock import HOLDER_NAME, LOCK_NAME, WriterLock
from clawvault.errors import ConfigError, LockedError
from clawvault.vault import moved_state
from clawvault.vault.paths import state_folder

FIRST, SECOND = "1" * 32, "2" * 32
# Waits for a line, so that all begin at once, and tells which folder it was given.
ASKING = """
import sys
from dataclasses import replace
from pathlib import Path
from clawvault.config import Config
from clawvault.vault import moved_state
from clawvault.vault.paths import state_folder
print("ready", flush=True)
sys.stdin.readline()
folder = state_folder(Path(sys.argv[1]), replace(Config(), state_dir=sys.argv[2]), {})
print(folder.name, (folder / "kept").exists())
"""

StateOf = Callable[[Path], Path]


@pytest.fixture
def state_of(tmp_path: Path) -> StateOf:
    config = replace(Config(), state_dir=str(tmp_path / "state"))
    return lambda root: state_folder(root, config, {})


def make_vault(root: Path, vault_id: str = FIRST) -> Path:
    (root / ".clawvault").mkdir(parents=True)
    (root / ".clawvault" / "id").write_text(f"{vault_id}\n")
    return root


def make_kept(state: Path, text: str = "kept") -> Path:
    (state / "kept").write_text(text)
    return state


@pytest.fixture
def used(tmp_path: Path, state_of: StateOf) -> Path:
    """Make a vault in whose state folder there is something."""
    root = make_vault(tmp_path / "notes")
    make_kept(state_of(root))
    return root


def test_the_state_follows_its_vault_to_another_path(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    before = state_of(used)
    used.rename(tmp_path / "other")
    after = state_of(tmp_path / "other")
    assert (after / "kept").read_text() == "kept"
    assert after.name.startswith("other-")
    assert not before.exists()
    assert state_of(tmp_path / "other") == after


def test_the_state_follows_its_vault_from_path_to_path_and_back(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    before = state_of(used)
    for source, target in (("notes", "a"), ("a", "b"), ("b", "notes")):
        (tmp_path / source).rename(tmp_path / target)
        assert (state_of(tmp_path / target) / "kept").exists()
    assert state_of(used) == before


def test_a_link_left_at_the_former_path_is_not_the_vault(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    used.rename(tmp_path / "other")
    used.symlink_to(tmp_path / "other")
    assert (state_of(tmp_path / "other") / "kept").exists()
    assert state_of(used) == state_of(tmp_path / "other")


def test_a_copy_gets_a_state_of_its_own(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    shutil.copytree(used, tmp_path / "copy")
    assert list(state_of(tmp_path / "copy").iterdir()) == [state_of(tmp_path / "copy") / "place"]
    assert (state_of(used) / "kept").exists()


def test_a_vault_that_moves_beside_its_copy_takes_its_own_state(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    shutil.copytree(used, tmp_path / "copy")
    make_kept(state_of(tmp_path / "copy"), "of the copy")
    used.rename(tmp_path / "other")
    assert (state_of(tmp_path / "other") / "kept").read_text() == "kept"
    assert (state_of(tmp_path / "copy") / "kept").read_text() == "of the copy"


def test_a_new_vault_at_the_path_of_a_deleted_one_sees_nothing_of_it(used: Path, state_of: StateOf) -> None:
    before = state_of(used)
    shutil.rmtree(used)
    make_vault(used, SECOND)
    assert state_of(used) == before
    assert list(before.iterdir()) == [before / "place"]
    assert [path.read_text() for path in before.parent.glob("*/kept")] == ["kept"]


def test_what_was_put_aside_is_found_again_by_its_vault(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    used.rename(tmp_path / "away")
    make_kept(state_of(make_vault(used, SECOND)), "of the second")
    assert (state_of(tmp_path / "away") / "kept").read_text() == "kept"
    assert (state_of(used) / "kept").read_text() == "of the second"


def test_two_vaults_that_take_turns_at_one_path_keep_a_state_each(
    used: Path, tmp_path: Path, state_of: StateOf
) -> None:
    """Disks that are mounted at one place."""
    second = make_vault(tmp_path / "second", SECOND)
    swap(used, tmp_path / "first", second)
    make_kept(state_of(used), "of the second")
    swap(used, second, tmp_path / "first")
    assert (state_of(used) / "kept").read_text() == "kept"
    swap(used, tmp_path / "first", second)
    assert (state_of(used) / "kept").read_text() == "of the second"


def swap(root: Path, going: Path, coming: Path) -> None:
    root.rename(going)
    coming.rename(root)


def test_a_second_state_put_aside_replaces_no_first(used: Path, state_of: StateOf) -> None:
    state = state_of(used)
    taken = state.with_name(f"{state.name}.aside-{FIRST}")
    taken.mkdir()
    (used / ".clawvault" / "id").write_text(SECOND)
    state_of(used)
    assert list(taken.iterdir()) == []
    assert (state.with_name(f"{taken.name}-2") / "kept").exists()


def test_a_vault_without_an_id_has_the_state_of_its_path(tmp_path: Path, state_of: StateOf) -> None:
    (tmp_path / "notes" / ".clawvault").mkdir(parents=True)
    state = make_kept(state_of(tmp_path / "notes"))
    assert [path.name for path in state.iterdir()] == ["kept"]
    shutil.rmtree(tmp_path / "notes")
    (tmp_path / "notes" / ".clawvault").mkdir(parents=True)
    assert (state_of(tmp_path / "notes") / "kept").exists()


def test_a_vault_that_gets_an_id_keeps_its_state(tmp_path: Path, state_of: StateOf) -> None:
    (tmp_path / "notes" / ".clawvault").mkdir(parents=True)
    make_kept(state_of(tmp_path / "notes"))
    (tmp_path / "notes" / ".clawvault" / "id").write_text(f"{FIRST}\r\n")
    assert (state_of(tmp_path / "notes") / "kept").exists()
    (tmp_path / "notes").rename(tmp_path / "other")
    assert (state_of(tmp_path / "other") / "kept").exists()


def test_what_is_remembered_is_private_and_written_once(used: Path, state_of: StateOf) -> None:
    """I41."""
    old = os.umask(0)
    try:
        state = state_of(make_vault(used.parent / "second", SECOND))
    finally:
        os.umask(old)
    place = state / "place"
    assert place.read_text() == f"{SECOND}\n{os.path.realpath(used.parent / 'second')}"
    assert {stat.S_IMODE(path.stat().st_mode) for path in (place, state.parent / ".settling.lock")} == {0o600}
    seen = place.stat()
    assert state_of(used.parent / "second") == state
    assert place.stat() == seen


def test_the_vault_itself_is_left_as_it_is(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    """I01."""
    used.rename(tmp_path / "other")
    state_of(tmp_path / "other")
    assert [path.name for path in (tmp_path / "other").rglob("*")] == [".clawvault", "id"]


@pytest.mark.parametrize("lock_name", ["writer.lock", "notes.lock", "recalls.lock", "dream.lock"])
def test_while_somebody_writes_for_the_former_path_nothing_is_moved(
    used: Path, tmp_path: Path, state_of: StateOf, lock_name: str
) -> None:
    before = state_of(used)
    used.rename(tmp_path / "other")
    with filelock.FileLock(before / lock_name), pytest.raises(LockedError, match="its former place") as caught:
        state_of(tmp_path / "other")
    assert str(used) in caught.value.message
    assert [path.name for path in before.parent.iterdir() if path.is_dir()] == [before.name]
    assert (state_of(tmp_path / "other") / "kept").exists()


def test_a_daemon_of_the_former_path_is_named(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    before = state_of(used)
    used.rename(tmp_path / "other")
    with WriterLock(before, kind="daemon"), pytest.raises(LockedError) as caught:
        state_of(tmp_path / "other")
    assert f"a daemon ({os.getpid()}) still works for its former place" in caught.value.message
    assert caught.value.hint == "It ends within a minute; or stop it, then try again."


def test_while_a_daemon_works_for_the_vault_that_was_there_another_begins_no_state(
    used: Path, state_of: StateOf
) -> None:
    before = state_of(used)
    (used / ".clawvault" / "id").write_text(SECOND)
    with WriterLock(before, kind="daemon"), pytest.raises(LockedError, match="another vault that was at its path"):
        state_of(used)
    assert (before / "kept").exists()


def test_the_names_of_the_lock_of_writers_are_those_of_the_daemon() -> None:
    assert (moved_state.WRITER_LOCK, moved_state.WRITER_NAME) == (LOCK_NAME, HOLDER_NAME)


def test_files_open_on_windows_are_taken_for_a_writer(
    used: Path, tmp_path: Path, state_of: StateOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        error = PermissionError(13, "Access is denied")
        error.winerror = 5  # type: ignore[attr-defined]
        raise error

    used.rename(tmp_path / "other")
    monkeypatch.setattr(moved_state, "WINDOWS", True)
    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(LockedError, match="its former place"):
        state_of(tmp_path / "other")


def test_a_disk_that_refuses_to_move_the_state_says_so(
    used: Path, tmp_path: Path, state_of: StateOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise OSError(5, "Input/output error")

    used.rename(tmp_path / "other")
    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(ConfigError, match="Input/output error"):
        state_of(tmp_path / "other")


def test_processes_that_move_a_state_at_once_all_have_it(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    state_of(used)
    used.rename(tmp_path / "other")
    answers = ask_at_once(tmp_path / "other", tmp_path / "state")
    assert answers == [f"{state_of(tmp_path / 'other').name} True"] * 4


def test_processes_that_put_a_state_aside_at_once_put_it_aside_once(
    used: Path, tmp_path: Path, state_of: StateOf
) -> None:
    state = state_of(used)
    (used / ".clawvault" / "id").write_text(SECOND)
    assert ask_at_once(used, tmp_path / "state") == [f"{state.name} False"] * 4
    folders = sorted(path.name for path in state.parent.iterdir() if path.is_dir())
    assert folders == [state.name, f"{state.name}.aside-{FIRST}"]


def ask_at_once(root: Path, state: Path) -> list[str]:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", ASKING, str(root), str(state)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return [process.communicate(timeout=120)[0].strip() for process in processes]


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"1" * 31, b"1" * 33, b"g" * 32, b"\xff" * 32, b"1" * 32 + b"\nmore", b"\0" * 32, b"1" * 1_000_000],
)
def test_a_damaged_id_costs_only_that_the_state_follows(
    used: Path, tmp_path: Path, state_of: StateOf, data: bytes
) -> None:
    before = state_of(used)
    (used / ".clawvault" / "id").write_bytes(data)
    assert (state_of(used) / "kept").exists()
    used.rename(tmp_path / "other")
    assert list(state_of(tmp_path / "other").iterdir()) == []
    assert (before / "kept").exists()


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: os.mkfifo(path), lambda path: path.symlink_to("/dev/zero")])
def test_an_id_that_is_no_file_is_none_and_nobody_waits_for_it(
    used: Path, state_of: StateOf, make: Callable[[Path], object]
) -> None:
    (used / ".clawvault" / "id").unlink()
    make(used / ".clawvault" / "id")
    assert (state_of(used) / "kept").exists()


@pytest.mark.parametrize(
    "data", [b"", b"x", FIRST.encode(), FIRST.encode() + b"\n", FIRST.encode() + b"\n/a\0b", b"\xff"]
)
def test_a_damaged_memory_is_written_anew(used: Path, tmp_path: Path, state_of: StateOf, data: bytes) -> None:
    (state_of(used) / "place").write_bytes(data)
    assert (state_of(used) / "kept").exists()
    used.rename(tmp_path / "other")
    assert (state_of(tmp_path / "other") / "kept").exists()


def test_a_damaged_memory_of_a_moved_vault_costs_its_state_alone(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    before = state_of(used)
    (before / "place").write_bytes(b"\xff\0")
    used.rename(tmp_path / "other")
    assert not (state_of(tmp_path / "other") / "kept").exists()
    assert (before / "kept").exists()


def test_a_move_that_was_cut_short_before_it_was_remembered_goes_on(
    used: Path, tmp_path: Path, state_of: StateOf
) -> None:
    before = state_of(used)
    used.rename(tmp_path / "other")
    after = state_of(tmp_path / "other")
    (after / "place").write_text(f"{FIRST}\n{used}")
    assert state_of(tmp_path / "other") == after
    (tmp_path / "other").rename(used)
    assert (state_of(used) / "kept").exists()
    assert state_of(used) == before


def test_a_vault_that_cannot_be_looked_at_is_taken_to_be_there(
    used: Path, tmp_path: Path, state_of: StateOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F19."""
    shutil.copytree(used, tmp_path / "copy")
    real = os.lstat

    def refuse(path: str) -> os.stat_result:
        if str(path) == str(used / ".clawvault" / "id"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "lstat", refuse)
    assert not (state_of(tmp_path / "copy") / "kept").exists()


def test_where_no_lock_can_be_made_a_vault_has_the_state_of_its_path(
    used: Path, tmp_path: Path, state_of: StateOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> filelock.BaseFileLock:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(moved_state, "_lock", refuse)
    (state_of(used) / "place").unlink()
    assert (state_of(used) / "kept").exists()
    (tmp_path / "state" / "vaults" / state_of(used).name / "place").write_text(f"{SECOND}\n/elsewhere")
    with pytest.raises(ConfigError, match="Read-only file system"):
        state_of(used)


def test_a_link_in_place_of_a_state_is_not_put_aside(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    """T11."""
    state = state_of(used)
    state.rename(tmp_path / "elsewhere")
    state.symlink_to(tmp_path / "elsewhere")
    (used / ".clawvault" / "id").write_text(SECOND)
    with pytest.raises(ConfigError, match="not a folder of its own"):
        state_of(used)
    assert state.is_symlink()


def test_a_link_beside_is_no_state_to_be_taken(used: Path, tmp_path: Path, state_of: StateOf) -> None:
    """T11."""
    state = state_of(used)
    state.rename(tmp_path / "elsewhere")
    state.symlink_to(tmp_path / "elsewhere")
    used.rename(tmp_path / "other")
    assert not (state_of(tmp_path / "other") / "kept").exists()


def test_to_find_the_state_takes_two_small_reads_and_no_lock(
    used: Path, state_of: StateOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    real = os.open

    def count(path: str, flags: int, *rest: int) -> int:
        opened.append(Path(path).name)
        return real(path, flags, *rest)

    monkeypatch.setattr(os, "open", count)
    state_of(used)
    assert opened == ["id", "place"]
