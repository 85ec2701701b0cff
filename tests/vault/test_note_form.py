"""A change of a note's text leaves every other byte of it as it was."""

from __future__ import annotations

import codecs
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawvault.errors import ClawvaultError, UsageError
from clawvault.vault.writing.form import change_text, line_end_of, parse_form, with_line_ends

MARKS = {
    "utf-8": b"",
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\ufeff\0"), max_size=60)


def encoded(text: str, form: str) -> bytes:
    return MARKS[form] + text.encode(form.removesuffix("-sig"))


@given(before=TEXTS, old=TEXTS, after=TEXTS, new=TEXTS, form=st.sampled_from(sorted(MARKS)))
def test_bytes_outside_a_change_are_untouched(before: str, old: str, after: str, new: str, form: str) -> None:
    """I04, B051, B053: every encoding, any line ends, with a mark and without."""
    data = encoded(before + old + after, form)
    changed = change_text(data, lambda text, _: text[: len(before)] + new + text[len(before) + len(old) :])
    assert changed == encoded(before + new + after, form)


@given(data=st.binary(max_size=200))
def test_a_change_of_nothing_gives_the_same_bytes_or_is_refused(data: bytes) -> None:
    """I05."""
    changed = data
    with suppress(ClawvaultError):
        changed = change_text(data, lambda text, _: text)
    assert changed == data


@pytest.mark.parametrize(
    ("text", "newline"), [("", "\n"), ("a", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\nb\n\r\n", "\n"), ("a\r\nb\n", "\n")]
)
def test_the_line_end_of_most_lines_is_that_of_the_note(text: str, newline: str) -> None:
    assert line_end_of(text) == newline


def test_every_line_end_of_a_new_text_becomes_that_of_the_note() -> None:
    assert with_line_ends("a\r\nb\rc\nd", "\r\n") == "a\r\nb\r\nc\r\nd"


def test_damaged_utf_16_is_never_rewritten() -> None:
    """I05."""
    with pytest.raises(ClawvaultError, match="not valid utf-16-le"):
        parse_form(codecs.BOM_UTF16_LE + b"a\0\x00\xd8b\0")


def test_a_note_in_an_unknown_encoding_takes_plain_letters() -> None:
    """B051: 0xE9 is a letter in some encoding; its byte stays."""
    assert change_text(b"caf\xe9\n", lambda text, _: text + "- tea\n") == b"caf\xe9\n- tea\n"


def test_a_note_in_an_unknown_encoding_takes_no_other_letters() -> None:
    """I05."""
    with pytest.raises(UsageError, match="which encoding"):
        change_text(b"caf\xe9\n", lambda text, _: text + "th\u00e9\n")


def test_half_a_character_is_refused() -> None:
    with pytest.raises(UsageError, match=r"U\+D800"):
        change_text(b"", lambda *_: "\ud800")
