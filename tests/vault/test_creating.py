"""A note is created whole, once, inside the vault, and never over another."""

from __future__ import annotations

import errno
import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hostile_paths import hostile_paths

from clawvault.errors import ClawvaultError, ConflictError, UsageError
from clawvault.vault import paths
from clawvault.vault.writing import create_note, remove_leftovers


@pytest.fixture(params=["handles", "names"], autouse=True)
def walker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to reach a folder: by handles, and by names as on Windows."""
    monkeypatch.setattr(paths, "CAN_WALK_HANDLES", request.param == "handles")
    return str(request.param)


def files_of(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_note_is_created_with_its_folders_and_nothing_else(vault: Path) -> None:
    assert create_note(vault, "a/b/c.md", b"text\r\n")
    assert files_of(vault) == {"a/b/c.md": b"text\r\n"}


def test_a_note_that_exists_is_left_alone(vault: Path) -> None:
    (vault / "a.md").write_bytes(b"old")
    assert not create_note(vault, "a.md", b"new")
    assert files_of(vault) == {"a.md": b"old"}


def test_a_note_that_exists_in_another_unicode_form_is_left_alone(vault: Path) -> None:
    """B029."""
    (vault / "U\u0308.md").write_bytes(b"old")
    assert not create_note(vault, "\u00dc.md", b"new")
    assert files_of(vault) == {"U\u0308.md": b"old"}


def test_a_folder_that_exists_in_another_unicode_form_is_used(vault: Path) -> None:
    """B029."""
    (vault / "U\u0308").mkdir()
    assert create_note(vault, "\u00dc/a.md", b"new")
    assert files_of(vault) == {"U\u0308/a.md": b"new"}


def test_no_note_is_created_over_a_placeholder(vault: Path) -> None:
    """B041."""
    (vault / ".Note.md.icloud").write_bytes(b"")
    with pytest.raises(ConflictError, match="not downloaded"):
        create_note(vault, "Note.md", b"new")
    assert files_of(vault) == {".Note.md.icloud": b""}


@pytest.mark.parametrize("relative", ["link/x.md", "../x.md", "file.md/x.md", "dangling/x.md"])
def test_nothing_is_created_outside_the_vault_or_through_a_link(vault: Path, relative: str) -> None:
    """T02, B149."""
    outside = vault.parent / "outside"
    outside.mkdir()
    (vault / "file.md").write_bytes(b"old")
    (vault / "link").symlink_to(outside)
    (vault / "dangling").symlink_to(vault.parent / "made")
    with pytest.raises(ClawvaultError):
        create_note(vault, relative, b"new")
    assert files_of(vault.parent) == {"vault/file.md": b"old"}
    assert sorted(os.listdir(vault.parent)) == ["outside", "vault"]


@pytest.mark.parametrize("name", ["dangling.md", "link.md"])
def test_a_link_with_the_name_of_the_note_counts_as_taken(vault: Path, name: str) -> None:
    """B149, T11."""
    (vault.parent / "target.md").write_bytes(b"old")
    (vault / "dangling.md").symlink_to(vault.parent / "made.md")
    (vault / "link.md").symlink_to(vault.parent / "target.md")
    assert not create_note(vault, name, b"new")
    assert files_of(vault.parent)["target.md"] == b"old"
    assert not (vault.parent / "made.md").exists()


def test_a_thousand_hostile_paths_change_nothing_outside(vault: Path) -> None:
    """T01, T02, MN-58."""
    outside = vault.parent / "vault-outside"
    outside.mkdir()
    (outside / "canary.md").write_bytes(b"canary")
    (vault / "link").symlink_to(outside)
    for relative in hostile_paths(1000):
        with suppress(ClawvaultError):
            create_note(vault, relative, b"new")
    assert files_of(outside) == {"canary.md": b"canary"}
    assert sorted(os.listdir(vault.parent)) == ["vault", "vault-outside"]


def test_a_reserved_name_is_refused(vault: Path) -> None:
    """T01."""
    with pytest.raises(UsageError):
        create_note(vault, "con.md", b"")


def test_of_many_writers_one_creates_the_note(vault: Path) -> None:
    barrier = threading.Barrier(8)
    wins: list[bytes] = []

    def write(number: int) -> None:
        data = bytes([48 + number]) * 1000
        barrier.wait()
        wins.extend([data] * create_note(vault, "a.md", data))

    writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(wins) == 1
    assert files_of(vault) == {"a.md": wins[0]}


@pytest.mark.parametrize("call", ["open", "fsync", "link"])
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EACCES])
def test_a_disk_that_refuses_leaves_no_part_of_a_note(
    vault: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    """I02, F03, B115."""
    real = getattr(os, call)

    def refuse(*args: object, **kwargs: object) -> object:
        if call != "open" or str(args[0]).endswith(".tmp"):
            raise OSError(code, os.strerror(code))
        return real(*args, **kwargs)

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(ClawvaultError, match=r'Cannot create "a\.md"'):
        create_note(vault, "a.md", b"new")
    monkeypatch.undo()
    assert files_of(vault) == {}


def test_a_disk_without_hard_links_can_hold_a_note(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", no_links)
    assert create_note(vault, "a.md", b"new")
    assert not create_note(vault, "a.md", b"newer")
    assert files_of(vault) == {"a.md": b"new"}


def test_what_an_interrupted_creation_left_is_removed_after_an_hour(vault: Path) -> None:
    """F01: and nothing that only looks like it."""
    (vault / "deep").mkdir()
    (vault.parent / "outside").write_text("x")
    old, mine = "deep/.clawvault-0123456789abcdef.tmp", "deep/.clawvault-mine.tmp"
    young, link = ".clawvault-0123456789abcdee.tmp", ".clawvault-0123456789abcdea.tmp"
    for name in (old, mine, young):
        (vault / name).write_text("x")
    (vault / link).symlink_to(vault.parent / "outside")
    os.utime(vault / old, (1000, 1000))
    os.utime(vault / mine, (1000, 1000))
    os.utime(vault / young, (9000, 9000))
    assert remove_leftovers(vault, 10_000.0) == 1
    assert [(vault / name).exists() for name in (old, mine, young, link)] == [False, True, True, True]
