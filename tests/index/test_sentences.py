"""Where the sentences of a passage are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clawvault.index.sentences import split_sentences


def pieces(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in split_sentences(text)]


def test_each_sentence_of_a_paragraph_is_a_piece() -> None:
    assert pieces("The backups move to the new server. Mira writes the script for the change.") == [
        "The backups move to the new server.",
        "Mira writes the script for the change.",
    ]


def test_each_line_of_a_conversation_is_a_piece() -> None:
    assert pieces("Ann: I went to the lake on Saturday\nBob: and I stayed at home and read a book") == [
        "Ann: I went to the lake on Saturday",
        "Bob: and I stayed at home and read a book",
    ]


def test_a_short_piece_joins_what_follows() -> None:
    assert pieces("No. That was not what we agreed upon in March.") == [
        "No. That was not what we agreed upon in March."
    ]


def test_a_short_end_joins_what_came_before() -> None:
    assert pieces("The backups move to the new server on Monday. Done.") == [
        "The backups move to the new server on Monday. Done."
    ]


def test_chinese_sentences_end_without_a_space() -> None:
    assert pieces("备份会在星期一搬到新的服务器上去。脚本由小王在星期五之前写好。") == [
        "备份会在星期一搬到新的服务器上去。",
        "脚本由小王在星期五之前写好。",
    ]


def test_a_blank_text_has_no_pieces() -> None:
    assert split_sentences(" \n ") == []


@given(st.text())
def test_pieces_follow_each_other_and_hold_all_but_white_space(text: str) -> None:
    spans = split_sentences(text)
    ends = [0, *(end for _, end in spans)]
    assert [start for start, _ in spans] == ends[:-1]
    assert text[ends[-1] :].strip() == ""
    assert all(text[start:end].strip() for start, end in spans)
