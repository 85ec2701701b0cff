"""F20: things in a vault that are no notes, or look like notes and bite."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from clawvault.errors import ClawvaultError
from clawvault.vault.listing import Listing
from clawvault.vault.notes import NoteUnreadableError, read_note

Listed = Callable[[Path], Listing]


def test_each_hostile_object_is_listed_with_a_reason_and_all_others_are_indexed(vault: Path, listed: Listed) -> None:
    """F20, B013: nothing here is read for ever."""
    (vault / "good.md").write_text("good")
    os.mkfifo(vault / "fifo.md")
    server = socket.socket(socket.AF_UNIX)
    here = os.open(vault, os.O_RDONLY)
    server.bind(f"/proc/self/fd/{here}/socket.md")
    os.close(here)
    (vault / "device.md").symlink_to("/dev/zero")
    (vault / "loop.md").symlink_to("loop.md")
    (vault / "up").symlink_to(".")
    (vault / "old.md").symlink_to("missing.md")
    (vault / "folder.md").mkdir()
    (vault / "folder.md" / "inner.md").write_text("inner")
    (vault / "empty.md").write_bytes(b"")
    with open(vault / "sparse.md", "wb") as handle:
        handle.truncate(5 * 1024**3)
    (vault / "new\nline.md").write_text("x")
    (vault / "back\\slash.md").write_text("x")
    (vault / "quo'te\".md").write_text("x")
    found = listed(vault)
    for note in found.files.values():
        read_note(vault, note, max_bytes=5_000_000)
    server.close()
    assert list(found.files) == ["empty.md", "folder.md/inner.md", "good.md", "quo'te\".md"]
    assert {skip.path: skip.reason for skip in found.skips} == {
        "back\\slash.md": "bad-name",
        "device.md": "symlink",
        "fifo.md": "not-a-file",
        "folder.md": "folder",
        "loop.md": "symlink",
        "new\\nline.md": "bad-name",
        "old.md": "symlink",
        "socket.md": "not-a-file",
        "sparse.md": "too-large",
        "up": "symlink",
    }
    assert [skip.path for skip in found.skips] == sorted(skip.path for skip in found.skips)


def test_a_dangling_link_gives_one_line_a_listing(vault: Path, listed: Listed) -> None:
    """B013."""
    (vault / "old.md").symlink_to("missing.md")
    assert [skip.path for skip in listed(vault).skips] == ["old.md"]


def test_a_name_of_255_bytes_is_a_note(vault: Path, listed: Listed) -> None:
    name = "n" * 252 + ".md"
    (vault / name).write_text("text")
    found = listed(vault).files[name]
    assert read_note(vault, found, max_bytes=100).text == "text"


def test_a_note_two_hundred_folders_deep_is_a_note(vault: Path, listed: Listed) -> None:
    folder = vault.joinpath(*["d"] * 200)
    folder.mkdir(parents=True)
    (folder / "deep.md").write_text("text")
    found = listed(vault)
    path = "d/" * 200 + "deep.md"
    assert list(found.files) == [path]
    assert read_note(vault, found.files[path], max_bytes=100).text == "text"


def test_a_path_the_system_cannot_take_costs_only_itself(vault: Path, listed: Listed) -> None:
    """Twenty folders with names of 250 bytes: longer than one call may name."""
    (vault / "a.md").write_text("text")
    home = os.getcwd()
    os.chdir(vault)
    try:
        for _ in range(20):
            os.mkdir("x" * 250)
            os.chdir("x" * 250)
        Path("deep.md").write_text("text")
    finally:
        os.chdir(home)
    found = listed(vault)
    assert list(found.files) == ["a.md"]
    assert [skip.reason for skip in found.skips] == ["unreadable"]
    assert len(found.unreadable) == 1


@pytest.mark.parametrize("number", range(200))
def test_a_random_name_is_a_note_or_a_skip_and_never_an_error(vault: Path, listed: Listed, number: int) -> None:
    """F20, F21."""
    alphabet = b"a.\\\n\"'\xe9\xc3\x84\x7f\x01 ~#$%^&*()[]{}|;:<>?`\xf0\x9f\x98\x80"
    raw = bytes(alphabet[(number * 7 + step * (number + 3)) % len(alphabet)] for step in range(12)).strip(b"./") or b"a"
    (vault / "good.md").write_text("good")
    os.close(os.open(os.fsencode(vault) + b"/" + raw + b".md", os.O_CREAT | os.O_WRONLY))
    found = listed(vault)
    assert "good.md" in found.files
    assert len(found.files) + len(found.skips) <= 2
    for note in found.files.values():
        read_note(vault, note, max_bytes=100)


def test_a_fifo_put_in_place_of_a_listed_note_never_hangs_the_read(vault: Path, listed: Listed) -> None:
    (vault / "a.md").write_text("text")
    found = listed(vault).files["a.md"]
    (vault / "a.md").unlink()
    os.mkfifo(vault / "a.md")
    with pytest.raises(NoteUnreadableError) as caught:
        read_note(vault, found, max_bytes=100)
    assert caught.value.reason == "not-a-file"


def test_a_link_put_in_place_of_a_listed_note_is_not_followed(vault: Path, listed: Listed) -> None:
    """B149, T02."""
    (vault.parent / "canary.md").write_text("canary")
    (vault / "a.md").write_text("text")
    found = listed(vault).files["a.md"]
    (vault / "a.md").unlink()
    (vault / "a.md").symlink_to(vault.parent / "canary.md")
    with pytest.raises(ClawvaultError):
        read_note(vault, found, max_bytes=100)
