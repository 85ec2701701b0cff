"""Where the sentences of a passage are: pure, linear time.

A question is mostly about one statement, and the vector of a whole passage blurs it. So each sentence is kept as well,
as one bit a dimension (``index/sketches.py``).
"""

from __future__ import annotations

import re

# Below this a piece says too little to be compared by itself; a sign of a dense script counts as three letters.
MIN_WIDTH = 30
_END = re.compile(r"(?<=[.!?])[\"')\]*_]{0,3}\s+|(?<=[。！？；])|\n+")
_FIRST_WIDE = "\u2e80"


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Split a passage into sentences and lines, the short ones joined to what follows.

    Args:
        text: Any text.

    Returns:
        (start, end) in characters, in order, without overlap; together they hold everything but white space. At least
        one unless the text is blank.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for end in [*(found.end() for found in _END.finditer(text)), len(text)]:
        if _is_long(text[start:end]):
            spans.append((start, end))
            start = end
    if text[start:].strip():
        if spans:
            start = spans.pop()[0]
        spans.append((start, len(text)))
    return spans


def _is_long(piece: str) -> bool:
    piece = piece.strip()
    return len(piece) >= MIN_WIDTH or len(piece) + 2 * sum(sign >= _FIRST_WIDE for sign in piece) >= MIN_WIDTH
