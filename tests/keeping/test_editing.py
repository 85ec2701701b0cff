"""Changes of a text keep whatever they are not about: pure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clawvault.keeping.editing as editing
import clawvault.vault.markdown as markdown
from clawvault.keeping.editing import (
    append_entry,
    append_item,
    find_places,
    insert_under,
    replace_everywhere,
    replace_whole,
)
from clawvault.keeping.means import changed_lines

LINES = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=12), max_size=8)
ENDS = st.sampled_from(["\n", "\r\n"])


@given(lines=LINES, entry=st.text(min_size=1, max_size=30), newline=ENDS, ended=st.booleans())
def test_an_entry_is_never_glued_and_ends_with_one_line_end(
    lines: list[str], entry: str, newline: str, ended: bool
) -> None:
    """MN-54."""
    text = newline.join(lines) + newline * ended
    result = append_entry(text, entry, newline)
    assert result.startswith(text)
    rest = result[len(text) :].removeprefix("" if not text or text.endswith("\n") else newline)
    assert rest.endswith(newline)
    assert not rest.removesuffix(newline).endswith(("\n", "\r"))


def test_two_entries_are_two_lines() -> None:
    """MN-54."""
    assert append_entry("likes tea", "lives in Berlin", "\n") == "likes tea\nlives in Berlin\n"


def test_an_item_after_a_paragraph_is_set_apart() -> None:
    assert append_item("# Title\n", "- one", "\n") == "# Title\n\n- one\n"


def test_an_item_after_a_list_goes_on_with_it() -> None:
    assert append_item("# Title\r\n\r\n- one", "- two", "\r\n") == "# Title\r\n\r\n- one\r\n- two\r\n"


@given(before=st.text("ab\r\n", max_size=20), old=st.text("ab\n", min_size=1, max_size=4), after=st.text("ab\r\n"))
def test_a_text_is_found_where_it_stands(before: str, old: str, after: str) -> None:
    text = before + old + after
    places = find_places(text, old)
    assert all(text[start:end].replace("\r\n", "\n") == old for start, end in places)
    assert len(places) == text.replace("\r\n", "\n").count(old) or len(places) > 1


def test_line_ends_do_not_hinder_finding() -> None:
    assert find_places("x\r\na\r\nb\r\n", "a\nb") == [(3, 7)]


def test_places_that_overlap_are_two() -> None:
    assert find_places("aaa", "aa") == [(0, 2), (1, 3)]


def test_every_place_is_replaced_with_the_line_end_of_the_note() -> None:
    assert replace_everywhere("a\r\nb\r\n.a\r\nb", "a\nb", "c\nd", "\r\n") == "c\r\nd\r\n.c\r\nd"


def test_what_looks_like_an_expression_is_a_text() -> None:
    assert replace_everywhere(r"a.c abc \1", "a.c", r"\1", "\n") == r"\1 abc \1"


NOTE = "# Memory\n\nText.\n\n## Preferences\n\n- tea\n\n## Empty\n## Last\n\nA line"


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("preferences", NOTE.replace("- tea\n", "- tea\n- new\n")),
        ("empty", NOTE.replace("## Empty\n", "## Empty\n\n- new\n\n")),
        ("last", NOTE + "\n\n- new\n"),
        ("memory", NOTE.replace("Text.\n", "Text.\n\n- new\n")),
        ("missing", NOTE + "\n\n## Title\n\n- new\n"),
    ],
)
def test_an_item_goes_to_the_end_of_its_section(heading: str, expected: str) -> None:
    assert insert_under(NOTE, {heading}, "Title", "- new", "\n") == expected
    crlf = insert_under(NOTE.replace("\n", "\r\n"), {heading}, "Title", "- new", "\r\n")
    assert crlf == expected.replace("\n", "\r\n")


def test_a_heading_in_code_is_none() -> None:
    """B067."""
    text = "```\n## Facts\n```\n"
    assert insert_under(text, {"facts"}, "Facts", "- new", "\n") == text + "\n## Facts\n\n- new\n"


@given(lines=LINES, newline=ENDS, ended=st.booleans())
def test_a_note_written_as_it_was_read_is_the_same(lines: list[str], newline: str, ended: bool) -> None:
    text = newline.join(lines) + newline * ended
    assert replace_whole(text, text.replace("\r\n", "\n"), newline) == text


@given(old=st.text("ab\r\n", max_size=20), new=st.text("ab\n", min_size=1, max_size=20))
def test_a_whole_new_text_is_what_was_given_whatever_its_line_ends(old: str, new: str) -> None:
    old = old.replace("\r\n", "\0").replace("\r", "").replace("\0", "\r\n")
    result = replace_whole(old, new, "\r\n")
    ended = new if new.endswith("\n") or (old and not old.endswith("\n")) else new + "\n"
    assert result.replace("\r\n", "\n") == ended
    assert "\r" not in result.replace("\r\n", "")


def test_lines_that_stay_keep_their_line_ends_where_they_are_mixed() -> None:
    assert replace_whole("a\r\nb\nc\r\nd\n", "a\nX\nc\nd\n", "\r\n") == "a\r\nX\r\nc\r\nd\n"


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("", "a\n", (1, 1)),
        ("a\n", "a\nb\n", (2, 2)),
        ("a\nb\nc\n", "a\nX\nY\nc\n", (2, 3)),
        ("a\nb\nc\n", "a\nc\n", (2, 2)),
        ("a\nb\n", "a\n", (1, 1)),
        ("x\n", "x\nx\n", (2, 2)),
        ("a\n", "a\n\nb\n\n", (3, 4)),
        ("a\n", "a\n", (1, 1)),
    ],
)
def test_the_lines_that_changed_are_told(old: str, new: str, lines: tuple[int, int]) -> None:
    assert changed_lines(old, new) == lines


PIECES = st.sampled_from(
    (
        *("- a", "* b", "- - -", "- ", "---", "===", "a", "    ", "\t", "> ", "1. ", "\n", "\r\n", "\n\n", "# "),
        *("<div>", "<!--", "|", "```", "[x]: y", "\x0c", "\u2028", "14:05", "***", "~~~", "%%", "\\", "`"),
    )
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_what_seems_to_end_with_an_item_does(text: str) -> None:
    """An entry of the day is put where the parser would have it put, and mostly without it."""
    assert not (editing._ends_with_plain_item(text) and editing._ends_with_other(text))


def test_an_entry_below_those_of_the_day_needs_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """F24."""

    def refuse(_: str) -> None:
        raise AssertionError

    monkeypatch.setattr(markdown, "parse_note", refuse)
    text = "# 2026-03-09\n\n- 14:05 The heron came.\n"
    assert append_item(text, "- 14:06 It left.", "\n") == f"{text}- 14:06 It left.\n"
