"""How the bytes of a note are made, so that a change of its text leaves every other byte as it was: pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from clawvault.errors import ClawvaultError, UsageError
from clawvault.vault.notes import MARKS, decode_note

# Takes the text of a note and its line end, gives the new text.
Edit = Callable[[str, str], str]


class NoteForm(NamedTuple):
    """What a note's bytes have besides its text.

    Attributes:
        mark: Its byte order mark; empty when it has none.
        codec: The encoding of what follows.
        newline: The line end most of its lines have.
        guessed: Nothing in the bytes says which encoding it is.
    """

    mark: bytes = b""
    codec: str = "utf-8"
    newline: str = "\n"
    guessed: bool = False

    def encode(self, text: str) -> bytes:
        """Return the bytes of a text in this form.

        Raises:
            UsageError: The text has half a character, or one that the encoding lacks.
        """
        try:
            return self.mark + text.encode(self.codec)
        except UnicodeEncodeError as error:
            sign = f"U+{ord(text[error.start]):04X}"
            raise UsageError(
                f'The text holds {sign}, which "{self.codec}" cannot write.',
                "Save the note as UTF-8, or leave that character out.",
            ) from error


def parse_form(data: bytes) -> tuple[str, NoteForm]:
    """Take the bytes of a note apart.

    Returns:
        Its text, and the form that makes the same bytes of it again.

    Raises:
        ClawvaultError: The bytes are damaged text; nobody can tell what a rewrite would keep (I05).
    """
    text, name, guessed = decode_note(data)
    mark, codec = next(((mark, codec) for mark, known, codec in MARKS if known == name), (b"", name))
    form = NoteForm(mark, codec, line_end_of(text), guessed)
    if guessed and ((name == codec and mark) or form.encode(text) != data):
        raise ClawvaultError(
            f"Cannot change it: its bytes are not valid {name}.", "Open it in an editor and save it as UTF-8."
        )
    return text, form


def line_end_of(text: str) -> str:
    """Return the line end most lines of a text have, CRLF or LF; LF when it has none."""
    crlf = text.count("\r\n")
    return "\r\n" if crlf > text.count("\n") - crlf else "\n"


def with_line_ends(text: str, newline: str) -> str:
    """Return a text with each of its line ends replaced by one kind."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain if newline == "\n" else plain.replace("\n", newline)


def change_text(data: bytes | None, edit: Edit) -> bytes:
    """Change the text of a note and nothing else of its bytes.

    Args:
        data: Its bytes; ``None`` when there is no such note yet.
        edit: Pure: takes its text and its line end, gives the whole new text.

    Returns:
        The new bytes, in the encoding of the old ones and with their mark.

    Raises:
        ClawvaultError: The bytes are damaged text (I05).
        UsageError: The new text cannot be written in that encoding.

    Source: I04, I05, B051, B053.
    """
    text, form = ("", NoteForm()) if data is None else parse_form(data)
    changed = edit(text, form.newline)
    if form.guessed and not _inserted(text, changed).isascii():
        raise UsageError(
            "Cannot write letters beyond ASCII into it: nothing says which encoding it has.",
            "Open it in an editor and save it as UTF-8.",
        )
    return form.encode(changed)


def sha256_of(data: bytes) -> str:
    """Return the hash of a note's bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def _inserted(old: str, new: str) -> str:
    start = _n_shared(old, new)
    end = _n_shared(old[start:][::-1], new[start:][::-1])
    return new[start : len(new) - end]


def _n_shared(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
