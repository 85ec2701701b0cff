"""The part of a note that promotion keeps."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.dream.promotion.memory_block import (
    BEGIN,
    END,
    Entry,
    add_lines,
    find_block,
    known_claims,
    place_entries,
    remove_lines,
)

DAY = date(2026, 3, 9)
BLOCK = f"{BEGIN}\n- one\n{END}\n"


def entry(text: str = "The port is 5433.", path: str = "memory/2026-03-04.md") -> Entry:
    return Entry("0123456789abcdef", text, path, 3, 4, DAY)


@pytest.mark.parametrize(
    "path",
    [
        "memory/2026-03-04.md",
        "a b/2026-03-04--x.md",
        "日记/2026-03-04.md",
        "x-->y/2026-03-04.md",
        "50% <b>/2026-03-04.md",
    ],
)
def test_a_comment_holds_any_path_and_ends_where_it_should(path: str) -> None:
    """B059."""
    line = entry(path=path).render()
    assert line.startswith("- The port is 5433. <!-- clawvault: ")
    assert line.endswith(":3-4 0123456789abcdef 2026-03-09 -->")
    assert line.count("--") == 2
    assert known_claims(line) == {"0123456789abcdef": path}


def test_marks_inside_code_are_no_block() -> None:
    assert find_block(f"```\n{BLOCK}```\n") is None
    assert find_block(f"# Memory\n\n{BLOCK}") == (2, 4)


def test_a_mark_without_its_other_is_no_block() -> None:
    assert find_block(f"{BEGIN}\n- one\n") is None
    assert find_block(f"- one\n{END}\n") is None
    assert find_block(f"{BEGIN}\n- torn\n{BLOCK}") == (2, 4)


def test_lines_come_last_in_the_block() -> None:
    assert add_lines(f"a\n{BLOCK}b\n", ["- two"], "Kept", "\n") == f"a\n{BEGIN}\n- one\n- two\n{END}\nb\n"


def test_nothing_to_add_changes_nothing() -> None:
    assert add_lines("a", [], "Kept", "\n") == "a"


def test_only_whole_lines_are_removed() -> None:
    text = f"- one\n{BEGIN}\n- one\n- one and more\n{END}\n"
    assert remove_lines(text, ["- one"]) == f"- one\n{BEGIN}\n- one and more\n{END}\n"


def test_the_last_that_fits_leaves_room_for_the_pointer() -> None:
    """L5, CS-28."""
    entries = [Entry(f"{n:016x}", f"Fact number {n}.", "memory/2026-03-04.md", n, n, DAY) for n in range(1, 10)]
    placing = place_entries("# Memory\n", entries, "Kept", limit=500)
    assert len(placing.memory) == 5
    assert placing.memory[-1] == "- Kept: [[topics/promoted-2026]]"
    assert placing.topics["topics/promoted-2026"][0].text == "Fact number 5."
    assert placing.unpointed == ()


@settings(deadline=None, max_examples=300)
@given(
    st.text(alphabet="ab#-` \r\n", max_size=60),
    st.sampled_from(["", BLOCK, BLOCK.replace("\n", "\r\n"), BEGIN + "\n", END + "\n"]),
    st.text(alphabet="ab#-` \n", max_size=60),
    st.sampled_from(["\n", "\r\n"]),
)
def test_adding_keeps_every_byte_and_taking_out_gives_them_back(
    before: str, block: str, after: str, newline: str
) -> None:
    """L15, I35: what a person wrote is there, in order, whatever it is."""
    text = before + block + after
    lines = ["- clawvault line one", "- clawvault line two"]
    added = add_lines(text, lines, "Kept", newline)
    place = find_block(added)
    assert place is not None or "`" in text
    was_there = find_block(text) is not None
    assert not was_there or remove_lines(added, lines) == text
    assert was_there or added.startswith(text)
