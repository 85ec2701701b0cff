"""Which block rules are tried on a note: leaving out those that cannot apply must never show."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.vault.block_rules import NEEDED, markdown_blocks, parse_blocks
from clawvault.vault.plain_blocks import settle_blocks
from clawvault.vault.simple_blocks import simple_blocks

PIECES = (
    "# ", "## ", "#", "> ", ">", "- ", "* ", "+ ", "1. ", "12) ", "-", "```", "~~~", "---", "***", "_ _ _", "===", "=",
    "    ", "\t", "  ", " ", "<div>", "<!-- x -->", "<b>", "| a | b |", "|---|---|", "|", ":-:", "word", "two words",
    "\\", "[a]: /b", "中文", "\u00a0", "\x0b", "0", "",
)  # fmt: skip
LINES = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)
TEXTS = st.lists(LINES, max_size=12).map("\n".join)


@given(TEXTS)
@settings(deadline=None, max_examples=300)
def test_rules_that_cannot_apply_change_nothing(text: str) -> None:
    every = [token.as_dict() for token in parse_blocks(text, frozenset(NEEDED))]
    assert [token.as_dict() for token in parse_blocks(text)] == every


def test_plain_prose_is_read_with_no_rule_but_that_of_paragraphs() -> None:
    assert [rule for rule, finds in NEEDED.items() if finds("Prose, and nothing else.\n\nMore of it.\n")] == []


PLAIN_PIECES = (
    "# ", "## ", "###### x", "####### x", "#", " ##  ", " ", "   ", "    ", "\t", "```", "````", "~~~", "`", "``` a`b",
    "```js", "```|", "text", "*em* a", "**b**", "_x_", "1x", "\x0b", "\u00a0", "\\", ":", "é", "",
)  # fmt: skip
PLAIN_LINES = st.lists(st.lists(st.sampled_from(PLAIN_PIECES), max_size=3).map("".join), max_size=12)


@given(st.one_of(PLAIN_LINES, TEXTS.map(lambda text: text.split("\n"))))
@settings(deadline=None, max_examples=500)
def test_a_note_read_the_short_way_has_the_blocks_of_the_long_way(body: list[str]) -> None:
    found = simple_blocks(body)
    assert found is None or (settle_blocks(found[0], body), found[1]) == markdown_blocks(body)


def test_headings_fences_and_paragraphs_are_read_the_short_way() -> None:
    body = ["# A", "text", "more", "", "```js", "- not a list", "> nor a quote", "```", "## B ##"]
    found = simple_blocks(body)
    assert found is not None
    assert [(block.kind, block.line_start, block.line_end, block.title) for block in found[0]] == [
        ("heading", 1, 1, "A"),
        ("paragraph", 2, 3, ""),
        ("fence", 5, 8, ""),
        ("heading", 9, 9, "B"),
    ]
    assert found[1] == {5, 6, 7, 8}


def test_a_fence_that_opens_like_the_head_of_a_table_is_read_the_long_way() -> None:
    assert simple_blocks(["```|", ":-"]) is None


def test_a_list_is_read_the_long_way() -> None:
    assert simple_blocks(["text", "- item"]) is None
