"""Look for secrets and for orders to a model in a note, part by part (pure).

Nothing that the guard looks for goes on over a blank line or over the start of an item, but for an order that ends in
the line below and what ``_goes_on`` names. So a long note is cut there, and what a part holds is remembered: who adds
to the end of a long note has its last part looked through, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from clawvault.guard.assigned_secrets import NETRC
from clawvault.guard.findings import Finding
from clawvault.guard.injections import scan
from clawvault.guard.prose import FENCE, QUOTE_MARKS, after_front_matter
from clawvault.guard.rules import compiled
from clawvault.guard.secret_text import mask_secrets

# A part is looked through again when a line is added to it, and for each there is some work that is the same for all.
PART_CHARS = 4_000
# Of notes of some 4 million characters together.
MOST_PARTS = 1024
MOST_CHARS = 4 * PART_CHARS
# Whatever stands above such a line, it is no code, and it decides by itself what the lines below it are.
# Three dashes could be taken for the beginning of front matter.
CUT = re.compile(r"\n(?:(?=(?:[-*+]|[0-9]{1,9}[.)])[ \t]+[^\s])|[ \t\r]*\n(?=[^\s\-]))")
FENCE_LINE = re.compile(r"(?m)^.*?(?:```|~~~).*$")
# Private keys, and a letter that is two in lower case, for which the guard looks at all of a text in another way.
ACROSS_LINES = ("PRIVATE KEY", "Private-Lines", "\u0130")


def mask_note(text: str) -> str:
    """Return what ``mask_secrets`` does.

    Args:
        text: A whole note.
    """
    if len(text) <= PART_CHARS or _goes_on(text):
        return mask_secrets(text)
    parts = [text[start:end] for start, end in cut_parts(text)]
    return "".join([(_mask_part if len(part) <= MOST_CHARS else mask_secrets)(part) for part in parts])


def scan_note(text: str) -> tuple[Finding, ...]:
    """Return what ``scan`` does.

    Args:
        text: A whole note.
    """
    if len(text) <= PART_CHARS or "\0" in text:
        return scan(text)
    found: list[Finding] = []
    line = 0
    for start, end in cut_parts(text):
        line_end = text.find("\n", end)
        part, following = text[start:end], text[end : line_end if line_end >= 0 else len(text)]
        scan_part = _scan_part if len(part) + len(following) <= MOST_CHARS else _scan_part.__wrapped__
        found += [
            each._replace(line=each.line + line, start=each.start + start, end=each.end + start)
            for each in scan_part(part, following)
        ]
        line += part.count("\n")
    return tuple(found)


def cut_parts(text: str) -> list[tuple[int, int]]:
    """Cut a note where nothing that the guard looks for goes on.

    Returns:
        Start and end of each part, in order and without a gap. What is added to the end of a note moves no cut.
    """
    fences = _fences(text)
    first, last = next(fences, (len(text), 0))
    parts: list[tuple[int, int]] = []
    start = 0
    at = max(PART_CHARS, after_front_matter(text)[1])
    while (cut := CUT.search(text, at)) is not None:
        while last and last < cut.end():
            first, last = next(fences, (len(text), 0))
        if first <= cut.end():
            at = last
            continue
        parts.append((start, cut.end()))
        start, at = cut.end(), cut.end() + PART_CHARS
    return [*parts, (start, len(text))]


def _goes_on(text: str) -> bool:
    """Say whether a text may hold a secret of more lines than one."""
    return any(sign in text for sign in ACROSS_LINES) or compiled(NETRC).search(text.lower()) is not None


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each block of code begins and ends, as ``guard.prose`` tells code."""
    if "```" not in text and "~~~" not in text:
        return
    fence, begin = "", 0
    for found in FENCE_LINE.finditer(text, after_front_matter(text)[1]):
        if not fence and (opening := FENCE.match(found[0])):
            fence, begin = opening[1], found.start()
        elif fence:
            shown = found[0].strip(QUOTE_MARKS + "\r")
            if shown.startswith(fence) and not shown.strip(fence[0]):
                yield begin, found.end()
                fence = ""
    if fence:
        yield begin, len(text)


@lru_cache(MOST_PARTS)
def _mask_part(part: str) -> str:
    return mask_secrets(part)


@lru_cache(MOST_PARTS)
def _scan_part(part: str, following: str) -> tuple[Finding, ...]:
    """Return what is found in a part; the words of an order may go on in the line that follows."""
    return tuple([found for found in scan(part + following) if found.start < len(part)])
