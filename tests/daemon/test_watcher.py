"""What the watcher makes of real file events."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from daemon_fakes import wait_until

from clawvault.daemon.kernel_queue import KernelQueue
from clawvault.daemon.watcher import PathFilter, Watcher


class HintBook:
    def __init__(self) -> None:
        self.paths: list[str] = []
        self.reasons: list[str] = []

    def look_at(self, *paths: str) -> None:
        self.paths.extend(paths)

    def look_everywhere(self, reason: str) -> None:
        self.reasons.append(reason)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault" / ".clawvault").mkdir(parents=True)
    return tmp_path / "vault"


@pytest.fixture
def book() -> HintBook:
    return HintBook()


@pytest.fixture
def watcher(root: Path, book: HintBook) -> Iterator[Watcher]:
    watcher = Watcher(root, PathFilter(root, root / "inner-state", ("md", "markdown")), book)
    watcher.start()
    yield watcher
    watcher.stop()


def settle(root: Path, book: HintBook) -> list[str]:
    """Write a last note and wait for its hint: all earlier events have been seen by then."""
    (root / "last.md").write_text("x")
    assert wait_until(lambda: "last.md" in book.paths)
    return sorted({path for path in book.paths if path != "last.md"})


def test_a_written_note_is_hinted_at(root: Path, book: HintBook, watcher: Watcher) -> None:
    (root / "a.md").write_text("x")
    assert settle(root, book) == ["a.md"]
    assert watcher.facts().watching == "events"


def test_an_atomic_save_is_hinted_at_through_its_destination(root: Path, book: HintBook, watcher: Watcher) -> None:
    (root / ".a.tmp").write_text("x")
    (root / ".a.tmp").rename(root / "a.md")
    assert settle(root, book) == ["a.md"]


def test_a_rename_hints_at_both_names(root: Path, book: HintBook, watcher: Watcher) -> None:
    (root / "a.md").write_text("x")
    (root / "a.md").rename(root / "b.MD")
    assert settle(root, book) == ["a.md", "b.MD"]


def test_reading_a_note_gives_no_hint(root: Path, book: HintBook) -> None:
    (root / "a.md").write_text("x")
    watcher = Watcher(root, PathFilter(root, root / "s", ("md",)), book)
    watcher.start()
    (root / "a.md").read_bytes()
    assert settle(root, book) == []
    watcher.stop()


def test_files_that_are_no_notes_give_no_hint(root: Path, book: HintBook, watcher: Watcher) -> None:
    """B005, B007, B049: the state folder inside the vault, hidden folders, editor files."""
    (root / "inner-state").mkdir()
    (root / ".git").mkdir()
    (root / "inner-state" / "index.md").write_text("x")
    (root / ".git" / "description.md").write_text("x")
    (root / "4913").write_text("x")
    (root / "a.md~").write_text("x")
    (root / "picture.png").write_text("x")
    assert settle(root, book) == []
    assert book.reasons == []


def test_a_decomposed_name_is_hinted_at_in_its_composed_form(root: Path, book: HintBook, watcher: Watcher) -> None:
    """B029."""
    (root / "U\u0308bung.md").write_text("x")
    assert settle(root, book) == ["\u00dcbung.md"]


def test_a_name_that_is_not_utf_8_is_hinted_at_reversibly(root: Path, book: HintBook, watcher: Watcher) -> None:
    """B035."""
    (Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9.md"))).write_text("x")
    assert settle(root, book) == ["caf\udce9.md"]


def test_a_new_folder_asks_for_a_comparison_and_its_notes_are_hinted_at(
    root: Path, book: HintBook, watcher: Watcher
) -> None:
    (root / "deep" / "er").mkdir(parents=True)
    (root / "deep" / "er" / "a.md").write_text("x")
    assert wait_until(lambda: "deep/er/a.md" in book.paths)
    assert set(book.reasons) == {"a folder changed"}


def test_changed_ignore_rules_ask_for_a_comparison(root: Path, book: HintBook, watcher: Watcher) -> None:
    (root / ".clawvaultignore").write_text("private/\n")
    (root / ".clawvault" / "config.toml").write_text("")
    assert settle(root, book) == []
    assert set(book.reasons) == {"ignore rules changed"}


def test_hidden_folders_are_not_watched(root: Path, book: HintBook) -> None:
    """B017: a .git or node_modules would eat the watches of the whole user."""
    for name in (".git/objects/aa", "node_modules/x", "inner-state/y", "notes/deep", ".obsidian"):
        (root / name).mkdir(parents=True)
    watcher = Watcher(root, PathFilter(root, root / "inner-state", ("md",)), book)
    watcher.start()
    facts = watcher.facts()
    watcher.stop()
    # The root, .clawvault, .obsidian, notes and notes/deep.
    assert facts.watches == 5
    assert facts.watches_limit > 0


def test_a_removed_and_remade_root_is_a_fault_until_rearmed(root: Path, book: HintBook, watcher: Watcher) -> None:
    """F12: watchdog's observer stays alive and silent; the new folder may even have the old inode."""
    (root / ".clawvault").rmdir()
    root.rmdir()
    root.mkdir()
    assert wait_until(watcher.find_fault)
    watcher.rearm()
    assert watcher.find_fault() == ""
    (root / "a.md").write_text("x")
    assert wait_until(lambda: "a.md" in book.paths)


