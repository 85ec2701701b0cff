"""The writer lock is the kernel's, so it ends with its process."""

from __future__ import annotations

import errno
import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from clawvault.daemon.lock import WriterLock, find_holder
from clawvault.errors import IndexFaultError, LockedError

HOLD = """
import sys
from pathlib import Path
from clawvault.daemon.lock import WriterLock
from clawvault.errors import LockedError
lock = WriterLock(Path(sys.argv[1]), kind="daemon")
try:
    lock.acquire()
except LockedError as error:
    print("refused", error.message, flush=True)
    sys.exit(8)
print("held", flush=True)
sys.stdin.read()
"""


def start_holder(state: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(state)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def first_word(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().split(" ")[0].strip()


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_a_second_lock_is_refused_and_names_the_holder(tmp_path: Path) -> None:
    with WriterLock(tmp_path, kind="daemon"):
        with pytest.raises(LockedError, match=r"daemon \(process \d+ on ") as caught:
            WriterLock(tmp_path, kind="index").acquire()
        assert caught.value.exit_code == 8


def test_a_released_lock_can_be_taken_again(tmp_path: Path) -> None:
    with WriterLock(tmp_path, kind="daemon"):
        pass
    with WriterLock(tmp_path, kind="index"):
        holder = find_holder(tmp_path)
    assert holder is not None
    assert holder.kind == "index"


def test_a_lock_file_with_the_id_of_a_living_stranger_is_no_lock(tmp_path: Path) -> None:
    """F23, I18."""
    (tmp_path / "writer.lock").write_text("1")
    (tmp_path / "writer.json").write_text('{"pid": 1, "host": "h", "started_at": "x", "kind": "daemon"}')
    with WriterLock(tmp_path, kind="daemon") as lock:
        assert lock.is_held()


def test_a_broken_holder_file_costs_only_the_name(tmp_path: Path) -> None:
    with WriterLock(tmp_path, kind="daemon"):
        (tmp_path / "writer.json").write_text("[]")
        assert find_holder(tmp_path) is None
        with pytest.raises(LockedError, match="another process"):
            WriterLock(tmp_path, kind="index").acquire()


def test_a_removed_lock_file_means_the_lock_is_lost(tmp_path: Path) -> None:
    """B123."""
    lock = WriterLock(tmp_path, kind="daemon")
    lock.acquire()
    (tmp_path / "writer.lock").unlink()
    assert not lock.is_held()
    lock.release()


def test_a_replaced_lock_file_means_the_lock_is_lost(tmp_path: Path) -> None:
    """B123."""
    lock = WriterLock(tmp_path, kind="daemon")
    lock.acquire()
    (tmp_path / "other").write_text("")
    (tmp_path / "other").rename(tmp_path / "writer.lock")
    assert not lock.is_held()
    lock.release()


def test_of_ten_starts_at_once_exactly_one_works_and_a_killed_holder_is_followed(tmp_path: Path) -> None:
    """F23: takeover needs no clean-up; nobody else is killed."""
    processes = [start_holder(tmp_path) for _ in range(10)]
    words = [first_word(process) for process in processes]
    assert sorted(words) == ["held"] + ["refused"] * 9
    end(processes[words.index("held")])
    for process in processes:
        process.communicate()
    follower = start_holder(tmp_path)
    assert first_word(follower) == "held"
    end(follower)


def test_a_file_system_without_locks_is_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F23: a network mount; the existence of a file is no substitute for a lock (I18)."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(LockedError, match="Function not implemented") as caught:
        WriterLock(tmp_path, kind="daemon").acquire()
    assert "local disk" in caught.value.hint


def test_a_state_folder_that_cannot_be_written_is_no_lock_of_somebody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F32."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(IndexFaultError, match="Read-only file system"):
        WriterLock(tmp_path, kind="daemon").acquire()


def test_lock_files_are_readable_by_their_owner_alone_at_any_umask(tmp_path: Path) -> None:
    """T10, I41."""
    code = "import os; os.umask(0)\n" + HOLD
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert first_word(process) == "held"
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    end(process)
    assert modes == {"writer.lock": 0o600, "writer.json": 0o600}
