"""The blocks, marks and links of a note."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.vault.block_rules import read_blocks
from clawvault.vault.markdown import Block, Link, fold_heading, parse_note
from clawvault.vault.plain_blocks import plain_blocks

NOTE = """\
---
title: Servers
tags: [infra, home/lab]
aliases: machines
---
# Servers **and** `disks` ^top

A paragraph with #idea
on two lines.

- one
  - nested

    more of one
- two
1. first

> [!note] A callout
> ```
> #not-a-tag
> ```
> text
lazy

| a | b |
|---|---|
| 1 | 2 |

Set
ext
---

````md
```
# no heading
```
````

    indented code

***

<div>
html
</div>
"""
NOTE_BLOCKS = [
    ("front_matter", 1, 5, 0, ""),
    ("heading", 6, 6, 1, "Servers and disks"),
    ("paragraph", 8, 9, 0, ""),
    ("list_item", 11, 14, 1, ""),
    ("list_item", 15, 15, 1, ""),
    ("list_item", 16, 16, 1, ""),
    ("quote", 18, 23, 0, ""),
    ("table", 25, 27, 0, ""),
    ("heading", 29, 31, 2, "Set ext"),
    ("fence", 33, 37, 0, ""),
    ("fence", 39, 39, 0, ""),
    ("rule", 41, 41, 0, ""),
    ("html", 43, 45, 0, ""),
]


def shape(blocks: tuple[Block, ...]) -> list[tuple[str, int, int, int, str]]:
    return [(block.kind, block.line_start, block.line_end, block.level, block.title) for block in blocks]


def test_a_note_is_split_into_its_blocks() -> None:
    assert shape(parse_note(NOTE).blocks) == NOTE_BLOCKS


def test_a_note_with_crlf_has_the_same_shape_as_with_lf() -> None:
    """B053."""
    assert parse_note(NOTE.replace("\n", "\r\n")) == parse_note(NOTE)


def test_title_tags_and_aliases_come_from_front_matter_and_text() -> None:
    parsed = parse_note(NOTE)
    assert (parsed.title, parsed.tags, parsed.aliases) == ("Servers", ("infra", "home/lab", "idea"), ("machines",))
    assert parsed.block_ids == (("top", 6),)
    assert parsed.body_line == 6


def test_without_a_title_the_first_heading_is_the_title() -> None:
    assert parse_note("## Small\n\n# Big\n\n# Second\n").title == "Big"
    assert parse_note("text").title == ""


def test_an_empty_note_has_no_blocks() -> None:
    assert parse_note("").blocks == ()
    assert parse_note("\n \n\t\n").blocks == ()
    assert shape(parse_note("---\na: b\n---\n").blocks) == [("front_matter", 1, 3, 0, "")]


def test_front_matter_that_cannot_be_read_leaves_the_body_readable() -> None:
    """B055."""
    parsed = parse_note('---\nsource: "A" (paper, list #1)\n---\n# Body\n')
    assert (parsed.front_matter, parsed.title, len(parsed.warnings)) == ({}, "Body", 1)


def test_an_alias_bomb_leaves_the_body_readable() -> None:
    """B061."""
    parsed = parse_note("---\na: &a [x]\nb: [*a, *a]\n---\n# Body\n")
    assert (parsed.front_matter, parsed.title) == ({}, "Body")


def test_a_comment_in_a_fence_is_no_heading_and_no_tag() -> None:
    """B067."""
    parsed = parse_note("# Real\n\n```sh\n# install\n#tag [[link]]\n```\n\n~~~\n```\n# x\n~~~\n\n# After\n")
    assert [block.title for block in parsed.blocks if block.kind == "heading"] == ["Real", "After"]
    assert (parsed.tags, parsed.links) == ((), ())


@pytest.mark.parametrize("opening", ["````", "~~~~", "``````"])
def test_a_longer_fence_is_not_closed_by_a_shorter_one(opening: str) -> None:
    """B067."""
    short = opening[0] * 3
    text = f"{opening}\n{short}\n# no\n{short}\n{opening}\n# yes\n"
    assert shape(parse_note(text).blocks) == [("fence", 1, 5, 0, ""), ("heading", 6, 6, 1, "yes")]


def test_a_heading_directly_followed_by_a_fence_keeps_the_note_whole() -> None:
    """B079."""
    text = "# t\n```\ncode\n```\nafter\n"
    assert shape(parse_note(text).blocks) == [
        ("heading", 1, 1, 1, "t"),
        ("fence", 2, 4, 0, ""),
        ("paragraph", 5, 5, 0, ""),
    ]


def test_a_fence_that_never_closes_goes_to_the_end() -> None:
    assert shape(parse_note("a\n```\nb\n\nc\n\n").blocks) == [("paragraph", 1, 1, 0, ""), ("fence", 2, 5, 0, "")]


def test_a_reference_definition_is_text() -> None:
    assert shape(parse_note("[a]: http://x\n[b]: http://y\n").blocks) == [("paragraph", 1, 2, 0, "")]


def test_only_a_line_feed_ends_a_line() -> None:
    parsed = parse_note("a\rb\x0bc\x0cd\u2028e\x85f\n# h\n")
    assert shape(parsed.blocks) == [("paragraph", 1, 1, 0, ""), ("heading", 2, 2, 1, "h")]


def test_a_drawing_keeps_its_text_and_marks_its_data() -> None:
    """B075."""
    text = (
        "---\nexcalidraw-plugin: parsed\n---\n# Excalidraw Data\n## Text Elements\nhello ^abc\n%%\n"
        "## Drawing\n```compressed-json\nN4Ig\n```\n%%\n"
    )
    assert shape(parse_note(text).blocks) == [
        ("front_matter", 1, 3, 0, ""),
        ("heading", 4, 4, 1, "Excalidraw Data"),
        ("heading", 5, 5, 2, "Text Elements"),
        ("paragraph", 6, 7, 0, ""),
        ("drawing", 8, 8, 0, ""),
        ("drawing", 9, 11, 0, ""),
        ("drawing", 12, 12, 0, ""),
    ]


def test_a_heading_called_drawing_is_a_heading_in_any_other_note() -> None:
    assert shape(parse_note("# Drawing\ntext\n").blocks)[0][0] == "heading"


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("#a #b-c, (#d/e) #日本", ("a", "b-c", "d/e", "日本")),
        ("#2026 #1/2 # #", ()),
        ("#y2026", ("y2026",)),
        ("a#b http://x/#frag &#35; C#", ()),
        ("`#code` #real ``#x ` #y``", ("real",)),
        ("\\#no", ()),
        ("#a #a", ("a",)),
        ("## #in-heading", ("in-heading",)),
        ("#a/", ("a",)),
        ("#a.#b", ("a",)),
        ("#" + "x" * 300, ()),
    ],
)
def test_a_tag_stands_alone_and_is_not_a_number(line: str, tags: tuple[str, ...]) -> None:
    assert parse_note(line).tags == tags


@pytest.mark.parametrize(
    ("line", "links"),
    [
        ("[[a]] [[b|alias]] ![[c]]", [("a", ""), ("b", ""), ("c", "")]),
        ("[[n#Heading]] [[n#^id]] [[#here]]", [("n", "Heading"), ("n", "^id"), ("", "here")]),
        ("| [[a\\|b]] |", [("a", "")]),
        ("[x](a.md) [y](../b/c%20d.md#H) [z](<e f.md>)", [("a.md", ""), ("../b/c d.md", "H"), ("e f.md", "")]),
        ('[x](a.md "title")', [("a.md", "")]),
        ("[x](http://h/a.md) [x](mailto:a.md) [x](/abs.md) [x](a.png) [x](#h) [x]()", []),
        ("`[[a]]` [[b", []),
        ("[[]] [[ ]]", []),
        ("[[[[a]]]]", [("a", "")]),
        ("[b](b.md) [[a]]", [("b.md", ""), ("a", "")]),
    ],
)
def test_links_to_notes_are_found(line: str, links: list[tuple[str, str]]) -> None:
    found = parse_note(f"text\n{line}\n").links
    assert list(found) == [Link(target, heading, 2) for target, heading in links]


def test_links_of_properties_count_with_their_lines() -> None:
    parsed = parse_note('---\nrelated:\n  - "[[Alpha|a]]"\n---\n[[b]]\n')
    assert parsed.links == (Link("Alpha", "", 3), Link("b", "", 5))


def test_a_block_id_stands_at_the_end_of_a_line() -> None:
    parsed = parse_note("para ^a1\n\n- item ^b-2 \n\n^alone\n\nno^id\n2 ^ 3\n^x y\n")
    assert parsed.block_ids == (("a1", 1), ("b-2", 3), ("alone", 5))


def test_a_pinned_line_carries_a_tag_or_a_comment() -> None:
    """L2."""
    parsed = parse_note("a #pin\nb\n<!-- pin -->\nc <!--pin-->\n`#pin`\n#pinned\n")
    assert parsed.pinned_lines == (1, 3, 4)


@pytest.mark.parametrize(
    ("heading", "link"),
    [("16:41", "16 41"), ("A: b | c", "a b c"), ("C# [x]", "c x"), ("Über  uns", "über uns"), ("50% ^off", "50 off")],
)
def test_a_heading_matches_the_form_obsidian_links_to(heading: str, link: str) -> None:
    """B077."""
    assert fold_heading(heading) == fold_heading(link)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("# **Bold** and *it*", "Bold and it"),
        ("# [link](x.md) and [[n|alias]]", "link and alias"),
        ("# ![[image.png]] x", "image.png x"),
        ("# C# and F# ##", "C# and F#"),
        ("# snake_case __strong__", "snake_case strong"),
        ("#", ""),
    ],
)
def test_a_title_has_no_marks(written: str, title: str) -> None:
    assert parse_note(written).title == title


LINES = st.lists(
    st.sampled_from(
        [
            *("", " ", "text", "  text", "    text", "\ttext", "# h", "## h ##", "===", "---", "***", "- a", "  - b"),
            *("1. x", "10) y", "> q", ">> q", "> - q", "```", "````", "~~~", "  ```", "| a | b |", "|---|---|"),
            *("<div>", "<!--", "-->", "[a]: b", "%%", "^id", "#tag", "[[x]]", "- [ ] task", "\r", "\0", "$$"),
        ]
    ),
    max_size=40,
)


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(deadline=None, max_examples=600)
def test_every_line_that_is_not_blank_is_in_exactly_one_block(lines: list[str], end: str, drawing: bool) -> None:
    text = ("---\nexcalidraw-plugin: x\n---\n" if drawing else "") + end.join(lines)
    covered = [n for b in parse_note(text).blocks for n in range(b.line_start, b.line_end + 1)]
    assert covered == sorted(set(covered))
    shown = {number for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    assert shown <= set(covered)


@given(LINES)
@settings(deadline=None, max_examples=300)
def test_the_plain_reading_covers_every_line_too(lines: list[str]) -> None:
    blocks, _ = plain_blocks(lines)
    covered = [n for b in blocks for n in range(b.line_start, b.line_end + 1)]
    assert covered == sorted(set(covered))
    assert {number for number, line in enumerate(lines, 1) if line.strip()} <= set(covered)


def test_the_plain_reading_agrees_on_an_ordinary_note() -> None:
    body = NOTE.replace("    indented code\n\n", "").replace("<div>\nhtml\n</div>\n", "").split("\n")[5:]
    full = read_blocks(body, 1).blocks
    assert tuple(plain_blocks(body)[0]) == full


@given(st.text(max_size=300))
@settings(deadline=None, max_examples=500)
def test_no_text_makes_the_parser_raise(text: str) -> None:
    """F21."""
    assert parse_note(text).body_line >= 1
