"""Blocks of a long note, read a window of lines at a time (pure).

The rules look at a line and at what follows it, so a note can be read on from where a block begins as if nothing stood
above. A window is read alone, and the next one begins with its last block, which may go on below. What a window holds
is remembered: who adds to the end of a long note has its last window read, and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from clawvault.vault.plain_blocks import Block

# A window is read whole when a line is added to it, and one block of each is read twice.
WINDOW_LINES = 64
# Of notes of 30,000 lines together, and some ten megabytes.
MOST_WINDOWS = 512
MOST_CHARS = 16_000

# Returns blocks in order, numbered from 1, and the numbers of the lines that are code.
Reader = Callable[[Sequence[str]], tuple[list[Block], set[int]]]


def read_in_windows(body: Sequence[str], first: int, read: Reader) -> tuple[list[Block], set[int]]:
    """Return what ``read`` finds in lines, read window by window.

    Args:
        body: Lines without their ends.
        first: What the first of them is numbered.
        read: Always the same for the same lines.

    Returns:
        Blocks in order and the lines that are code, as of all lines at once.

    Cost: linear, and ``read`` is called for windows alone that were not read before.
    """
    blocks: list[Block] = []
    code: set[int] = set()
    at, size = 0, WINDOW_LINES
    while at + size < len(body):
        text = "\n".join(body[at : at + size])
        window = _read_window if len(text) <= MOST_CHARS else _read_window.__wrapped__
        found, marked, n_read = window(text, first + at, read)
        size = WINDOW_LINES if n_read else size * 2
        at += n_read
        blocks += found
        code |= marked
    found, marked = _read(body[at:], first + at, read)
    return blocks + found, code | marked


@lru_cache(MOST_WINDOWS)
def _read_window(text: str, first: int, read: Reader) -> tuple[list[Block], set[int], int]:
    """Return the blocks of a window but for the last ones, their code, and how many lines are done with."""
    lines = text.split("\n")
    found, code = _read(lines, first, read)
    for n_blocks in range(len(found) - 1, 0, -1):
        begin = found[n_blocks].line_start
        if _can_begin(lines, begin - first):
            return found[:n_blocks], {line for line in code if line < begin}, begin - first
    return [], set(), 0


def _can_begin(lines: Sequence[str], at: int) -> bool:
    """Say whether the block that begins at a line would begin there as well with nothing above it.

    An item of a list with a bar in it may also be the head of a table, which comes first outside of a list. And above a
    block there may be a line of other white space than Markdown knows, which was cut off it.
    """
    above = lines[at - 1]
    return "|" not in lines[at] and not (above.isspace() and above.strip(" \t"))


def _read(lines: Sequence[str], first: int, read: Reader) -> tuple[list[Block], set[int]]:
    found, code = read(lines)
    if first == 1:
        return found, code
    by = first - 1
    moved = [Block(b.kind, b.line_start + by, b.line_end + by, b.level, b.title) for b in found]
    return moved, {line + by for line in code}
