"""Cut texts at the ends of lines to so many bytes: pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

# A line is its number in the note, from 1, and its text without its end.
Line = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines of a note that belong together.

    Attributes:
        line_start: Number of the first line, from 1.
        line_end: Number of the last, inclusive.
        text: The lines, without the end of the last.
        clipped_line: Number of the last line, when it goes on; else ``None``.
    """

    line_start: int
    line_end: int
    text: str
    clipped_line: int | None = None


def size_of(text: str) -> int:
    """Return how many bytes a text has in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def running_sizes(lines: Sequence[Line]) -> list[int]:
    """Return how many bytes the first line has, the first two, and so on, each with its end."""
    return list(accumulate(size_of(text) + 1 for _, text in lines))


def count_fitting(sizes: Sequence[int], room: int) -> int:
    """Return how many of the first lines have at most so many bytes, with their ends.

    Args:
        sizes: As ``running_sizes`` gives them.
        room: Bytes.
    """
    return bisect_right(sizes, room)


def clip(text: str, room: int) -> str:
    """Return as much of one line as has at most so many bytes, never a part of a character.

    Args:
        text: One line.
        room: Bytes, 0 or more.

    Returns:
        The beginning of the line, up to the last space where one is in its second half.
    """
    if size_of(text) <= room:
        return text
    data = text.encode("utf-8", "surrogatepass")[: max(0, room)]
    while data and not _is_whole(data):
        data = data[:-1]
    cut = data.decode("utf-8", "surrogatepass")
    space = cut.rfind(" ")
    return cut[:space] if space > len(cut) // 2 else cut


def begin_near(lines: Sequence[Line], place: int, room: int) -> Sequence[Line]:
    """Leave out so many of the first lines that one of them has room.

    Args:
        lines: In order.
        place: Which of them must have room, from 0.
        room: Bytes, ends of lines included.

    Returns:
        All of them where it has room as they are; else it, and before it at most half as many bytes as may be.
    """
    sizes = running_sizes(lines)
    if sizes[place] <= room:
        return lines
    before = max(0, room - (sizes[place] - (sizes[place - 1] if place else 0))) // 2
    start = place
    while start and sizes[place - 1] - (sizes[start - 2] if start > 1 else 0) <= before:
        start -= 1
    return lines[start:]


def _is_whole(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def make_pieces(lines: Sequence[Line], *, most: int, most_bytes: int) -> list[Piece]:
    """Return the beginning of a note in pieces, each of whole paragraphs where they fit, else of whole lines.

    Args:
        lines: In order.
        most: The most pieces.
        most_bytes: The most bytes of each.

    Returns:
        Pieces in order. A line that is longer than a piece is clipped and ends it.

    Source: MN-43, MN-44.
    """
    pieces: list[Piece] = []
    rest = _from_text(lines)
    while rest and len(pieces) < most:
        sizes = running_sizes(rest)
        # The end of the last line is not part of a piece.
        n = count_fitting(sizes, most_bytes + 1)
        if n == 0:
            number, text = rest[0]
            pieces.append(Piece(number, number, clip(text, most_bytes), clipped_line=number))
            rest = _from_text(rest[1:])
            continue
        if n < len(rest):
            n = _paragraph_end(rest, n) or n
        shown = rest[:n]
        while not shown[-1][1].strip():
            shown = shown[:-1]
        pieces.append(Piece(shown[0][0], shown[-1][0], "\n".join(text for _, text in shown)))
        rest = _from_text(rest[n:])
    return pieces


def _from_text(lines: Sequence[Line]) -> Sequence[Line]:
    start = next((at for at, (_, text) in enumerate(lines) if text.strip()), len(lines))
    return lines[start:]


def _paragraph_end(lines: Sequence[Line], n: int) -> int:
    """Return how many of the first ``n`` lines end with a paragraph, 0 when none of them does."""
    if not lines[n][1].strip():
        return n
    return next((at for at in range(n - 1, 0, -1) if not lines[at][1].strip()), 0)
