"""The comparison of disk and index: pure."""

from __future__ import annotations

from typing import Any

import pytest

from clawvault.index.changes import plan_changes
from clawvault.index.records import KnownNote
from clawvault.vault.listing import Listing, NoteFile, Skip


def file(path: str, **stat: int) -> NoteFile:
    values = {"size": 10, "mtime_ns": 1, "ctime_ns": 1, "inode": 1, **stat}
    return NoteFile(path=path, disk_path=path, **values)


def known(path: str, **values: Any) -> KnownNote:
    note = KnownNote(id=1, path=path, size=10, mtime_ns=1, ctime_ns=1, inode=1, sha256=b"x", stale="", generation=1)
    return note._replace(**values)


def listing(*files: NoteFile, skips: tuple[Skip, ...] = (), unreadable: tuple[str, ...] = ()) -> Listing:
    return Listing(files={f.path: f for f in files}, skips=skips, unreadable=unreadable, healthy=True, problem="")


def many(n: int) -> dict[str, KnownNote]:
    return {f"{i}.md": known(f"{i}.md") for i in range(n)}


def test_an_untouched_file_is_no_change() -> None:
    assert plan_changes(listing(file("a.md")), {"a.md": known("a.md")}).n_behind == 0


def test_a_new_file_is_added() -> None:
    assert [f.path for f in plan_changes(listing(file("a.md")), {}).added] == ["a.md"]


@pytest.mark.parametrize("stat", [{"size": 11}, {"mtime_ns": 2}, {"ctime_ns": 2}, {"inode": 2}])
def test_any_moved_part_of_the_stat_makes_a_suspect(stat: dict[str, int]) -> None:
    """B025: a restored mtime does not hide an edit, since ctime and inode are compared too."""
    changes = plan_changes(listing(file("a.md", **stat)), {"a.md": known("a.md")})
    assert [f.path for f in changes.suspects] == ["a.md"]


def test_a_stale_note_is_a_suspect_whatever_its_stat() -> None:
    changes = plan_changes(listing(file("a.md")), {"a.md": known("a.md", stale="unreadable")})
    assert [f.path for f in changes.suspects] == ["a.md"]


def test_a_note_of_an_earlier_generation_is_a_suspect() -> None:
    changes = plan_changes(listing(file("a.md")), {"a.md": known("a.md")}, generation=2)
    assert [f.path for f in changes.suspects] == ["a.md"]


def test_a_check_by_content_suspects_every_file() -> None:
    changes = plan_changes(listing(file("a.md")), {"a.md": known("a.md")}, verify=True)
    assert [f.path for f in changes.suspects] == ["a.md"]


def test_a_missing_file_has_vanished() -> None:
    assert plan_changes(listing(), {"a.md": known("a.md")}).vanished == ("a.md",)


def test_notes_below_an_unreadable_folder_have_not_vanished() -> None:
    """B043, I11."""
    changes = plan_changes(listing(unreadable=("deep",)), {"deep/a.md": known("deep/a.md")})
    assert changes.vanished == ()


def test_a_sibling_of_an_unreadable_folder_with_a_longer_name_has_vanished() -> None:
    changes = plan_changes(listing(unreadable=("deep",)), {"deeper/a.md": known("deeper/a.md")})
    assert changes.vanished == ("deeper/a.md",)


@pytest.mark.parametrize("reason", ["unreadable", "not-downloaded", "too-large"])
def test_a_note_that_is_there_but_cannot_be_read_has_not_vanished(reason: str) -> None:
    """I11, B039, B041."""
    changes = plan_changes(listing(skips=(Skip(path="a.md", reason=reason),)), {"a.md": known("a.md")})
    assert changes.vanished == ()


def test_a_note_that_is_now_ignored_has_vanished_from_the_index() -> None:
    changes = plan_changes(listing(skips=(Skip(path="a.md", reason="ignored"),)), {"a.md": known("a.md")})
    assert changes.vanished == ("a.md",)


def test_a_person_may_delete_a_handful_of_notes_of_a_small_vault() -> None:
    assert plan_changes(listing(), many(4)).brake == ""


def test_more_than_half_of_the_notes_gone_at_once_puts_on_the_brake() -> None:
    """I10, B045."""
    left = [file(f"{i}.md") for i in range(4)]
    assert plan_changes(listing(*left), many(10)).brake == "6 of 10 notes are gone at once"


def test_exactly_half_does_not() -> None:
    left = [file(f"{i}.md") for i in range(5)]
    assert plan_changes(listing(*left), many(10)).brake == ""


def test_more_than_two_hundred_notes_gone_at_once_put_on_the_brake() -> None:
    left = [file(f"{i}.md") for i in range(999)]
    assert plan_changes(listing(*left), many(1200)).brake == "201 of 1200 notes are gone at once"


def test_an_unhealthy_vault_puts_on_the_brake_whatever_is_gone() -> None:
    gone = Listing(files={}, skips=(), unreadable=(), healthy=False, problem="the vault folder is gone")
    assert plan_changes(gone, many(1)).brake == "the vault folder is gone"
