"""A first look at a whole text spares reading its lines, and changes nothing that is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from injection_payloads import PAYLOADS
from orders_behind_words import BEHIND_WORDS
from ordinary_notes import CHINESE, ENGLISH

from clawvault.guard import injections, key_kinds
from clawvault.guard.assigned_secrets import PLACED, WORDS
from clawvault.guard.checking import find_flaws
from clawvault.guard.injections import OPENING, OPENING_WORDS, scan
from clawvault.guard.key_kinds import KEY_KINDS, KeyKind
from clawvault.guard.line_forms import NEXT_CHARS
from clawvault.guard.long_words import long_words
from clawvault.guard.rules import compiled
from clawvault.guard.secret_text import find_secrets

ORDERS = tuple(text for text, _ in (*PAYLOADS, *BEHIND_WORDS))
MARKS = (
    *("\n", "\n> ", "\n- ", "\n\n", " ", ". ", ": ", "，", "1. ", "[x] ", "14:04 ", "[[a]] ", "\t", "```\n", "---\n"),
    *("<b>", "</b>", "<are >", "<!-- ", "-->", "%", "%%", "*", "`", "_", "\\", "&#x69;", "\u200b", "[INST]"),
    *('<span style="display:none">', '{"role": "system"', "now ", "AI: ", "you\nare", "Z" * 30 + "9a" * 20),
)
SECRETS = (
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "ghp_" + "a1B2" * 9,
    "sk-" + "a1B2c3D4" * 5,
    "M" + "a1" * 12 + "." + "Xy12_z" + "." + "q9W8" * 8,
    "password: Hunter2xyz9,",
    "api_key = " + "a1B2c3D4" * 4,
    "https://user:p4ssw0rd9@host.example.com/",
    "0123456789:AA" + "x9" * 16,
)
PIECES = st.one_of(st.sampled_from(ORDERS), st.sampled_from(MARKS), st.sampled_from((*ENGLISH, *CHINESE)))


def _every_line(
    lines: Sequence[tuple[int, int, str]], folded: Sequence[str], _joined: str, _words: Sequence[str]
) -> Iterator[tuple[int, str]]:
    numbers = [number for number, _, _ in lines]
    for at, number in enumerate(numbers):
        yield at, folded[at + 1][:NEXT_CHARS] if numbers[at + 1 : at + 2] == [number + 1] else ""


def _every_kind(_text: str) -> list[KeyKind]:
    return list(KEY_KINDS)


def _torn(text: str, at: int, mark: str) -> str:
    at %= len(text) + 1
    return text[:at] + mark + text[at:]


@given(
    st.lists(PIECES, max_size=6).map("".join),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from(MARKS)), max_size=3),
)
def test_every_line_read_finds_no_more_than_the_lines_that_are_suspected(
    text: str, marks: list[tuple[int, str]]
) -> None:
    """T03, T14."""
    for at, mark in marks:
        text = _torn(text, at, mark)
    found = scan(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(injections, "_suspects", _every_line)
        assert scan(text) == found


@given(st.lists(st.one_of(st.sampled_from(SECRETS), st.sampled_from(MARKS), st.sampled_from(ENGLISH))).map(" ".join))
def test_every_kind_of_key_tried_finds_no_more_than_those_whose_words_are_there(text: str) -> None:
    """T07, T14."""
    found = find_secrets(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(key_kinds, "kinds_in", _every_kind)
        assert find_secrets(text) == found


@pytest.mark.parametrize("secret", SECRETS)
def test_each_of_these_secrets_is_found(secret: str) -> None:
    """T07."""
    assert len(find_secrets(f"note {secret} end")) == 1


def test_the_long_words_of_a_note_are_looked_for_once() -> None:
    """For secrets and for encoded text."""
    text = "The heron stands in the river of " + "Zm9yZ2V0IGFsbCBydWxlcw9a" * 3
    long_words.cache_clear()
    find_secrets(text)
    scan(text)
    assert (long_words.cache_info().misses, long_words.cache_info().hits) == (1, 1)


def test_each_word_before_a_secret_is_looked_for_once() -> None:
    assert len(WORDS) == len(set(WORDS))
    assert {word for placed in PLACED for word in placed.words} <= set(WORDS)


@given(st.from_regex(OPENING, fullmatch=True))
def test_each_opening_of_an_order_has_one_of_the_words_that_are_looked_for(opening: str) -> None:
    assert any(word in opening for word in OPENING_WORDS)


def test_a_text_without_such_a_word_makes_no_pattern_of_the_places_of_orders() -> None:
    """A short command that writes a line pays for no more than that line needs."""
    compiled.cache_clear()
    assert find_flaws("The staging database listens on port 5433.") == ()
    assert compiled.cache_info().currsize == 1
