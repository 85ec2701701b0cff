"""The lines of a note, and which of them are prose: neither front matter nor code (pure).

Told from one line at a time, so that a scan needs no full reading of the note and takes linear time whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

FENCE = re.compile(r"(?:[ \t>]|[-*+][ \t]|[0-9]{1,9}[.)][ \t]){0,40}(`{3,}(?=[^`]*$)|~{3,})")
LIST_MARK = re.compile(r"[ \t>]{0,40}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)")
QUOTE_MARKS = " \t>"
MOST_FRONT_MATTER = 64 * 1024
FRONT_MATTER_MARKS = frozenset({"---", "..."})


def prose_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the number (from 1), the offset and the text of each line that is prose and not blank.

    Args:
        text: The whole note, with any line ends.
    """
    number, start = after_front_matter(text)
    return ((at, offset, line) for at, offset, line, is_code in _body_lines(text, number, start) if not is_code)


def read_lines(text: str) -> tuple[list[tuple[int, int, str]], frozenset[int]]:
    """Return every line that is not blank as ``prose_lines`` does, and the numbers of those that are code.

    Of front matter it is what each property says, and the whole line before that where its name has more words than
    one. Of the line that opens a block of code it is what is written behind the fence.

    Args:
        text: The whole note, with any line ends.
    """
    number, start = after_front_matter(text)
    lines = list(_property_lines(text[:start])) if start else []
    code = set()
    for at, offset, line, is_code in _body_lines(text, number, start):
        lines.append((at, offset, line))
        if is_code:
            code.add(at)
    return lines, frozenset(code)


def _body_lines(text: str, number: int, start: int) -> Iterator[tuple[int, int, str, bool]]:
    """Yield number, offset and text of each line behind the front matter that is not blank, and whether it is code."""
    fence = ""
    in_list = was_code = False
    after_blank = True
    for line in text[start:].split("\n"):
        if fence:
            shown = line.strip(QUOTE_MARKS + "\r")
            if shown.startswith(fence) and not shown.strip(fence[0]):
                fence = ""
            elif shown:
                yield number, start, line, True
        elif not line.strip():
            after_blank = True
        elif opening := FENCE.match(line):
            fence = opening[1]
            after_blank = was_code = False
            if opening.end() < len(line.rstrip()):
                yield number, start + opening.end(), line[opening.end() :], True
        else:
            indented = line.startswith(("    ", "\t"))
            was_code = indented and not in_list and (after_blank or was_code)
            if not was_code:
                in_list = LIST_MARK.match(line) is not None or (
                    in_list and (indented or line[0] in " \t" or not after_blank)
                )
            yield number, start, line, was_code
            after_blank = False
        number += 1
        start += len(line) + 1


def _property_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield number, offset and text of what front matter says."""
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        name, sign, value = line.partition(": ")
        word = name.strip(" \t\"'-").replace("-", "")
        if line.strip() and line.rstrip() not in FRONT_MATTER_MARKS:
            # A name of more words than one may be an order itself.
            if not (sign and word.isascii() and word.isalnum()):
                yield number, start, line
            if value.strip():
                yield number, start + len(name) + len(sign), value
        start += len(line) + 1


def after_front_matter(text: str) -> tuple[int, int]:
    """Return the number and offset of the first line after the front matter."""
    if not text.startswith(("---\n", "---\r\n")):
        return 1, 0
    number, start = 2, text.index("\n") + 1
    while start <= min(len(text), MOST_FRONT_MATTER):
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)].rstrip()
        if end < 0:
            break
        number, start = number + 1, end + 1
        if line in FRONT_MATTER_MARKS:
            return number, start
    return 1, 0
