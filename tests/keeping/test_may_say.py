"""A note is read for lines like a fact only where its words allow one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clawvault.keeping.likeness as likeness_module
import clawvault.vault.markdown as markdown
from clawvault.keeping.likeness import NEARLY, find_alike, likeness, plain

FACT = "The port of the staging database is 5434."
WORDS = st.sampled_from(
    ["port", "staging", "database", "the", "5434", "5435", "a_b", "a", "b", "Café", "数据库", "x<!--y-->z", "ﬁne"]
)
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=4)


def test_the_blocks_of_a_note_about_something_else_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise AssertionError

    monkeypatch.setattr(markdown, "parse_note", refuse)
    assert find_alike("# Garden\n\n- The staging of the roses is done.\n", FACT) is None


@settings(deadline=None)
@given(LINES, LINES)
def test_what_a_note_says_is_found_as_if_each_line_were_compared(lines: list[str], facts: list[str]) -> None:
    text = "".join(f"- {line}\n" for line in lines)
    said = [line.replace("<!--y-->", "") for line in lines]
    best = max(likeness(line, facts[0]) for line in said)
    assert (find_alike(text, facts[0]) is not None) == (best >= NEARLY)


def test_a_note_without_the_words_of_a_fact_is_not_taken_apart_into_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be thousands of notes for one fact."""
    read: list[str] = []

    def read_plain(text: str) -> str:
        read.append(text)
        return plain(text)

    monkeypatch.setattr(likeness_module, "plain", read_plain)
    fact = "The heron at the river is named Wilma."
    assert [find_alike(f"# Garden {n}\n\n- The roses stand by the gate.\n", fact) for n in range(3)] == [None] * 3
    assert read == [fact]