def test_a_renamed_root_is_a_fault(root: Path, watcher: Watcher) -> None:
    """F12."""
    root.rename(root.with_name("elsewhere"))
    assert watcher.find_fault() == "the vault folder was replaced"


def test_a_vault_folder_that_comes_back_is_a_fault_while_polling(root: Path, book: HintBook) -> None:
    away = root.rename(root.with_name("away"))
    watcher = Watcher(root, PathFilter(root, root / "s", ("md",)), book)
    watcher.start()
    assert watcher.facts().reason == "the vault folder is gone"
    assert watcher.find_fault() == ""
    away.rename(root)
    assert watcher.find_fault() == "the vault folder is back"
    watcher.stop()


def test_a_dead_emitter_is_a_fault_until_rearmed(watcher: Watcher) -> None:
    """F12."""
    assert watcher._observer is not None
    for emitter in list(watcher._observer.emitters):
        emitter.stop()
        emitter.join()
    assert watcher.find_fault() == "a thread of the watcher ended"
    assert watcher.facts().emitters_alive == 0
    watcher.rearm()
    assert watcher.find_fault() == ""
    assert watcher.facts().rearmed == 1


def test_no_inotify_instance_left_means_polling(root: Path, book: HintBook, monkeypatch: pytest.MonkeyPatch) -> None:
    """B015, F13."""

    def refuse(_: type[KernelQueue]) -> int:
        raise OSError(errno.EMFILE, "inotify instance limit reached")

    monkeypatch.setattr(KernelQueue, "_create_inotify_fd", classmethod(refuse))
    watcher = Watcher(root, PathFilter(root, root / "s", ("md",)), book)
    watcher.start()
    assert watcher.is_polling
    assert watcher.facts().reason == "events do not work here: inotify instance limit reached"
    watcher.stop()


def test_a_folder_that_cannot_be_watched_means_polling(
    root: Path, book: HintBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B015, F13: ten watches; watchdog alone would say nothing and miss the rest."""
    for number in range(12):
        (root / f"folder{number}").mkdir()
    original = KernelQueue._get_or_create_watch

    def limited(self: KernelQueue, path: bytes, mask: int) -> object:
        if self.n_watches >= 10:
            raise OSError(errno.ENOSPC, "inotify watch limit reached")
        return original(self, path, mask)  # type: ignore[arg-type]

    monkeypatch.setattr(KernelQueue, "_get_or_create_watch", limited)
    watcher = Watcher(root, PathFilter(root, root / "s", ("md",)), book)
    watcher.start()
    assert watcher.is_polling
    assert watcher.facts().reason == "events do not work here: inotify watch limit reached"


def test_a_folder_made_later_that_cannot_be_watched_is_a_fault(
    root: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F13."""

    def refuse(self: KernelQueue, path: bytes, mask: int) -> object:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr(KernelQueue, "_get_or_create_watch", refuse)
    (root / "later").mkdir()
    assert wait_until(watcher.find_fault)
    assert watcher.find_fault() == "a folder cannot be watched: inotify watch limit reached"


def test_polling_can_be_asked_for(root: Path, book: HintBook) -> None:
    watcher = Watcher(root, PathFilter(root, root / "s", ("md",)), book, mode="polling")
    watcher.start()
    assert watcher.is_polling
    assert watcher.find_fault() == ""
