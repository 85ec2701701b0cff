"""Saves of every kind, as editors make them, against a real index (B007, B009, F08, F09, F18)."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from daemon_fakes import write_notes
from real_daemon import Bench, during

Save = Callable[[Path, str], None]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    # However long a save takes on a busy machine, it is shorter than this.
    return Bench(tmp_path, CLAWVAULT_WATCH_DELETION_DELAY_S="60")


@pytest.fixture
def live(bench: Bench) -> Iterator[Bench]:
    (bench.root / "a.md").write_text("# Plan\n\nsteadyword and oldword\n")
    write_notes(bench.root, 20)
    with bench.running():
        yield bench


def in_place(note: Path, text: str) -> None:
    note.write_text(text)


def atomic(note: Path, text: str) -> None:
    temporary = note.with_name(f".{note.name}.tmp")
    temporary.write_text(text)
    temporary.replace(note)


def vim_rename(note: Path, text: str) -> None:
    """Vim with backupcopy=no."""
    probe = note.with_name("4913")
    probe.write_text("")
    probe.unlink()
    backup = note.with_name(f"{note.name}~")
    note.rename(backup)
    note.write_text(text)
    backup.unlink()


def vim_copy(note: Path, text: str) -> None:
    """Vim with backupcopy=yes."""
    backup = note.with_name(f"{note.name}~")
    backup.write_bytes(note.read_bytes())
    note.write_text(text)
    backup.unlink()


def vim_slow(note: Path, text: str) -> None:
    """Vim on a slow disk: the note is away for longer than a note takes to settle."""
    backup = note.with_name(f"{note.name}~")
    note.rename(backup)
    threading.Event().wait(0.6)
    note.write_text(text)
    backup.unlink()


def emacs(note: Path, text: str) -> None:
    lock = note.with_name(f".#{note.name}")
    lock.symlink_to("user@host.123:456")
    autosave = note.with_name(f"#{note.name}#")
    autosave.write_text(text)
    note.rename(note.with_name(f"{note.name}~"))
    note.write_text(text)
    autosave.unlink()
    lock.unlink()


def truncate_then_write(note: Path, text: str) -> None:
    with note.open("w") as stream:
        threading.Event().wait(0.4)
        stream.write(text)


def delete_and_create(note: Path, text: str) -> None:
    note.unlink()
    threading.Event().wait(0.4)
    note.write_text(text)


def append(note: Path, text: str) -> None:
    with note.open("a") as stream:
        stream.write(f"\n{text}")


def in_pieces(note: Path, text: str) -> None:
    with note.open("w") as stream:
        for start in range(0, len(text), 7):
            stream.write(text[start : start + 7])
            stream.flush()
            os.fsync(stream.fileno())
            threading.Event().wait(0.02)


EVERY_SAVE = [
    in_place,
    atomic,
    vim_rename,
    vim_copy,
    vim_slow,
    emacs,
    truncate_then_write,
    delete_and_create,
    append,
    in_pieces,
]


@pytest.mark.parametrize("save", EVERY_SAVE)
def test_a_saved_note_is_found_by_its_new_words_and_leaves_no_other_row(live: Bench, save: Save) -> None:
    """F08, F09, B007: identity kept, no row for 4913, a.md~ or a lock file."""
    assert live.paths("steadyword") == ["a.md"]
    save(live.root / "a.md", "# Plan\n\nsteadyword and newword\n")
    assert live.finds("newword", ["a.md"])
    assert live.status()["notes"] == 21
    assert live.is_equal_to_fresh()


@pytest.mark.parametrize("save", [vim_rename, vim_slow, truncate_then_write, delete_and_create, emacs])
def test_the_row_of_a_note_is_kept_while_its_save_takes_long(live: Bench, save: Save) -> None:
    """I09, B009: the old text stays indexed until the new one is there; the note is never forgotten."""
    note = live.root / "a.md"
    seen = during(lambda: save(note, "# Plan\n\nsteadyword again\n"), lambda: live.status()["notes"] == 21)
    assert set(seen) == {True}
    assert live.finds("again", ["a.md"])


def test_an_atomic_save_never_drops_a_note_from_answers(live: Bench) -> None:
    """I09: the gap is nought."""
    note = live.root / "a.md"
    asked: list[int] = []

    def save_often() -> None:
        for number in range(10_000):
            atomic(note, f"# Plan\n\nsteadyword number{number}\n")
            threading.Event().wait(0.01)
            if number >= 40 and len(asked) > 20:
                return

    seen = during(save_often, lambda: asked.append(1) or live.paths("steadyword") == ["a.md"])
    assert len(seen) > 20
    assert set(seen) == {True}


def test_a_note_that_is_emptied_on_purpose_is_believed_in_the_end(live: Bench) -> None:
    """I06, B009."""
    (live.root / "a.md").write_text("")
    assert live.finds("steadyword", [])
    assert live.is_equal_to_fresh()


def test_a_deleted_note_is_gone_after_the_deletion_delay(tmp_path: Path) -> None:
    """B107, I10: while running."""
    bench = Bench(tmp_path, CLAWVAULT_WATCH_DELETION_DELAY_S="0.5")
    write_notes(bench.root, 100)
    with bench.running():
        for number in range(10):
            (bench.root / f"note{number}.md").unlink()
        assert bench.has_notes(90)
        assert bench.is_equal_to_fresh()


def test_notes_deleted_while_nobody_watched_are_gone_after_a_start(tmp_path: Path) -> None:
    """B107: while stopped."""
    bench = Bench(tmp_path, CLAWVAULT_WATCH_DELETION_DELAY_S="0.5")
    write_notes(bench.root, 100)
    with bench.running():
        pass
    for number in range(10):
        (bench.root / f"note{number}.md").unlink()
    with bench.running():
        assert bench.has_notes(90)
        assert bench.is_equal_to_fresh()


def test_a_renamed_folder_keeps_its_notes_under_their_new_names(live: Bench) -> None:
    """F18."""
    folder = live.root / "projects"
    folder.mkdir()
    write_notes(folder, 50, prefix="task")
    assert live.has_notes(71)
    folder.rename(live.root / "archive")
    assert live.finds("word49", ["archive/task49.md"])
    assert live.has_notes(71)
    assert live.is_equal_to_fresh()


def test_swapped_names_end_with_the_right_text(live: Bench) -> None:
    """F18."""
    for number in range(0, 20, 2):
        first, second = live.root / f"note{number}.md", live.root / f"note{number + 1}.md"
        first.rename(live.root / "swap.tmp")
        second.rename(first)
        (live.root / "swap.tmp").rename(second)
    assert live.finds("word0", ["note1.md"])
    assert live.is_equal_to_fresh()


def test_a_burst_that_changes_nothing_writes_nothing(live: Bench) -> None:
    """B021, I13: delete and create events for every note, files unchanged."""
    before = live.indexed()
    for number in range(20):
        note = live.root / f"note{number}.md"
        text = note.read_text()
        note.unlink()
        note.write_text(text)
    assert live.finds("word7", ["note7.md"])
    assert live.indexed() == before
    assert live.status()["notes"] == 21


def test_saves_touch_no_byte_of_the_vault(live: Bench) -> None:
    """I01."""
    for number, save in enumerate(EVERY_SAVE):
        save(live.root / f"note{number}.md", f"# T\n\nsaved{number}\n")
    before = live.vault_hash()
    assert live.finds("saved9", ["note9.md"])
    assert live.is_equal_to_fresh()
    assert live.vault_hash() == before


def test_an_empty_folder_of_git_and_its_writes_are_never_indexed(live: Bench) -> None:
    """F17."""
    (live.root / ".git" / "objects").mkdir(parents=True)
    (live.root / ".git" / "description.md").write_text("gitword\n")
    (live.root / "later.md").write_text("laterword\n")
    assert live.finds("laterword", ["later.md"])
    assert live.paths("gitword") == []
    assert live.status()["notes"] == 22
