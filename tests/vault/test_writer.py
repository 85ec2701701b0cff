"""One note is changed under the lock: it has its old bytes or its new ones, and keeps whatever else it is."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.errors import ClawvaultError, ConflictError, LockedError, NotFoundError, UsageError
from clawvault.vault.writing import NoteWriter, locking, standing
from clawvault.vault.writing.folder import Folder
from clawvault.vault.writing.undo_copies import UndoCopies

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


@pytest.fixture
def writer(vault: Path, tmp_path: Path) -> NoteWriter:
    (tmp_path / "state").mkdir()
    return NoteWriter(vault, tmp_path / "state", now=lambda: NOON)


def put(writer: NoteWriter, path: str, data: bytes) -> str:
    return writer.change(path, lambda _: data, operation="test").undo_id


def add(writer: NoteWriter, path: str, data: bytes) -> None:
    writer.change(path, lambda old: (old or b"") + data, operation="test")


def names(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


@pytest.mark.usefixtures("walker")
def test_a_note_is_made_then_changed(writer: NoteWriter, vault: Path) -> None:
    made = writer.change("a/b.md", lambda old: b"one\n" if old is None else b"", operation="test")
    add(writer, "a/b.md", b"two\n")
    assert (made.before, made.after) == (None, b"one\n")
    assert (vault / "a/b.md").read_bytes() == b"one\ntwo\n"
    assert names(vault) == ["a/b.md"]


@pytest.mark.usefixtures("walker")
def test_a_change_to_the_same_bytes_writes_nothing(writer: NoteWriter, vault: Path) -> None:
    (vault / "a.md").write_bytes(b"same")
    os.utime(vault / "a.md", ns=(1, 1))
    assert not writer.change("a.md", lambda _: b"same", operation="test").is_change
    assert (vault / "a.md").stat().st_mtime_ns == 1
    assert writer.undo_copies.list_all() == []


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_the_mode_of_a_note_is_kept(writer: NoteWriter, vault: Path, mode: int) -> None:
    """I04."""
    (vault / "a.md").write_bytes(b"old")
    (vault / "a.md").chmod(mode)
    put(writer, "a.md", b"new")
    assert stat.S_IMODE((vault / "a.md").stat().st_mode) == mode


def test_a_read_only_note_is_refused(writer: NoteWriter, vault: Path) -> None:
    (vault / "a.md").write_bytes(b"old")
    (vault / "a.md").chmod(0o444)
    with pytest.raises(ClawvaultError, match="read-only"):
        put(writer, "a.md", b"new")


@pytest.mark.usefixtures("walker")
def test_another_name_of_the_same_file_keeps_the_old_bytes(writer: NoteWriter, vault: Path) -> None:
    """T02: a hard link is replaced, never written through."""
    (vault.parent / "outside.md").write_bytes(b"old")
    os.link(vault.parent / "outside.md", vault / "a.md")
    put(writer, "a.md", b"new")
    assert (vault.parent / "outside.md").read_bytes() == b"old"
    assert (vault / "a.md").read_bytes() == b"new"


@pytest.mark.usefixtures("walker")
@pytest.mark.parametrize("target", ["link.md", "folder/a.md", "chain/a.md", "dangling.md"])
def test_nothing_is_written_through_a_link(writer: NoteWriter, vault: Path, target: str) -> None:
    """T02, B149."""
    outside = vault.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(b"canary")
    (vault / "link.md").symlink_to(outside / "a.md")
    (vault / "dangling.md").symlink_to(outside / "made.md")
    (vault / "folder").symlink_to(outside)
    (vault / "chain").symlink_to(vault / "folder")
    with pytest.raises(ClawvaultError):
        put(writer, target, b"new")
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"a.md": b"canary"}


@pytest.mark.usefixtures("walker")
@pytest.mark.parametrize("path", ["a.md", "b/made.md"])
def test_a_vault_swapped_for_a_link_to_another_folder_is_not_written(
    writer: NoteWriter, vault: Path, path: str
) -> None:
    """T02."""
    outside = vault.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(b"outside")
    vault.rename(vault.parent / "aside")
    vault.symlink_to(outside)
    with pytest.raises(ClawvaultError):
        add(writer, path, b"x")
    assert {name: (outside / name).read_bytes() for name in names(outside)} == {"a.md": b"outside"}
    assert not (outside / "b").exists()


def test_a_folder_swapped_for_a_link_again_and_again_lets_nothing_out(writer: NoteWriter, vault: Path) -> None:
    """T02: two threads, one swaps, one writes."""
    outside = vault.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(b"canary")
    (vault / "real").mkdir()
    over = threading.Event()

    steps = (
        lambda: (vault / "real").rename(vault / "aside"),
        lambda: (vault / "real").symlink_to(outside),
        lambda: (vault / "real").unlink(),
        lambda: (vault / "aside").rename(vault / "real"),
    )

    def swap() -> None:
        while not over.is_set():
            for step in steps:
                # The writer makes the folder anew where it finds none, and is then in the way.
                with suppress(OSError):
                    step()

    swapper = threading.Thread(target=swap)
    swapper.start()
    refused = 0
    for number in range(200):
        try:
            put(writer, "real/a.md", b"%d" % number)
        except ClawvaultError:
            refused += 1
    over.set()
    swapper.join()
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"a.md": b"canary"}
    assert refused < 200


@pytest.mark.parametrize(
    "target",
    ["SOUL.md", "soul.md", "Agents.MD", "US\u200bER.md", "hard.md", "behind.md", "threads/1/2.md", "Threads/x.md"],
)
def test_identity_files_and_recorded_conversations_are_not_for_tools(
    writer: NoteWriter, vault: Path, target: str
) -> None:
    """T05, IW-79, MN-52."""
    (vault / "SOUL.md").write_bytes(b"me")
    os.link(vault / "SOUL.md", vault / "hard.md")
    (vault / "behind.md").write_bytes(b"who")
    (vault / "IDENTITY.md").symlink_to("behind.md")
    before = {name: (vault / name).read_bytes() for name in names(vault)}
    with pytest.raises(UsageError, match="not written by tools"):
        put(writer, target, b"new")
    assert {name: (vault / name).read_bytes() for name in names(vault)} == before


def test_a_temporary_file_follows_no_link_laid_for_it(
    writer: NoteWriter, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T11."""
    from clawvault.vault.writing import writer as module

    (vault.parent / "canary").write_bytes(b"canary")
    (vault / ".clawvault-0000000000000000.tmp").symlink_to(vault.parent / "canary")
    (vault / "a.md").write_bytes(b"old")
    monkeypatch.setattr(module, "temporary_name", lambda: ".clawvault-0000000000000000.tmp")
    with pytest.raises(ClawvaultError, match="Cannot write"):
        put(writer, "a.md", b"new")
    assert ((vault.parent / "canary").read_bytes(), (vault / "a.md").read_bytes()) == (b"canary", b"old")


