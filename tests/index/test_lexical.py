"""What the keyword lane stores and asks for."""

from __future__ import annotations

import re
from typing import Never

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.index import lexical
from clawvault.index.lexical import (
    _SIGNED_NAME,
    _UNSEEN,
    _may_sign,
    bigrams,
    fold,
    is_dense,
    quote,
    render_index_text,
    render_match,
    split_words,
    word_parts,
)
from clawvault.index.schema import TOKENIZER


def test_a_dense_run_becomes_its_pairs_and_its_last_character() -> None:
    assert render_index_text("图书馆").split() == ["图书", "书馆", "馆"]


def test_pairs_come_only_from_characters_that_stand_side_by_side() -> None:
    """OC-28: no pair is made across the Latin word between them."""
    assert render_index_text("用Redis吧").split() == ["用", "Redis", "吧"]


def test_full_width_letters_are_the_same_as_plain_ones() -> None:
    assert render_index_text("ＡＰＩ") == "API"


def test_names_that_end_in_signs_stay_apart_from_their_letter() -> None:
    assert render_index_text("C++ and C#").split() == ["C++", "Cplusplus", "and", "C#", "Csharp"]


def test_a_pictograph_becomes_a_word() -> None:
    assert render_index_text("done 🎉").split() == ["done", "sign1f389"]


def test_a_zero_width_mark_does_not_split_the_text_around_it_into_nothing() -> None:
    assert render_index_text("pass\u200bword").split() == ["pass", "word"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("REDIS_HOST", ["REDIS_HOST"]),
        ("don't reboot", ["don't", "reboot"]),
        ("v3.14.2", ["v3.14.2"]),
        ("在图书馆内", ["在图书馆内"]),
        ("用Redis吧", ["用", "Redis", "吧"]),
        ("--", []),
        ("", []),
        ("\x00", []),
    ],
)
def test_a_question_is_split_into_words_and_dense_runs(text: str, words: list[str]) -> None:
    assert split_words(text) == words


def test_a_compound_word_has_the_parts_fts5_sees() -> None:
    assert word_parts("REDIS_HOST") == ["REDIS", "HOST"]


def test_a_single_dense_character_is_asked_for_as_a_prefix() -> None:
    assert render_match(["图"]) == '"图"*'


def test_quotes_inside_a_term_are_doubled() -> None:
    assert quote('a"b') == '"a""b"'


def test_one_character_is_its_own_pair() -> None:
    assert bigrams("图") == ["图"]


@given(st.text(max_size=200))
@settings(deadline=None, max_examples=300)
def test_no_text_can_break_a_match_expression(text: str) -> None:
    """T13, I24: whatever a person types is data to FTS5."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (body)")
    match = render_match(split_words(text)) or '"nothing"'
    assert connection.execute("SELECT count(*) FROM t WHERE t MATCH ?", (match,)).get == 0


@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=30))
@settings(deadline=None)
def test_every_part_of_a_dense_run_can_be_found(run: str) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE t USING fts5 (body, tokenize='{TOKENIZER}')")
    connection.execute("INSERT INTO t VALUES (?)", (render_index_text(run),))
    asked = [render_match([pair]) for pair in bigrams(run)] + [render_match([run[0]]), render_match([run[-1]])]
    assert [connection.execute("SELECT count(*) FROM t WHERE t MATCH ?", (match,)).get for match in asked] == [1] * len(
        asked
    )


@pytest.mark.parametrize("text", ["図書館", "도서관", "ห้องสมุด", "图书馆"])
def test_scripts_without_spaces_are_known(text: str) -> None:
    assert is_dense(text)


@given(text=st.text(st.characters(max_codepoint=0x7F)))
@settings(deadline=None)
def test_a_plain_text_that_can_be_seen_is_folded_to_itself(text: str) -> None:
    """What tells it from the rest at once misses no sign that cannot be seen."""
    assert fold(text) == re.sub(_UNSEEN, " ", text)


def test_a_plain_text_needs_no_pattern_of_other_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take as long to make as a short command to run."""

    def refuse(source: str) -> Never:
        raise AssertionError(source)

    monkeypatch.setattr(lexical, "compiled", refuse)
    text = "The heron #12 of C++ ate 3.5 fish.\n"
    assert not is_dense(text)
    assert render_index_text(text) == "The heron #12 of C++ Cplusplus ate 3.5 fish.\n"
    assert split_words(text)[:3] == ["The", "heron", "#12"]


@given(text=st.text("aZé1_#+ \n"))
@settings(deadline=None)
def test_the_quick_look_for_a_signed_name_misses_none(text: str) -> None:
    is_signed = _SIGNED_NAME.search(text) is not None
    assert is_signed <= (_may_sign(text, "#") or _may_sign(text, "++"))
