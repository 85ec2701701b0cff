"""Which block rules are tried on a note: leaving out those that cannot apply must never show."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.vault.block_rules import NEEDED, parse_blocks

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
