"""The one line that shows why a passage is a hit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.search.hits.snippet import SNIPPET_CHARS, find_snippet, make_snippet


def test_the_line_with_most_of_the_question_is_shown() -> None:
    assert make_snippet("# Notes\n\n- tea at four\n- the port is 5432\n", "which port") == "the port is 5432"


def test_common_words_do_not_choose_the_line() -> None:
    text = "What is there to do when there is time\n\nThe go-live date is 15 January\n"
    assert make_snippet(text, "when does it go live") == "The go-live date is 15 January"


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("don't", "I don't want Kafka"),
        ("don’t", "I don't want Kafka"),
        ("🎉", "we shipped it 🎉 at last"),
        ("C++", "the engine is in C++ now"),
        ("it is what it is", "well, it is what it is"),
        ("v3.14.2", "release v3.14.2 is out"),
        ("(what) port?", "the port is open"),
    ],
)
def test_signs_and_common_words_choose_the_line_where_they_are_asked_for(query: str, line: str) -> None:
    text = f"Decided on a car, a lot and what next\n\nv3 2 3.14 of it is old\n\n{line}\n"
    assert make_snippet(text, query) == line


def test_where_no_word_chooses_the_part_that_answers_best_does() -> None:
    text = "Tea at four.\n\nIt listens there.\n\nCoffee at nine.\n"
    assert make_snippet(text, "on what port is it reached") == "Tea at four."
    assert make_snippet(text, "on what port is it reached", "It listens there.") == "It listens there."


@pytest.mark.parametrize(
    ("text", "snippet", "place"),
    [("- tea\n- the port\n", "the port", 8), ("x " * 200, "…x x x…", 0), ("a\tb", "a b", 0), ("a", "", 0)],
)
def test_a_snippet_is_found_in_its_text(text: str, snippet: str, place: int) -> None:
    assert find_snippet(text, snippet) == place


def test_what_stands_below_a_heading_is_shown_instead_of_it() -> None:
    assert make_snippet("## Deadline\n\nFriday at noon\n", "deadline") == "Friday at noon"


def test_a_long_line_is_cut_around_the_first_match() -> None:
    line = "x " * 200 + "the heron stands here " + "y " * 200
    snippet = make_snippet(line, "heron")
    assert "heron" in snippet
    assert snippet.startswith("…")
    assert snippet.endswith("…")


def test_control_and_direction_signs_are_left_out() -> None:
    """T19."""
    assert make_snippet("a\x1b[31mred\u202e port", "port") == "a[31mred port"


def test_an_empty_passage_has_an_empty_snippet() -> None:
    assert make_snippet("\n \n", "x") == ""


@given(st.text(max_size=2000), st.text(max_size=50))
@settings(deadline=None)
def test_a_snippet_is_one_short_line(text: str, query: str) -> None:
    snippet = make_snippet(text, query)
    assert len(snippet) <= SNIPPET_CHARS + 2
    assert "\n" not in snippet
