"""The shape of a note: blocks, headings, tags, links (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from clawvault.vault.block_rules import read_blocks
from clawvault.vault.front_matter import parse_front_matter
from clawvault.vault.heading_names import fold_heading
from clawvault.vault.inline_marks import MAX_MARKS, Link, front_matter_links, plain_title, scan_lines
from clawvault.vault.plain_blocks import Block

__all__ = ["Block", "Link", "ParsedNote", "fold_heading", "parse_note"]

TOO_MANY_MARKS = f"tags, links and block ids after the first {MAX_MARKS} are passed over"


@dataclass(frozen=True)
class ParsedNote:
    """Everything the text of a note says about its structure.

    Attributes:
        title: Of the front matter, else of the first level-1 heading, else empty.
        front_matter: What the YAML at the top says; empty when there is none or it cannot be read.
        warnings: What a person should mend, one sentence each.
        body_line: 1-based number of the first line after the front matter.
        blocks: In order, without overlap; each line that is not blank is in exactly one of them.
        tags: Without ``#``, in order of appearance, each once.
        aliases: Other names of the note, from the front matter.
        links: To other notes, in order.
        block_ids: Each ``^id`` with its 1-based line.
        pinned_lines: 1-based lines that carry an inline pin.
    """

    title: str
    front_matter: Mapping[str, object]
    warnings: tuple[str, ...]
    body_line: int
    blocks: tuple[Block, ...]
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    links: tuple[Link, ...]
    block_ids: tuple[tuple[str, int], ...]
    pinned_lines: tuple[int, ...]


def parse_note(text: str) -> ParsedNote:
    """Read the structure of a note; never fails.

    Args:
        text: The whole note with its own line ends.

    Cost: linear in the length of the text, whatever is in it (B073, T14).
    Source: B053, B067, B075, B077, B079.
    """
    front_matter, warning, body_line = parse_front_matter(text)
    lines = text.split("\n")
    reading = read_blocks(lines, body_line, drawing="excalidraw-plugin" in front_matter)
    marks = scan_lines(lines, body_line, reading.code_lines)
    blocks = tuple(_titled(block) if block.title else block for block in reading.blocks)
    heading = next((block.title for block in blocks if block.kind == "heading" and block.level == 1), "")
    named = front_matter.get("title")
    return ParsedNote(
        title=str(named).strip() if isinstance(named, (str, int, float)) and str(named).strip() else heading,
        front_matter=front_matter,
        warnings=tuple(said for said in (warning, TOO_MANY_MARKS if marks.full else "") if said),
        body_line=body_line,
        blocks=blocks,
        tags=tuple(dict.fromkeys([*_words(front_matter, "tags", "tag"), *marks.tags])),
        aliases=tuple(dict.fromkeys(_names(front_matter, "aliases", "alias"))),
        links=(*front_matter_links(lines, body_line), *marks.links),
        block_ids=tuple(marks.block_ids),
        pinned_lines=tuple(marks.pinned_lines),
    )


def _titled(block: Block) -> Block:
    title = plain_title(block.title)
    return block if title == block.title else block._replace(title=title)


def _names(front_matter: Mapping[str, object], *keys: str) -> list[str]:
    found: list[str] = []
    for key in keys:
        value = front_matter.get(key)
        if isinstance(value, str):
            found.extend(value.split(","))
        elif isinstance(value, list):
            found.extend(str(item) for item in value if isinstance(item, (str, int, float)))
    return [name.strip() for name in found if name.strip()]


def _words(front_matter: Mapping[str, object], *keys: str) -> list[str]:
    return [word.lstrip("#") for name in _names(front_matter, *keys) for word in name.split() if word.strip("#")]
