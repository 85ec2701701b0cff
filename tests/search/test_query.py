"""Reading a question: pure, and never an error."""

from __future__ import annotations

import time

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.index.schema import TOKENIZER
from clawvault.search.asking.query import MAX_TERMS, guess_language, parse_query

OPERATORS = ["AND", "OR", "NOT", "NEAR(a b)", "a*", "^a", "-a", "+a", "{a}: b", "col:x", "(", '"', '""', "a AND", "'"]


@pytest.fixture(scope="module")
def lexicon() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE t USING fts5 (body, tokenize='{TOKENIZER}')")
    return connection


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what do we know about the lawyer of Globex", ('"Globex"',)),
        ("REDIS_HOST", ('"REDIS HOST"', '"REDIS"', '"HOST"')),
        ("which port is 5433 on", ('"5433"',)),
        ("50 ways to do it", ()),
        ("The kitchen tap drips", ()),
        ("图书馆在哪里", ()),
    ],
)
def test_words_written_like_names_are_names(question: str, names: tuple[str, ...]) -> None:
    """IW-49, limits L20."""
    assert parse_query(question).names == names


def test_common_words_are_left_out_when_there_are_others() -> None:
    assert parse_query("what is the port of the server").terms == ('"port"', '"server"')


def test_common_words_are_asked_for_when_there_is_nothing_else() -> None:
    assert parse_query("to be or not to be").terms == ('"to"', '"be"', '"or"', '"not"')


def test_an_identifier_is_asked_for_as_a_phrase_and_by_its_parts() -> None:
    """OC-22."""
    assert parse_query("REDIS_HOST").terms == ('"REDIS HOST"', '"REDIS"', '"HOST"')


def test_a_quoted_phrase_is_asked_for_as_it_stands() -> None:
    assert parse_query('"blue kettle" price').phrases == ('"blue kettle"',)


def test_a_quoted_dense_phrase_is_adjacent_pairs() -> None:
    assert parse_query("「图书馆」").phrases == ('"图书 书馆"',)


def test_an_unclosed_quote_is_only_a_sign() -> None:
    """B083."""
    assert parse_query('"abc').terms == ('"abc"',)


def test_a_dense_sentence_is_asked_for_by_its_pairs() -> None:
    assert parse_query("图书馆").terms == ('"图书"', '"书馆"')


def test_a_single_dense_character_is_asked_for_as_the_start_of_a_token() -> None:
    assert parse_query("图").terms == ('"图"*',)


def test_a_star_asks_for_words_that_begin_so() -> None:
    """B087."""
    assert parse_query("l10*").terms == ('"l10"*',)


def test_operators_are_words() -> None:
    """B085, T13."""
    assert parse_query("AND").terms == ('"AND"',)


def test_nothing_to_look_for_is_an_empty_expression() -> None:
    assert [parse_query(text).match for text in ("", "  ", "\x00", "--", "\u200b")] == [""] * 5


def test_a_long_question_keeps_terms_from_all_of_it() -> None:
    terms = parse_query(" ".join(f"word{i}" for i in range(2000))).terms
    assert len(terms) == MAX_TERMS
    assert terms[0] == '"word0"'
    assert terms[-1] == '"word1968"'


@pytest.mark.parametrize("text", OPERATORS)
def test_every_operator_of_fts5_is_harmless(lexicon: apsw.Connection, text: str) -> None:
    """F22."""
    match = parse_query(text).match or '"x"'
    assert lexicon.execute("SELECT count(*) FROM t WHERE t MATCH ?", (match,)).get == 0


@pytest.mark.parametrize("sign", [chr(i) for i in range(128)])
def test_every_ascii_sign_in_every_place_is_harmless(lexicon: apsw.Connection, sign: str) -> None:
    """F22: alone, doubled, before, inside, behind and between words."""
    for text in (sign, sign * 2, f"{sign}oven", f"ov{sign}en", f"oven{sign}", f"oven {sign} door"):
        match = parse_query(text).match or '"x"'
        assert lexicon.execute("SELECT count(*) FROM t WHERE t MATCH ?", (match,)).get == 0


@given(st.text(st.characters(codec=None), max_size=300))
@settings(deadline=None, max_examples=500)
def test_any_text_is_a_valid_question(lexicon: apsw.Connection, text: str) -> None:
    """I24, lone surrogates included."""
    match = parse_query(text).match or '"x"'
    assert lexicon.execute("SELECT count(*) FROM t WHERE t MATCH ?", (match,)).get == 0


@pytest.mark.parametrize("text", ["\u201c" * 100_000, "\ufdfa" * 100_000, "a# " * 33_000, '"' * 100_000])
def test_a_hostile_question_is_read_quickly(text: str) -> None:
    """F22, T14: processor time, so that other work on the machine does not count."""
    began = time.process_time()
    parse_query(text)
    assert time.process_time() - began < 5.0


@pytest.mark.parametrize("unit", ["word ", "图书馆的", "don't-", '"', "a.b.c ", "\u202e", "c++ "])
def test_reading_grows_no_faster_than_the_question(unit: str) -> None:
    """T14: four times the text costs far less than sixteen times the time."""

    def cost(n_chars: int) -> float:
        text = (unit * n_chars)[:n_chars]
        runs = []
        for _ in range(3):
            began = time.process_time()
            parse_query(text)
            runs.append(time.process_time() - began)
        return min(runs)

    assert cost(80_000) < 10 * max(cost(20_000), 0.001)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("which port", "en"),
        ("¿dónde está?", "en"),
        ("黑豹队的防守", "zh"),
        ("Redis 的端口是什么", "zh"),
        ("データベースの場所", "ja"),
        ("데이터베이스 비밀번호", "ko"),
        ("где порт", ""),
        ("5432", "en"),
        ("", "en"),
    ],
)
def test_the_letters_of_a_question_point_to_its_language(text: str, language: str) -> None:
    assert guess_language(text) == language
