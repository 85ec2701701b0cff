"""Blocks told from one line at a time (pure): the reading of a note that would make full block rules slow.

It knows headings, fences, rules, quotes, tables and the items of a list with what is indented below them. Each
line is looked at once, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MAX_MARK_LINE = 20_000
FENCE = re.compile(r"[ \t]*(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)", re.DOTALL)
ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?", re.DOTALL)
ITEM = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]{1,4}|$)")
RULE_SIGNS = ("*", "-", "_")
DRAWING_INFO = "compressed-json"


class Block(NamedTuple):
    """One block of a note.

    Attributes:
        kind: ``heading``, ``paragraph``, ``list_item``, ``table``, ``fence``, ``quote``, ``html``,
            ``drawing``, ``front_matter`` or ``rule``.
        line_start: 1-based, of the note.
        line_end: Inclusive; never a blank line.
        level: 1 to 6 for a heading, 1 for an item of a list, else 0.
        title: Text of a heading, else empty.
    """

    kind: str
    line_start: int
    line_end: int
    level: int = 0
    title: str = ""


def settle_blocks(found: Sequence[Block], body: Sequence[str]) -> list[Block]:
    """Cut blank lines off the ends of blocks, keep blocks apart, and make text between them a paragraph.

    Args:
        found: Blocks in order, numbered from 1.
        body: The lines they are numbered by.
    """
    blocks: list[Block] = []
    done = 0
    for block in found:
        start, end = max(block.line_start, done + 1), min(block.line_end, len(body))
        while end >= start and _blank(body[end - 1]):
            end -= 1
        while start <= end and _blank(body[start - 1]):
            start += 1
        if start > end:
            continue
        blocks.extend(_paragraphs(body, done + 1, start - 1))
        kept = (start, end) == (block.line_start, block.line_end)
        blocks.append(block if kept else Block(block.kind, start, end, block.level, block.title))
        done = end
    blocks.extend(_paragraphs(body, done + 1, len(body)))
    return blocks


def _blank(line: str) -> bool:
    return not line or line.isspace()


def _paragraphs(body: Sequence[str], first: int, last: int) -> Iterator[Block]:
    start = 0
    for number in range(first, last + 1):
        if _blank(body[number - 1]):
            if start:
                yield Block("paragraph", start, number - 1)
            start = 0
        elif not start:
            start = number
    if start:
        yield Block("paragraph", start, last)


def plain_blocks(body: Sequence[str]) -> tuple[list[Block], set[int]]:
    """Split lines into blocks by what each line starts with.

    Returns:
        Blocks numbered from 1, and the lines that are in a fence.
    """
    found: list[Block] = []
    code: set[int] = set()
    number = 1
    while number <= len(body):
        if _blank(body[number - 1]):
            number += 1
            continue
        block = _block_at(body, number, code)
        found.append(block)
        number = block.line_end + 1
    return found, code


def _block_at(body: Sequence[str], number: int, code: set[int]) -> Block:
    line = body[number - 1]
    start = line.lstrip(" ")[:1]
    if start in "`~" and (fence := FENCE.match(line)):
        end = _last_text(body, _fence_end(body, number, fence[1]))
        code.update(range(number, end + 1))
        return Block("drawing" if fence[2].startswith(DRAWING_INFO) else "fence", number, end)
    if start == "#" and len(line) < MAX_MARK_LINE and (heading := ATX.fullmatch(line)):
        return Block("heading", number, number, len(heading[1]), (heading[2] or "").rstrip("# \t"))
    if _is_rule(line):
        return Block("rule", number, number)
    if start == ">" or start == "|":
        return Block("quote" if start == ">" else "table", number, _run_end(body, number, start))
    item = ITEM.match(line)
    if item:
        return Block("list_item", number, _item_end(body, number, item.end(), code), 1)
    return _paragraph_at(body, number)


def _paragraph_at(body: Sequence[str], number: int) -> Block:
    end = number
    while end < len(body):
        following = body[end]
        if _blank(following):
            break
        underline = following.strip()
        if underline[0] in "=-" and not underline.strip(underline[0]):
            title = " ".join(line.strip() for line in body[number - 1 : end])
            return Block("heading", number, end + 1, 1 if underline[0] == "=" else 2, title)
        if _starts_block(following):
            break
        end += 1
    return Block("paragraph", number, end)


def _is_rule(line: str) -> bool:
    signs = line.replace(" ", "").replace("\t", "") if line.lstrip(" ")[:1] in RULE_SIGNS else ""
    return len(signs) >= 3 and not signs.strip(signs[0])


def _starts_block(line: str) -> bool:
    start = line.lstrip(" ")[:1]
    if start in ">|":
        return True
    if start == "#":
        return len(line) < MAX_MARK_LINE and ATX.fullmatch(line) is not None
    if start in "`~":
        return FENCE.match(line) is not None
    return _is_rule(line) or ITEM.match(line) is not None


def _run_end(body: Sequence[str], start: int, sign: str) -> int:
    end = start
    while end < len(body):
        line = body[end]
        lazy = sign == ">" and not _blank(line) and not _starts_block(line)
        if not lazy and not line.lstrip(" ").startswith(sign):
            break
        end += 1
    return end


def _item_end(body: Sequence[str], start: int, indent: int, code: set[int]) -> int:
    """Find the last line of a list item: what follows is indented as far as its text, or goes on without a gap."""
    end = start
    gap = False
    while end < len(body):
        line = body[end]
        if _blank(line):
            gap = True
            end += 1
            continue
        inside = _indent(line) >= min(indent, 4)
        if not inside and (gap or _starts_block(line)):
            break
        gap = False
        end += 1
        fence = FENCE.match(line) if inside and line.lstrip()[:1] in "`~" else None
        if fence:
            closing = _fence_end(body, end, fence[1], indent)
            code.update(range(end, closing + 1))
            end = closing
    return _last_text(body, end)


def _last_text(body: Sequence[str], end: int) -> int:
    while _blank(body[end - 1]):
        end -= 1
    return end


def _indent(line: str) -> int:
    spaces = len(line) - len(line.lstrip(" "))
    return 4 if line[spaces : spaces + 1] == "\t" else spaces


def _fence_end(body: Sequence[str], start: int, mark: str, indent: int = 0) -> int:
    for number in range(start + 1, len(body) + 1):
        line = body[number - 1]
        if indent and not _blank(line) and _indent(line) < min(indent, 4):
            return number - 1
        shown = line.strip(" \t")
        if shown.startswith(mark) and not shown.strip(mark[0]):
            return number
    return len(body)
