"""A note that is moved is in one of both places, whole, whatever happens on the way."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawvault.errors import ClawvaultError, ConflictError, NotFoundError, UsageError
from clawvault.vault.writing import NoteWriter, moving
from clawvault.vault.writing.folder import Folder
from clawvault.vault.writing.moving import move_note

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
OLD, NEW = "memory/2025-03-01.md", "archive/2025/memory/2025-03-01.md"
# Ends the process, as a kill would, at the nth call of a function of the system that changes something.
KILLED = """
import os, sys
from pathlib import Path
from clawvault.vault.writing import NoteWriter
from clawvault.vault.writing.moving import move_note
left = int(sys.argv[3])
def dying(act):
    def call(*arguments, **named):
        global left
        left -= 1
        if left == 0:
            os._exit(9)
        return act(*arguments, **named)
    return call
for name in ("write", "fsync", "link", "replace", "unlink", "mkdir"):
    act = dying(getattr(os, name))
    for known in (os.supports_dir_fd, os.supports_follow_symlinks):
        known |= {act} if getattr(os, name) in known else set()
    setattr(os, name, act)
move_note(NoteWriter(Path(sys.argv[1]), Path(sys.argv[2])), "memory/2025-03-01.md", "archive/2025/memory/2025-03-01.md")
"""


@pytest.fixture
def writer(vault: Path, tmp_path: Path) -> NoteWriter:
    (tmp_path / "state").mkdir()
    (vault / "memory").mkdir()
    (vault / OLD).write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    return NoteWriter(vault, tmp_path / "state", now=lambda: NOON)


def notes(vault: Path) -> dict[str, bytes]:
    found = (path for path in vault.rglob("*.md"))
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in found}


@pytest.mark.usefixtures("walker")
def test_a_note_is_moved_with_its_bytes_mode_and_time(writer: NoteWriter, vault: Path) -> None:
    os.utime(vault / OLD, ns=(5_000_000_000, 7_000_000_000))
    (vault / OLD).chmod(0o640)
    moved = move_note(writer, OLD, NEW)
    assert notes(vault) == {NEW: b"\xef\xbb\xbfone\r\ntwo"}
    seen = (vault / NEW).stat()
    assert (seen.st_mtime_ns, seen.st_mode & 0o777) == (7_000_000_000, 0o640)
    assert (moved.source, moved.target, moved.n_bytes) == (OLD, NEW, 11)
    assert list((vault / "memory").iterdir()) == []


@pytest.mark.usefixtures("walker")
def test_another_note_at_the_target_is_never_written_over(writer: NoteWriter, vault: Path) -> None:
    (vault / NEW).parent.mkdir(parents=True)
    (vault / NEW).write_bytes(b"another")
    with pytest.raises(ConflictError, match="something else"):
        move_note(writer, OLD, NEW)
    assert notes(vault) == {OLD: b"\xef\xbb\xbfone\r\ntwo", NEW: b"another"}


def test_a_move_that_was_cut_short_is_finished(writer: NoteWriter, vault: Path) -> None:
    (vault / NEW).parent.mkdir(parents=True)
    (vault / NEW).write_bytes((vault / OLD).read_bytes())
    move_note(writer, OLD, NEW)
    assert notes(vault) == {NEW: b"\xef\xbb\xbfone\r\ntwo"}


def test_killed_at_each_step_the_note_is_in_one_place_at_least(vault: Path, tmp_path: Path) -> None:
    """Decisions, "Retention": nothing is ever deleted."""
    data, state, codes = b"text " * 500, tmp_path / "state", []
    state.mkdir()
    while not codes or codes[-1] == 9:
        for path in (OLD, NEW):
            (vault / path).parent.mkdir(parents=True, exist_ok=True)
            (vault / path).unlink(missing_ok=True)
        (vault / OLD).write_bytes(data)
        arguments = [sys.executable, "-c", KILLED, str(vault), str(state), str(len(codes) + 1)]
        codes.append(subprocess.run(arguments, check=False, timeout=60).returncode)
        assert set(notes(vault).values()) == {data}
    assert codes[-1] == 0
    assert len(codes) > 12
    assert notes(vault) == {NEW: data}


def test_what_an_editor_puts_in_place_at_the_last_moment_stays(
    writer: NoteWriter, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F25: an editor saves by renaming a file of its own; the note it saved is moved then."""
    saved: list[bool] = []
    replace = Folder.replace

    def save_first(self: Folder, temporary: str, name: str) -> None:
        (vault / "memory" / "own.tmp").write_bytes(b"by hand")
        saved.append(bool(saved) or bool(os.replace(vault / "memory" / "own.tmp", vault / OLD)))
        monkeypatch.setattr(Folder, "replace", replace)
        replace(self, temporary, name)

    monkeypatch.setattr(Folder, "replace", save_first)
    move_note(writer, OLD, NEW)
    assert saved == [False]
    assert notes(vault) == {NEW: b"by hand"}


def test_a_copy_that_reads_back_as_something_else_costs_nothing(
    writer: NoteWriter, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "_read", lambda *_: b"rotten")
    with pytest.raises(ClawvaultError):
        move_note(writer, OLD, NEW)
    assert (vault / OLD).read_bytes() == b"\xef\xbb\xbfone\r\ntwo"


def test_what_is_not_there_or_not_for_tools_is_not_moved(writer: NoteWriter, vault: Path) -> None:
    (vault / "SOUL.md").write_bytes(b"soul")
    with pytest.raises(NotFoundError):
        move_note(writer, "memory/2025-03-02.md", NEW)
    with pytest.raises(UsageError, match=r"SOUL\.md"):
        move_note(writer, "SOUL.md", NEW)
    with pytest.raises(UsageError):
        move_note(writer, OLD, "../x.md")
    os.link(vault / "SOUL.md", vault / "memory/2025-03-03.md")
    with pytest.raises(UsageError, match=r"SOUL\.md"):
        move_note(writer, "memory/2025-03-03.md", NEW)