def test_the_temporary_file_can_be_read_by_nobody_else(
    writer: NoteWriter, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T11: until it has the mode of its note."""
    (vault / "a.md").write_bytes(b"old")
    (vault / "a.md").chmod(0o600)
    seen = []
    real = os.fsync

    def look(descriptor: int) -> None:
        seen.extend(stat.S_IMODE(path.stat().st_mode) for path in vault.glob(".*.tmp"))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", look)
    put(writer, "a.md", b"new")
    assert set(seen) == {0o600}


def test_a_placeholder_of_a_note_in_the_cloud_is_refused(writer: NoteWriter, vault: Path) -> None:
    """F28, B041."""
    (vault / ".Note.md.icloud").write_bytes(b"")
    with pytest.raises(ConflictError, match="not downloaded"):
        add(writer, "Note.md", b"new")
    assert names(vault) == [".Note.md.icloud"]


def test_a_note_without_a_block_on_the_disk_is_refused(writer: NoteWriter, vault: Path) -> None:
    """F28: its size is known, its content is elsewhere."""
    with open(vault / "a.md", "wb") as handle:
        handle.truncate(10_000)
    with pytest.raises(ConflictError, match="not downloaded"):
        add(writer, "a.md", b"new")
    assert (vault / "a.md").stat().st_size == 10_000


def test_a_note_whose_reading_fails_is_left_alone(
    writer: NoteWriter, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F28, B039."""
    (vault / "a.md").write_bytes(b"old")

    def deadlock(*_: object) -> bytes:
        raise OSError(errno.EDEADLK, os.strerror(errno.EDEADLK))

    monkeypatch.setattr(os, "read", deadlock)
    with pytest.raises(ClawvaultError, match="Cannot write"):
        add(writer, "a.md", b"new")
    monkeypatch.undo()
    assert (vault / "a.md").read_bytes() == b"old"


def test_a_name_that_differs_in_case_alone_is_not_made(writer: NoteWriter, vault: Path) -> None:
    """B031."""
    (vault / "Plan.md").write_bytes(b"old")
    with pytest.raises(ConflictError, match="take them for one"):
        put(writer, "plan.md", b"new")
    assert names(vault) == ["Plan.md"]


def test_a_folder_that_differs_in_case_alone_is_not_made(writer: NoteWriter, vault: Path) -> None:
    """B031."""
    (vault / "a/Plans").mkdir(parents=True)
    with pytest.raises(ConflictError, match='Cannot make "a/plans": "Plans" is there'):
        put(writer, "a/plans/b.md", b"new")
    assert [found.name for found in (vault / "a").iterdir()] == ["Plans"]


def test_a_note_in_another_unicode_form_is_the_note(writer: NoteWriter, vault: Path) -> None:
    """B029."""
    (vault / "U\u0308.md").write_bytes(b"old")
    put(writer, "\u00dc.md", b"new")
    assert (names(vault), (vault / "U\u0308.md").read_bytes()) == (["U\u0308.md"], b"new")


@pytest.mark.usefixtures("walker")
def test_a_note_that_changed_meanwhile_is_read_again(writer: NoteWriter, vault: Path) -> None:
    """I03, B135: the change is made again on what is there."""
    (vault / "a.md").write_bytes(b"one\n")
    asked = []

    def remake(old: bytes | None) -> bytes:
        asked.append(old)
        if len(asked) < 4:
            with open(vault / "a.md", "ab") as handle:
                handle.write(b"edit %d\n" % len(asked))
        return (old or b"") + b"mine\n"

    writer.change("a.md", remake, operation="test")
    assert (vault / "a.md").read_bytes() == b"one\nedit 1\nedit 2\nedit 3\nmine\n"
    assert len(asked) == 4


def test_a_change_of_the_same_size_and_time_is_noticed(writer: NoteWriter, vault: Path) -> None:
    """I03: the bytes are compared, not only what the folder says."""
    (vault / "a.md").write_bytes(b"one\n")
    before = (vault / "a.md").stat()
    asked = []

    def remake(old: bytes | None) -> bytes:
        asked.append(old)
        if len(asked) == 1:
            (vault / "a.md").write_bytes(b"two\n")
            os.utime(vault / "a.md", ns=(before.st_atime_ns, before.st_mtime_ns))
        return (old or b"") + b"mine\n"

    writer.change("a.md", remake, operation="test")
    assert (vault / "a.md").read_bytes() == b"two\nmine\n"


def test_a_note_that_never_stands_still_is_given_up(writer: NoteWriter, vault: Path) -> None:
    """MN-53: after eight tries; nothing is lost and nothing is left behind."""
    (vault / "a.md").write_bytes(b"")
    os.utime(vault / "a.md", (1, 1))
    asked = []

    def remake(old: bytes | None) -> bytes:
        asked.append(old)
        with open(vault / "a.md", "ab") as handle:
            handle.write(b"x")
        return b"mine"

    with pytest.raises(ConflictError, match="keeps changing"):
        writer.change("a.md", remake, operation="test")
    assert (len(asked), (vault / "a.md").read_bytes()) == (8, b"x" * 8)
    assert (names(vault), writer.undo_copies.list_all()) == (["a.md"], [])


def late(monkeypatch: pytest.MonkeyPatch, act: object) -> None:
    """Do something between the last look at a note and its being replaced."""
    real = Folder.replace
    acts = [act]

    def replace(self: Folder, temporary: str, name: str) -> None:
        while acts:
            acts.pop()()  # type: ignore[operator]
        real(self, temporary, name)

    monkeypatch.setattr(Folder, "replace", replace)


def test_a_line_appended_while_the_note_is_replaced_is_kept(
    writer: NoteWriter, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F25: into the old file, after it was looked at for the last time."""
    (vault / "a.md").write_bytes(b"one\n")

    def edit() -> None:
        with open(vault / "a.md", "ab") as handle:
            handle.write(b"late\n")

    late(monkeypatch, edit)
    change = writer.change("a.md", lambda old: (old or b"") + b"mine\n", operation="test")
    assert (vault / "a.md").read_bytes() == change.after == b"one\nmine\nlate\n"


def test_a_note_saved_in_place_while_it_is_replaced_is_changed_again(
    writer: NoteWriter, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F25, B135: what the editor wrote stays, and so does the change."""
    (vault / "a.md").write_bytes(b"one\n")
    late(monkeypatch, lambda: (vault / "a.md").write_bytes(b"rewritten\n"))
    change = writer.change("a.md", lambda old: (old or b"") + b"mine\n", operation="test")
    assert (vault / "a.md").read_bytes() == b"rewritten\nmine\n"
    assert writer.undo_copies.get(change.undo_id)[1] == b"rewritten\n"


def test_a_late_edit_that_refuses_the_change_wins(
    writer: NoteWriter, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I03: as if it had come a moment earlier."""
    (vault / "a.md").write_bytes(b"one\n")
    late(monkeypatch, lambda: (vault / "a.md").write_bytes(b"rewritten\n"))

    def remake(old: bytes | None) -> bytes:
        if old != b"one\n":
            raise ConflictError("changed")
        return b"mine\n"

    with pytest.raises(ConflictError, match="changed"):
        writer.change("a.md", remake, operation="test")
    assert (vault / "a.md").read_bytes() == b"rewritten\n"


def test_a_note_that_was_just_emptied_is_waited_for(
    writer: NoteWriter, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B009: an editor empties the file, then fills it."""
    (vault / "a.md").write_bytes(b"")
    monkeypatch.setattr(standing.time, "sleep", lambda _: (vault / "a.md").write_bytes(b"saved\n"))
    add(writer, "a.md", b"mine\n")
    assert (vault / "a.md").read_bytes() == b"saved\nmine\n"


@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace", "fchmod", "stat", "read", "lseek", "fstat"])
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EACCES, errno.EMFILE])
def test_a_disk_that_refuses_any_call_leaves_the_old_note_or_the_new(
    writer: NoteWriter, vault: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    """I02, F03, B115: the n-th call of each kind fails, for every n."""
    (vault / "a.md").write_bytes(b"old")
    real, fails = getattr(os, call), 0
    for nth in range(1, 20):
        count = 0

        def refuse(*args: object, nth: int = nth, **kwargs: object) -> object:
            nonlocal count, fails
            count += 1
            if count == nth:
                fails += 1
                raise OSError(code, os.strerror(code))
            return real(*args, **kwargs)

        monkeypatch.setattr(os, call, refuse)
        with suppress(ClawvaultError):
            put(writer, "a.md", b"new")
        monkeypatch.undo()
        assert (vault / "a.md").read_bytes() in {b"old", b"new"}
        assert names(vault) == ["a.md"]
        (vault / "a.md").write_bytes(b"old")
    assert fails > 0


def test_an_undo_copy_is_private_and_gives_the_note_back_to_the_byte(writer: NoteWriter, vault: Path) -> None:
    """I04, T10."""
    data = b"\xef\xbb\xbfa\r\nb\n\xff\0no end"
    (vault / "a.md").write_bytes(data)
    identity = put(writer, "a.md", b"new")
    copy, before = writer.undo_copies.get(identity)
    assert (copy.path, copy.operation, copy.size_bytes, before) == ("a.md", "test", len(data), data)
    assert stat.S_IMODE(writer.undo_copies.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((writer.undo_copies.folder / identity).stat().st_mode) == 0o600


def test_thirty_undo_copies_are_kept_however_old(writer: NoteWriter) -> None:
    copies = writer.undo_copies
    for hour in range(40):
        copies.keep("a.md", b"", b"", operation="test", now=NOON + timedelta(hours=hour))
    assert len(copies.list_all()) == 40
    copies.keep("a.md", b"", b"", operation="test", now=NOON + timedelta(days=100))
    assert len(copies.list_all()) == 30


def test_every_undo_copy_of_seven_days_is_kept(writer: NoteWriter) -> None:
    copies = writer.undo_copies
    for hour in range(200):
        copies.keep("a.md", b"", b"", operation="test", now=NOON + timedelta(hours=hour))
    assert len(copies.list_all()) == 7 * 24 + 1


@pytest.mark.parametrize("identity", ["nothing", "../../vault/a.md", "20260309T120000000000Z-000000", ""])
def test_an_undo_copy_that_is_not_there_is_said_to_be_missing(writer: NoteWriter, identity: str) -> None:
    with pytest.raises(NotFoundError):
        writer.undo_copies.get(identity)


def test_an_undo_copy_that_was_cut_short_is_none(writer: NoteWriter, vault: Path) -> None:
    (vault / "a.md").write_bytes(b"old")
    path = writer.undo_copies.folder / put(writer, "a.md", b"new")
    path.write_bytes(path.read_bytes()[:-1])
    assert writer.undo_copies.list_all() == []


def test_a_note_is_not_changed_when_its_undo_copy_cannot_be_kept(writer: NoteWriter, vault: Path) -> None:
    (vault / "a.md").write_bytes(b"old")
    writer.undo_copies.folder.write_bytes(b"in the way")
    with pytest.raises(ClawvaultError, match="Cannot write"):
        put(writer, "a.md", b"new")
    assert (vault / "a.md").read_bytes() == b"old"


def test_a_process_that_hangs_is_not_waited_for_without_end(
    writer: NoteWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = "\n".join(
        [
            "import sys, filelock",
            "lock = filelock.FileLock(sys.argv[1])",
            "lock.acquire()",
            "print('held', flush=True)",
            "sys.stdin.read()",
        ]
    )
    command = [sys.executable, "-c", hold, str(tmp_path / "state" / locking.LOCK_NAME)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        monkeypatch.setattr(locking, "WAIT_S", 0.05)
        with pytest.raises(LockedError, match="another process"):
            put(writer, "a.md", b"new")
        holder.communicate()


def test_a_note_larger_than_is_read_is_not_made(vault: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="would have 11 bytes"):
        put(NoteWriter(vault, tmp_path, max_bytes=10), "a.md", b"x" * 11)


def test_the_oldest_undo_copies_go_where_all_together_are_too_large(writer: NoteWriter) -> None:
    copies = UndoCopies(writer.state, most_bytes=10_000)
    made = [
        copies.keep("a.md", bytes(1000), b"", operation="test", now=NOON + timedelta(minutes=minute))
        for minute in range(12)
    ]
    left = [copy.id for copy in copies.list_all()]
    assert left == made[: -len(left) - 1 : -1]
    assert 5 <= len(left) <= 7


def test_the_newest_undo_copy_of_a_note_stays_however_large_the_others_are(writer: NoteWriter) -> None:
    copies = UndoCopies(writer.state, most_bytes=10_000)
    first = copies.keep("rare.md", bytes(3000), b"", operation="test", now=NOON)
    for minute in range(1, 20):
        copies.keep("a.md", bytes(3000), b"", operation="test", now=NOON + timedelta(minutes=minute))
    assert copies.get(first)[0].path == "rare.md"
    assert len(copies.list_all()) <= 3


def test_undo_copies_larger_than_all_room_are_kept_for_each_note(writer: NoteWriter) -> None:
    copies = UndoCopies(writer.state, most_bytes=10_000)
    made = {
        copies.keep(f"{number}.md", bytes(20_000), b"", operation="test", now=NOON + timedelta(minutes=number))
        for number in range(3)
    }
    assert {copy.id for copy in copies.list_all()} == made


def test_an_undo_copy_that_was_cut_short_goes_where_room_is_needed(writer: NoteWriter) -> None:
    copies = UndoCopies(writer.state, most_bytes=10_000)
    cut = copies.keep("a.md", bytes(1000), b"", operation="test", now=NOON)
    (copies.folder / cut).write_bytes(b'{"path": ')
    copies.keep("b.md", bytes(20_000), b"", operation="test", now=NOON + timedelta(minutes=1))
    assert not (copies.folder / cut).exists()


def test_what_is_old_is_looked_for_once_an_hour(writer: NoteWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    """F24: each change of a note would look through thousands of copies."""
    copies, looks = writer.undo_copies, list[datetime]()
    look = UndoCopies._ids
    monkeypatch.setattr(UndoCopies, "_ids", lambda self: (looks.append(NOON), look(self))[1])
    for minute in range(120):
        copies.keep("a.md", b"", b"", operation="test", now=NOON + timedelta(minutes=minute))
    assert len(looks) == 2


def test_a_clock_that_was_set_back_keeps_no_copy_for_ever(writer: NoteWriter) -> None:
    """F15."""
    copies = writer.undo_copies
    copies.keep("a.md", b"", b"", operation="test", now=NOON + timedelta(days=1000))
    for hour in range(40):
        copies.keep("a.md", b"", b"", operation="test", now=NOON + timedelta(hours=hour))
    copies.keep("a.md", b"", b"", operation="test", now=NOON + timedelta(days=100))
    assert len(copies.list_all()) == 30


def test_to_make_room_few_copies_are_opened(writer: NoteWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    note_of = UndoCopies._note_of
    monkeypatch.setattr(UndoCopies, "_note_of", lambda self, copy: (opened.append(copy), note_of(self, copy))[1])
    for minute in range(300):
        now = NOON + timedelta(minutes=minute)
        UndoCopies(writer.state).keep(f"{minute % 3}.md", bytes(1000), b"", operation="test", now=now)
    copies = UndoCopies(writer.state, most_bytes=380_000)
    assert opened == []
    copies.keep("a.md", bytes(4000), b"", operation="test", now=NOON + timedelta(days=1))
    gone = 301 - len(copies.list_all())
    assert 30 <= gone <= 50
    assert len(opened) <= gone + 5


@given(sizes=st.lists(st.integers(100, 4000), max_size=40))
@settings(deadline=None, max_examples=40)
def test_undo_copies_never_take_more_than_their_room_and_the_newest(sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as state:
        copies = UndoCopies(Path(state), most_bytes=10_000)
        for minute, size in enumerate(sizes):
            when = NOON + timedelta(minutes=minute)
            copies.keep(f"{minute % 2}.md", bytes(size), b"", operation="test", now=when)
        held = [path.stat().st_size for path in Path(state).rglob("*Z-*")]
        assert sum(held) <= 10_000 or len(held) <= 2
