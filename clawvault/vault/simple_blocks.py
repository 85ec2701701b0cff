"""Blocks of a note that has nothing but headings, fences and paragraphs (pure).

Most notes are so, and for those the rules of CommonMark come down to how each line starts; the full rules take five
times as long to find out that none of the rest applies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it.common.utils import mdTrim

from clawvault.vault.plain_blocks import DRAWING_INFO, Block

HEADING = re.compile(r" {0,3}(#{1,6})((?:[ \t].*)?)\Z", re.DOTALL)
FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})", re.DOTALL)
INDENTED = re.compile(r" {4}| {0,3}\t")
# Containers, tables, HTML, rules and underlined headings, or what may be one of them.
OTHER = re.compile(r" {0,3}(?:[->+=|:<]|\*(?:[ \t*]|\Z)|_[ \t_]|[0-9]{1,9}[.)](?:[ \t]|\Z))")


def simple_blocks(body: Sequence[str]) -> tuple[list[Block], set[int]] | None:
    """Split lines into blocks as CommonMark does, or return ``None`` when that takes its full rules.

    Args:
        body: Lines without their ends.

    Returns:
        Blocks numbered from 1, in order, and the lines that are in a fence.
    """
    found: list[Block] = []
    code: set[int] = set()
    n_lines = len(body) - (1 if body and _blank(body[-1]) else 0)
    at = paragraph = 0
    while at < n_lines:
        line = body[at]
        if _blank(line):
            _end_paragraph(found, paragraph, at)
            paragraph = 0
        elif not (paragraph and INDENTED.match(line)):
            if INDENTED.match(line) or OTHER.match(line):
                return None
            block = _heading_at(line, at + 1) or _fence_at(body, at, n_lines, code)
            if block is not None:
                if "|" in line and block.line_end > at + 1:
                    return None  # What opens a fence may also be the head of a table, which comes first.
                _end_paragraph(found, paragraph, at)
                paragraph = 0
                found.append(block)
                at = block.line_end
                continue
            paragraph = paragraph or at + 1
        at += 1
    _end_paragraph(found, paragraph, n_lines)
    return found, code


def _blank(line: str) -> bool:
    return not line.strip(" \t")


def _end_paragraph(found: list[Block], first: int, last: int) -> None:
    if first:
        found.append(Block("paragraph", first, last))


def _heading_at(line: str, number: int) -> Block | None:
    heading = HEADING.match(line) if "#" in line[:4] else None
    if heading is None:
        return None
    title = heading[2].rstrip(" \t")
    unmarked = title.rstrip("#")
    if unmarked.endswith((" ", "\t")):
        title = unmarked
    return Block("heading", number, number, len(heading[1]), mdTrim(title))


def _fence_at(body: Sequence[str], at: int, n_lines: int, code: set[int]) -> Block | None:
    line = body[at]
    fence = FENCE.match(line) if line.lstrip(" ")[0] in "`~" else None
    if fence is None:
        return None
    mark = fence[1]
    end = at + 1
    while end < n_lines and not _closes(body[end], mark):
        end += 1
    end = min(end + 1, n_lines)
    code.update(range(at + 1, end + 1))
    drawing = line[fence.end() :].strip().startswith(DRAWING_INFO)
    return Block("drawing" if drawing else "fence", at + 1, end)


def _closes(line: str, mark: str) -> bool:
    shown = line.strip(" \t")
    return shown.startswith(mark) and not shown.strip(mark[0]) and INDENTED.match(line) is None
