"""Texts as the index keeps them."""

from __future__ import annotations

import hashlib
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawvault.index import packing
from clawvault.index.common_text import COMMON_TEXT
from clawvault.index.packing import hash_text, inflate, pack_text, unpack_text

NOTE = "The heron stands in the river. " * 20


@given(st.text(st.characters(codec="utf-8")))
def test_a_text_comes_back_as_it_was(text: str) -> None:
    """I14."""
    assert unpack_text(pack_text(text), hash_text(text)) == text


def test_a_text_takes_less_room_packed() -> None:
    assert len(pack_text(NOTE)) < len(NOTE) / 5


def test_a_short_english_note_takes_less_room_packed_too() -> None:
    """It repeats nothing itself, so that zlib alone saves a tenth of it."""
    text = "You can use the following command if you want to see what has been changed since the last release."
    assert len(pack_text(text)) < 0.6 * len(text)
    assert len(zlib.compress(text.encode())) > 0.7 * len(text)


def test_the_common_text_is_the_one_that_indexes_were_packed_with() -> None:
    """Another one needs another version of the index: what is there could not be read any more."""
    assert hashlib.sha256(COMMON_TEXT).hexdigest()[:16] == "f70c13bec39e7acd"


def test_what_is_packed_can_be_looked_into_without_its_hash() -> None:
    assert inflate(pack_text(NOTE)).decode() == NOTE


def test_another_text_is_not_taken_for_the_one_that_was_kept() -> None:
    """I14."""
    assert unpack_text(pack_text("a heron"), hash_text("a hexon")) is None


@pytest.mark.parametrize("packed", [b"", b"junk", pack_text(NOTE)[:-20], zlib.compress(b"\xff"), "a heron", None, 7])
def test_what_was_never_packed_is_no_text(packed: object) -> None:
    """I14, F06."""
    assert unpack_text(packed, hash_text(NOTE)) is None


def test_a_text_that_would_fill_the_memory_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """T17."""
    monkeypatch.setattr(packing, "MOST_BYTES", 1000)
    assert unpack_text(pack_text("a" * 1001), hash_text("a" * 1001)) is None
