"""What the disk has, what is passed over, and when nothing may be taken for deleted."""

from __future__ import annotations

import errno
import os
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.config import Config
from clawvault.vault import listing as listing_module
from clawvault.vault import note_file
from clawvault.vault.ignoring import read_ignore_rules
from clawvault.vault.listing import Listing, NoteFile, Skip, find_note, list_notes, stat_note

Listed = Callable[[Path], Listing]
COMPOSED, DECOMPOSED = "\u00dcbung.md", "U\u0308bung.md"


def write(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text")


def test_notes_are_listed_in_order_with_what_the_disk_says(vault: Path, listed: Listed) -> None:
    write(vault, "b.md", "a/c.markdown", "a/D.MD", "x.txt", "md", "笔记/今天.md")
    seen = (vault / "b.md").stat()
    files = listed(vault).files
    assert list(files) == ["a/D.MD", "a/c.markdown", "b.md", "笔记/今天.md"]
    assert files["b.md"] == NoteFile("b.md", "b.md", 4, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


def test_where_one_folder_is_wanted_no_other_is_looked_into(vault: Path, tmp_path: Path) -> None:
    write(vault, "a.md", "topics/b.md", "topics/deep/c.md", "daily/d.md", "daily/topics/e.md")
    config = Config()
    found = list_notes(vault, read_ignore_rules(vault, config, tmp_path / "state"), config, folder="topics")
    assert list(found.files) == ["a.md", "topics/b.md", "topics/deep/c.md"]
    assert sorted(found.folders) == ["", "topics", "topics/deep"]


def test_where_one_name_is_wanted_no_other_note_is_looked_at(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a note is made at the top of a vault, those of its name elsewhere are asked for."""
    write(vault, "a.md", "topics/a.md", "topics/b.md", "topics/deep/A.md", "ba.md", "a.md.md", "aa/a.txt")
    looked_at: list[str] = []
    judge = listing_module.judge

    def judged(path: str, *rest: Any) -> NoteFile | Skip:
        looked_at.append(path)
        return judge(path, *rest)

    monkeypatch.setattr(listing_module, "judge", judged)
    config = Config()
    found = list_notes(vault, read_ignore_rules(vault, config, tmp_path / "state"), config, name="a.md")
    assert sorted(looked_at) == list(found.files) == ["a.md", "topics/a.md", "topics/deep/A.md"]


def test_a_name_is_wanted_in_either_form_of_unicode(vault: Path, tmp_path: Path) -> None:
    write(vault, f"a/{COMPOSED}", f"b/{DECOMPOSED}", "c/Ubung.md")
    config = Config()
    found = list_notes(vault, read_ignore_rules(vault, config, tmp_path / "state"), config, name=DECOMPOSED)
    assert list(found.files) == [f"a/{COMPOSED}", f"b/{COMPOSED}"]


def test_an_empty_vault_is_healthy_and_has_no_notes(vault: Path, listed: Listed) -> None:
    """TC-21."""
    assert listed(vault) == Listing({}, (), (), True, "")


def test_other_endings_can_make_a_note(vault: Path, tmp_path: Path) -> None:
    write(vault, "a.md", "b.txt")
    config = replace(Config(), index=replace(Config().index, extensions=(".txt",)))
    found = list_notes(vault, read_ignore_rules(vault, config, tmp_path / "state"), config)
    assert list(found.files) == ["b.txt"]


def test_one_listing_of_ten_thousand_notes_is_quick(vault: Path, listed: Listed) -> None:
    """The time grows with the number of notes, not with its square; the bound is loose for a busy machine."""
    for number in range(10_000):
        folder = vault / f"f{number % 100}"
        if number < 100:
            folder.mkdir()
        os.close(os.open(folder / f"n{number}.md", os.O_CREAT | os.O_WRONLY))
    started = time.process_time()
    found = listed(vault)
    assert len(found.files) == 10_000
    assert time.process_time() - started < 3.0


def test_a_decomposed_name_is_keyed_composed_and_opened_as_it_is(vault: Path, listed: Listed) -> None:
    """B029."""
    write(vault, DECOMPOSED)
    files = listed(vault).files
    assert list(files) == [COMPOSED]
    assert files[COMPOSED].disk_path == DECOMPOSED


def test_a_note_renamed_to_its_decomposed_form_keeps_its_key(vault: Path, listed: Listed) -> None:
    """B029: as a sync tool does."""
    write(vault, COMPOSED)
    before = listed(vault).files[COMPOSED]
    (vault / COMPOSED).rename(vault / DECOMPOSED)
    after = listed(vault).files[COMPOSED]
    assert (before.path, before.inode) == (after.path, after.inode)


def test_both_forms_on_one_disk_are_two_notes_and_one_warning(vault: Path, listed: Listed) -> None:
    """B029."""
    write(vault, COMPOSED, DECOMPOSED)
    found = listed(vault)
    assert sorted(found.files) == sorted([COMPOSED, DECOMPOSED])
    assert len(found.warnings) == 1
    assert found.skips == ()


def test_names_that_differ_in_case_are_two_notes_and_one_warning(vault: Path, listed: Listed) -> None:
    write(vault, "App.md", "app.md")
    found = listed(vault)
    assert list(found.files) == ["App.md", "app.md"]
    assert found.warnings == (
        '"App.md" and "app.md" are two notes whose names differ only in case or in Unicode form.',
    )


def test_one_file_under_two_cases_of_a_name_is_one_note(vault: Path, listed: Listed) -> None:
    """B031."""
    write(vault, "App.md")
    os.link(vault / "App.md", vault / "app.md")
    found = listed(vault)
    assert list(found.files) == ["App.md"]
    assert found.skips == (Skip("app.md", "case-twin", 'the same file as "App.md"'),)


def test_a_stat_in_another_case_finds_nothing_on_a_disk_that_folds_case(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B031: the disk would open it, but that is not its name."""
    write(vault, "App.md")
    monkeypatch.setattr(note_file, "FOLDS_CASE", True)
    real = os.lstat
    monkeypatch.setattr(os, "lstat", lambda path: real(str(path).replace("app.md", "App.md")))
    assert stat_note(vault, "App.md") is not None
    assert stat_note(vault, "app.md") is None


def test_paths_that_look_alike_flattened_are_two_notes(vault: Path, listed: Listed) -> None:
    """B033."""
    write(vault, "x/b.md", "x_b.md")
    assert list(listed(vault).files) == ["x/b.md", "x_b.md"]


def test_a_name_that_is_not_utf8_is_listed_and_the_rest_indexed(vault: Path, listed: Listed) -> None:
    """B035."""
    os.close(os.open(os.fsencode(vault) + b"/caf\xe9.md", os.O_CREAT | os.O_WRONLY))
    os.mkdir(os.fsencode(vault) + b"/d\xff")
    write(vault, "a.md")
    found = listed(vault)
    assert list(found.files) == ["a.md"]
    assert [(skip.path, skip.reason) for skip in found.skips] == [
        ("caf\\udce9.md", "not-utf8-name"),
        ("d\\udcff", "not-utf8-name"),
    ]


def test_a_placeholder_of_a_cloud_disk_stands_for_its_note(vault: Path, listed: Listed) -> None:
    """B041."""
    write(vault, ".Note.md.icloud", "a/.U\u0308.md.icloud", ".photo.jpg.icloud")
    found = listed(vault)
    assert found.files == {}
    assert [(skip.path, skip.reason) for skip in found.skips] == [
        ("Note.md", "not-downloaded"),
        ("a/\u00dc.md", "not-downloaded"),
    ]


def test_one_look_at_a_path_knows_the_placeholder_too(vault: Path, tmp_path: Path) -> None:
    """B041."""
    write(vault, ".Note.md.icloud")
    rules = read_ignore_rules(vault, Config(), tmp_path / "state")
    found = find_note(vault, "Note.md", rules, Config())
    assert found == Skip("Note.md", "not-downloaded", "its content is only in the cloud")


class _Evicted:
    def __init__(self, seen: os.stat_result, field: str, value: int) -> None:
        self._seen = seen
        setattr(self, field, value)

    def __getattr__(self, name: str) -> object:
        return getattr(self._seen, name)


@pytest.mark.parametrize(("field", "value"), [("st_flags", 0x40000000), ("st_file_attributes", 0x00400000)])
def test_a_note_evicted_by_the_system_is_not_read(vault: Path, field: str, value: int) -> None:
    """F28: reading it would fetch it."""
    write(vault, "a.md")
    seen = _Evicted((vault / "a.md").stat(), field, value)
    found = note_file.judge("a.md", "a.md", seen, 1000)  # type: ignore[arg-type]
    assert found == Skip("a.md", "not-downloaded", "its content is only in the cloud")


PATHS = st.lists(st.sampled_from(["a", "/", "_", "_B", "ackup_", "Base_", "_l", "OCAL_", "conf", "oNFLict", "突", "."]))


@given(parts=PATHS)
@settings(deadline=None)
def test_the_quick_look_for_a_conflict_misses_none(parts: list[str]) -> None:
    path = "".join(parts)
    assert note_file._may_conflict(path) is (re.search(note_file.CONFLICT_HINT, path) is not None)


CONFLICT_COPIES = [
    "Plan.sync-conflict-20260112-003022-ABCDEFG.md",
    "Plan (conflicted copy 2026-01-12).md",
    "Plan (Bob's conflicted copy 2026-01-12).md",
    "Plan (conflicted copy 2026-01-12 103022).md",
    "Plan (Conflicted copy phone 202601121030).md",
    "Plan (Bobs in Konflikt stehende Kopie 2026-01-12).md",
    "Plan (copie en conflit de Bob 2026-01-12).md",
    "Plan (copia en conflicto de Bob 2026-01-12).md",
    "Plan (cópia em conflito de Bob 2026-01-12).md",
    "Plan (copia in conflitto di Bob 2026-01-12).md",
    "计划 (Bob 的冲突副本 2026-01-12).md",
    "計画 (Bob の競合コピー 2026-01-12).md",
    "Plan (SFConflict bob@example.com 2026-01-12-10-30-22).md",
    "Plan (Case Conflict).md",
    "Plan (conflict on 2026-01-12).md",
    "Plan_conflict-20260112-103022.md",
    "Plan_HOST_Jan-12-103022-2026_Conflict.md",
    "Plan.conflict.md",
    "Plan_BACKUP_1234.md",
    "Plan_REMOTE_1234.md",
    "Plan [conflicted].md",
]


@pytest.mark.parametrize("name", CONFLICT_COPIES)
def test_a_conflict_copy_is_listed_and_not_indexed(vault: Path, listed: Listed, name: str) -> None:
    """B047, F27."""
    write(vault, "Plan.md", name)
    found = listed(vault)
    assert list(found.files) == ["Plan.md"]
    assert [(skip.path, skip.reason) for skip in found.skips] == [(name, "conflict-copy")]


@pytest.mark.parametrize(
    "name",
    ["Conflict.md", "On conflicts (a talk).md", "Plan 2.md", "Plan (1).md", "conflict/a.md", "a_LOCAL_b.md"],
)
def test_a_note_about_conflicts_is_a_note(vault: Path, listed: Listed, name: str) -> None:
    write(vault, name)
    assert list(listed(vault).files) == [name]


def _refuse(path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    real = os.open

    def refuse(target: str | Path, flags: int, *args: int, **kwargs: int) -> int:
        if str(target).rstrip("/") == str(path):
            raise OSError(code, os.strerror(code), str(path))
        return real(target, flags, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)


def test_an_unreadable_folder_is_listed_and_its_notes_are_not_gone(
    vault: Path, listed: Listed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B043, I11, F20 mode 000 (as root, every mode can be read)."""
    write(vault, "a.md", "shut/b.md", "shut2/c.md")
    _refuse(vault / "shut", monkeypatch, errno.EACCES)
    found = listed(vault)
    assert list(found.files) == ["a.md", "shut2/c.md"]
    assert found.skips == (Skip("shut", "unreadable", "Permission denied"),)
    assert found.unreadable == ("shut",)
    assert found.healthy


def test_a_note_whose_stat_fails_is_unreadable_under_its_key(
    vault: Path, listed: Listed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I11, F03: its rows are found by the same key, whatever form the disk keeps."""
    write(vault, "a.md", DECOMPOSED)
    real = listing_module.key_of

    def fail(prefix: str, name: str) -> tuple[str, Skip | None]:
        monkeypatch.setattr(listing_module, "key_of", real)
        raise OSError(errno.EIO, "Input/output error")

    (vault / "a.md").unlink()
    monkeypatch.setattr(listing_module, "key_of", fail)
    assert listed(vault).skips == (Skip(COMPOSED, "unreadable", "Input/output error"),)


def test_a_vault_that_cannot_be_listed_is_not_healthy(
    vault: Path, listed: Listed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F19: permission taken from the root."""
    write(vault, "a.md")
    _refuse(vault, monkeypatch, errno.EACCES)
    found = listed(vault)
    assert (found.files, found.healthy, found.unreadable) == ({}, False, ("",))
    assert found.problem == "The vault's folder cannot be listed."


def test_a_vault_moved_away_is_not_healthy(vault: Path, listed: Listed) -> None:
    """B045, I10."""
    vault.rename(vault.parent / "elsewhere")
    found = listed(vault)
    assert (found.healthy, found.unreadable) == (False, ("",))
    assert found.problem == f'"{vault}" is gone.'


def test_an_empty_folder_mounted_over_a_vault_is_not_healthy(vault: Path, listed: Listed) -> None:
    """B045: the marker is missing."""
    shutil.rmtree(vault)
    vault.mkdir()
    found = listed(vault)
    assert (found.healthy, found.problem) == (False, f'"{vault / ".clawvault"}" is gone.')


def test_a_folder_that_vanishes_under_the_listing_does_not_end_it(
    vault: Path, listed: Listed, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, "a.md", "b/c.md")
    real = listing_module._Walk._enter

    def enter(walk: object, *args: object, **kwargs: object) -> None:
        real(walk, *args, **kwargs)  # type: ignore[arg-type]
        shutil.rmtree(vault / "b", ignore_errors=True)

    monkeypatch.setattr(listing_module._Walk, "_enter", enter)
    found = listed(vault)
    assert list(found.files) == ["a.md"]


def test_a_folder_swapped_for_a_link_is_not_listed(
    vault: Path, listed: Listed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T02."""
    write(vault, "a.md", "b/c.md")
    write(vault.parent / "outside", "canary.md")
    real = listing_module._Walk._enter

    def enter(walk: object, *args: object, **kwargs: object) -> None:
        real(walk, *args, **kwargs)  # type: ignore[arg-type]
        (vault / "b").rename(vault.parent / "aside")
        (vault / "b").symlink_to(vault.parent / "outside")

    monkeypatch.setattr(listing_module._Walk, "_enter", enter)
    found = listed(vault)
    assert list(found.files) == ["a.md"]
    assert found.unreadable == ("b",)


def test_a_vault_swapped_for_a_link_while_it_is_looked_at_is_not_listed(
    vault: Path, listed: Listed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T02."""
    write(vault, "a.md")
    write(vault.parent / "outside", "canary.md")
    real = listing_module.vault_problem

    def swap(root: Path) -> str:
        problem = real(root)
        vault.rename(vault.parent / "aside")
        vault.symlink_to(vault.parent / "outside")
        return problem

    monkeypatch.setattr(listing_module, "vault_problem", swap)
    found = listed(vault)
    assert (found.files, found.healthy) == ({}, False)


@pytest.mark.parametrize(
    ("relative", "expected"),
    [
        ("a.md", "a.md"),
        ("no.md", None),
        ("folder.md", None),
        ("link.md", None),
        ("../vault/a.md", None),
        ("a.md/x.md", None),
    ],
)
def test_one_note_is_looked_at_by_path(vault: Path, relative: str, expected: str | None) -> None:
    write(vault, "a.md")
    (vault / "folder.md").mkdir()
    (vault / "link.md").symlink_to("a.md")
    found = stat_note(vault, relative)
    assert (found.path if found else None) == expected


def test_one_note_is_found_by_either_form_of_its_name(vault: Path) -> None:
    """B029."""
    write(vault, DECOMPOSED)
    assert stat_note(vault, COMPOSED) == stat_note(vault, DECOMPOSED)
    assert stat_note(vault, COMPOSED) is not None


def test_one_look_at_a_path_says_the_same_as_the_listing(vault: Path, listed: Listed, tmp_path: Path) -> None:
    (vault / ".clawvaultignore").write_text("secret.md\n")
    write(vault, "a.md", "secret.md", "Plan (conflicted copy 2026-01-12).md", DECOMPOSED, "b/c.md")
    (vault / "link.md").symlink_to("a.md")
    os.mkfifo(vault / "pipe.md")
    found = listed(vault)
    rules = read_ignore_rules(vault, Config(), tmp_path / "state")
    expected = {**found.files, **{skip.path: skip for skip in found.skips}}
    assert {path: find_note(vault, path, rules, Config()) for path in expected} == expected
    assert find_note(vault, "no.md", rules, Config()) is None
    assert find_note(vault, "a.txt", rules, Config()) is None
