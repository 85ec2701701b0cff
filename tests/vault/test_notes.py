"""The text of a note, whatever its bytes are and whatever happens while it is read."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.errors import NotFoundError
from clawvault.vault import notes
from clawvault.vault.listing import NoteFile, stat_note
from clawvault.vault.notes import NoteChangedError, NoteUnreadableError, decode_note, read_note


def put(vault: Path, data: bytes, name: str = "a.md") -> NoteFile:
    (vault / name).write_bytes(data)
    found = stat_note(vault, name)
    assert found is not None
    return found


def test_a_note_is_read_with_its_hash_and_a_fresh_stat(vault: Path) -> None:
    file = put(vault, b"a\r\nb")
    read = read_note(vault, file, max_bytes=100)
    assert (read.text, read.encoding, read.guessed) == ("a\r\nb", "utf-8", False)
    assert read.sha256 == hashlib.sha256(b"a\r\nb").digest()
    assert read.file == file


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ("", "utf-8", False)),
        ("caf\u00e9".encode(), ("caf\u00e9", "utf-8", False)),
        (b"\xef\xbb\xbf# x", ("# x", "utf-8-sig", False)),
        (b"\xff\xfe" + "caf\u00e9".encode("utf-16-le"), ("caf\u00e9", "utf-16-le", False)),
        (b"\xfe\xff" + "中文".encode("utf-16-be"), ("中文", "utf-16-be", False)),
        (b"\xff\xfe\0\0" + "x".encode("utf-32-le"), ("x", "utf-32-le", False)),
        (b"\0\0\xfe\xff" + "x".encode("utf-32-be"), ("x", "utf-32-be", False)),
        (b"caf\xe9", ("caf\u00e9", "cp1252", True)),
        (b"\x93quoted\x94 \x80", ("\u201cquoted\u201d \u20ac", "cp1252", True)),
        (b"caf\xe9 \x81", ("caf\u00e9 \x81", "latin-1", True)),
        (b"\xff\xfea\0b", ("a\ufffd", "utf-16-le", True)),
        (b"\0\0\0", ("\0\0\0", "utf-8", False)),
        (b"a\0b", ("a\0b", "utf-8", False)),
    ],
)
def test_bytes_are_decoded_by_their_mark_or_by_what_they_allow(data: bytes, expected: tuple[str, str, bool]) -> None:
    """B051."""
    assert decode_note(data) == expected


@given(st.binary(max_size=200))
@settings(deadline=None, max_examples=500)
def test_any_bytes_can_be_decoded(data: bytes) -> None:
    """F21."""
    text, _, guessed = decode_note(data)
    assert guessed or text.encode("utf-8", "surrogatepass") is not None


def test_the_locale_of_the_system_has_no_say(vault: Path) -> None:
    """B051: one note in another encoding, read under the C locale."""
    put(vault, "日本語 caf\u00e9".encode())
    code = (
        "import sys; from pathlib import Path; from clawvault.vault.listing import stat_note\n"
        "from clawvault.vault.notes import read_note\n"
        "root = Path(sys.argv[1])\n"
        "print(ascii(read_note(root, stat_note(root, 'a.md'), max_bytes=100).text))"
    )
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    run = subprocess.run(
        [sys.executable, "-c", code, str(vault)], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == ascii("日本語 caf\u00e9")


def test_reading_changes_no_byte_and_no_time(vault: Path) -> None:
    """I01."""
    file = put(vault, b"caf\xe9\r\n")
    read_note(vault, file, max_bytes=100)
    assert (vault / "a.md").read_bytes() == b"caf\xe9\r\n"
    assert stat_note(vault, "a.md") == file


def test_a_note_that_is_gone_is_not_found(vault: Path) -> None:
    file = put(vault, b"text")
    (vault / "a.md").unlink()
    with pytest.raises(NotFoundError):
        read_note(vault, file, max_bytes=100)


def test_a_note_that_grew_too_large_is_refused_without_reading_it(vault: Path) -> None:
    """T15: 5 GB without a block on disk."""
    file = put(vault, b"text")
    os.truncate(vault / "a.md", 5 * 1024**3)
    with pytest.raises(NoteUnreadableError) as caught:
        read_note(vault, file, max_bytes=100)
    assert (caught.value.reason, caught.value.deferred) == ("too-large", False)


class _Reader(io.FileIO):
    """A file whose read does something first."""

    def __init__(self, path: Path, before: object) -> None:
        super().__init__(path)
        self._before = before

    def read(self, size: int | None = -1, /) -> bytes:
        self._before()  # type: ignore[operator]
        return super().read(-1 if size is None else size) or b""


def _open_with(monkeypatch: pytest.MonkeyPatch, before: object) -> None:
    def opener(root: Path, relative: str) -> BinaryIO:
        return _Reader(root / relative, before)  # type: ignore[return-value]

    monkeypatch.setattr(notes, "open_inside", opener)


@pytest.mark.parametrize("data", [b"longer than before", b"", b"same"])
def test_a_note_that_changes_under_the_read_is_read_later(
    vault: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    """I06, F08."""
    file = put(vault, b"text")
    os.utime(vault / "a.md", ns=(1, 1))
    _open_with(monkeypatch, lambda: (vault / "a.md").write_bytes(data))
    with pytest.raises(NoteChangedError) as caught:
        read_note(vault, file, max_bytes=100)
    assert (caught.value.reason, caught.value.deferred) == ("changed", True)


@pytest.mark.parametrize("code", [errno.EDEADLK, errno.EAGAIN, errno.EIO, errno.ETIMEDOUT, errno.EMFILE])
def test_a_read_that_may_work_later_is_deferred(vault: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """B039, F03, I11."""
    file = put(vault, b"text")

    def fail() -> None:
        raise OSError(code, os.strerror(code))

    _open_with(monkeypatch, fail)
    with pytest.raises(NoteUnreadableError) as caught:
        read_note(vault, file, max_bytes=100)
    assert (caught.value.reason, caught.value.deferred) == ("deferred", True)


@pytest.mark.parametrize(("code", "deferred"), [(errno.EDEADLK, True), (errno.EACCES, False)])
def test_an_open_that_fails_is_an_unreadable_note(
    vault: Path, monkeypatch: pytest.MonkeyPatch, code: int, deferred: bool
) -> None:
    """B039, F20 mode 000 (as root, every mode can be read)."""
    file = put(vault, b"text")
    real = os.open

    def refuse(path: str | Path, flags: int, *args: int, **kwargs: int) -> int:
        if path == "a.md":
            raise OSError(code, os.strerror(code))
        return real(path, flags, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(NoteUnreadableError) as caught:
        read_note(vault, file, max_bytes=100)
    assert caught.value.deferred is deferred
    assert '"a.md"' in caught.value.message
