"""Text made to be slow: every parser takes time in proportion to length, whatever is in it."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable

import pytest

from clawvault.vault.markdown import parse_note
from clawvault.vault.note_file import CONFLICT

SIZE = 100_000
# The promise is 200 ms for 100 kB on a machine of today. What grows with the square takes many times as long.
ALLOWED_S = 1.0
# Processor time is compared, and even that is longer now and then on a busy machine.
TRIES = 3


def repeated(piece: str, size: int = SIZE) -> str:
    return (piece * (size // len(piece) + 1))[:size]


PIECES = [
    *(">", "> ", ">" * 20 + "\n", "> " * 11 + "a\n", "- ", "-", "- " * 11 + "a\n", "- " * 3 + "a\n", "*", "*_", "+ "),
    *("1. ", "1) a\n", "999999999. a\n", "- a\n", "- a\n  - b\n    - c\n", "- > ", "> - a\n>\n", "- a\n\n\n\n"),
    *("[[", "[[\n", "[[a]]", "[[a|", "](", "[a](b.md)", "[a](", "![[", "[a]: b\n", "[a\n", "!", "\\"),
    *("`", "`\n", "`a", "``` \n", "```\na\n", "~~~ a\n", "~", "$", "$$\n", "%%", "%%\n"),
    *("|", "|a", "|a|\n", "a|b\n-|-\n", "|" + "a|" * 300 + "\n", "|-"),
    *("#", "# ", "# a\n", "#a ", "#a/", " #", "#" * 99 + "\n", "a\n===\n", "a\n", "===\n", "---\n", "* * *\n"),
    *("<div>\n", "<!--\n", "<!-- ", "<!-- pin", "<?\n\n", "<a ", '<a b="c" ', "</", "<![CDATA[\n", "<x\n\n"),
    *(" ", "\t", "\n", "\r", "\r\n", "a\r\n", "\0", " \n", "\t- a\n", ">\ta\n", "     a\n\n", "\u2028", "\u200b"),
    *(" ^a", "a ^a\n", "^", "&amp;", "a_b*", "a", "a ", "中", "\U0001f600", "e\u0301", "\u202e", "http://a.b/#c "),
    *("---\na: b\n", "a: &a [*a]\n", "{a: ", "? ", "'", '"', "@", "conflicted copy (", "2026-01-01 "),
]


def seconds(work: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    work(text)
    return time.process_time() - started


def is_quick(work: Callable[[str], object], text: str) -> bool:
    return any(seconds(work, text) < ALLOWED_S for _ in range(TRIES))


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_a_hundred_kilobytes_of_anything_are_parsed_in_time(piece: str) -> None:
    """B073, T14, F21: alone, after a heading, as front matter, in a list item."""
    for before, after in (("", ""), ("# ", ""), ("---\n", "\n---\nx"), ("- ", "x")):
        assert is_quick(parse_note, before + repeated(piece) + after)


SHAPED = {
    "backticks of every length": "".join("`" * n + " " for n in range(450)),
    "fences of every length": "".join("`" * n + "\n" for n in range(3, 440)),
    "a table of 10,000 columns": "|" + "a|" * 10_000 + "\n|" + "-|" * 10_000 + "\n|" + "b|" * 10_000 + "\n",
    "a wide table with short rows": "|" + "a|" * 300 + "\n|" + "-|" * 300 + "\n" + repeated("b\n"),
    "a cell of 21,000 characters": "|a|\n|-|\n|" + "x" * 21_000 + "|\n",
    "a list that goes deeper": "".join(" " * (2 * n) + "- a\n" for n in range(310)),
    "lazy lines below a deep quote": "> " * 10 + "a\n" + repeated("a\n"),
    "lazy lines below a deep list": "- " * 10 + "a\n" + repeated("a\n"),
    "a quote in a list in a quote": repeated("> - " * 5 + "a\n"),
    "spaces and one letter": " " * 40_000 + "x",
    "a rule that is none": "*" * 90_000 + "x",
    "a heading with closing marks": "# a" + " #" * 50_000,
    "one link after many openings": "[[" * 50_000 + "]]",
    "one closing bracket at the end": "](" * 50_000 + ")",
    "links in a heading": "# " + "[[a|b]]" * 14_000,
    "front matter of one huge text": "---\na: '" + "b\n\n" * 20_000 + "'\n---\n",
    "no end of the front matter": "---\n" + "--- x\n" * 16_000,
}


@pytest.mark.parametrize("name", SHAPED)
def test_text_of_a_hostile_shape_is_parsed_in_time(name: str) -> None:
    """B063, B073."""
    assert is_quick(parse_note, SHAPED[name])


def test_random_hostile_notes_are_parsed_in_time() -> None:
    """F21 (500)."""
    chance = random.Random(73)
    slow = []
    for _ in range(500):
        pieces = chance.choices(PIECES, k=chance.randint(2, 12))
        text = "".join(chance.choices(pieces, k=2000))[:10_000]
        if not is_quick(parse_note, text):
            slow.append(pieces)
    assert slow == []


@pytest.mark.parametrize("piece", ["(", "(conflicted", "_conflict-", "[(", ".sync-conflict-2026", "(a"], ids=ascii)
def test_the_pattern_of_conflict_copies_grows_with_the_name(piece: str) -> None:
    """T14: a name has at most 255 bytes; this is far longer."""
    assert is_quick(re.compile(CONFLICT).search, repeated(piece, 4000))


def test_a_note_of_a_million_links_keeps_a_bounded_number_and_says_so() -> None:
    """T15: 1 M links, 100,000 tags."""
    parsed = parse_note("[[a]]\n" * 1_000_000)
    assert len(parsed.links) == 10_000
    assert parsed.warnings == ("tags, links and block ids after the first 10000 are passed over",)
    assert len(parse_note("".join(f"#t{n}\n" for n in range(100_000))).tags) == 10_000


def test_a_drawing_of_five_megabytes_is_parsed_in_time() -> None:
    """B075: time for a note is bounded, and its data is marked."""
    text = (
        "---\nexcalidraw-plugin: parsed\n---\nhello\n## Drawing\n```compressed-json\n"
        + "N4IgLgngDgpiBcIYA8\n" * 260_000
    )
    started = time.process_time()
    blocks = parse_note(text + "```\n").blocks
    assert time.process_time() - started < 12
    assert [block.kind for block in blocks] == ["front_matter", "paragraph", "drawing", "drawing"]
