"""A long note is read window by window: that must never show but in the work it takes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.vault import block_windows
from clawvault.vault.block_rules import cheap_blocks, markdown_blocks, read_blocks
from clawvault.vault.block_windows import Reader, read_in_windows
from clawvault.vault.plain_blocks import Block, plain_blocks

PIECES = (
    "text", "- item", "  more", "    code", "\tx", "", "", " ", "# H", "## H2 #", "```", "~~~", "````x", "| a | b |",
    "|---|---|", "---", "===", "***", "* * *", "> q", "> - x", "> ```", ">", "1. one", "2) two", "-", "*", "-   ",
    "  - in", "    - deep", "- - z", "- # h", "- ```", "- ---", "- | -", "- a | b", "  --|--", "<div>", "</div>",
    "<!--", "-->", "<pre>", "</pre>", "<?php", "?>", "[a]: b", "a | b", "a\\", "\x0c", "\u3000",
)  # fmt: skip
BODIES = st.lists(st.sampled_from(PIECES), max_size=40)
HERONS = [f"- The heron {number} stands in the river." for number in range(2000)]


def counted(read: Reader) -> tuple[Reader, list[int]]:
    """Return a reader of its own, and where it notes how many lines it was given."""
    counts: list[int] = []

    def reader(lines: Sequence[str]) -> tuple[list[Block], set[int]]:
        counts.append(len(lines))
        return read(lines)

    return reader, counts


@pytest.mark.parametrize("read", [markdown_blocks, cheap_blocks, plain_blocks])
@given(body=BODIES, window=st.integers(1, 12))
@settings(deadline=None, max_examples=400)
def test_windows_of_any_size_come_to_the_blocks_of_the_whole(read: Reader, body: list[str], window: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_windows, "WINDOW_LINES", window)
        assert read_in_windows(body, 1, read) == read(body)


@given(parts=st.lists(BODIES, min_size=2, max_size=5))
@settings(deadline=None, max_examples=200)
def test_a_note_that_grows_has_the_blocks_of_one_written_at_once(parts: list[list[str]]) -> None:
    """What is remembered of the shorter note is never taken for what the longer one says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_windows, "WINDOW_LINES", 4)
        body: list[str] = []
        for part in parts:
            body += part
            assert read_in_windows(body, 1, cheap_blocks) == markdown_blocks(body)


def test_a_line_at_the_end_of_a_long_note_has_few_lines_read() -> None:
    reader, counts = counted(cheap_blocks)
    read_in_windows(HERONS, 1, reader)
    assert sum(counts) >= 2000
    counts.clear()
    read_in_windows([*HERONS, "- One more."], 1, reader)
    assert sum(counts) <= 64


def test_each_line_of_a_long_note_is_read_about_once() -> None:
    reader, counts = counted(cheap_blocks)
    read_in_windows(HERONS, 1, reader)
    assert sum(counts) <= 1.1 * len(HERONS)


def test_a_fence_of_many_windows_is_one_block() -> None:
    body = ["# Log", "```", *HERONS, "```", "the end"]
    blocks, code = read_in_windows(body, 1, cheap_blocks)
    assert [(block.kind, block.line_start, block.line_end) for block in blocks] == [
        ("heading", 1, 1),
        ("fence", 2, 2003),
        ("paragraph", 2004, 2004),
    ]
    assert code == set(range(2, 2004))


def test_an_item_that_could_be_the_head_of_a_table_stays_one() -> None:
    body = ["- item"] * 63 + ["- a | b", "  --|--", "- item"]
    assert {block.kind for block in read_in_windows(body, 1, markdown_blocks)[0]} == {"list_item"}


def test_blocks_of_windows_are_numbered_by_the_lines_of_the_note() -> None:
    lines = ["---", "title: Log", "---", *HERONS]
    blocks = read_blocks(lines, 4).blocks
    assert [(block.kind, block.line_start, block.line_end) for block in (blocks[0], blocks[1], blocks[-1])] == [
        ("front_matter", 1, 3),
        ("list_item", 4, 4),
        ("list_item", 2003, 2003),
    ]
