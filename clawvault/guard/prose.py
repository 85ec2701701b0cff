"""The lines of a note that are prose: without front matter and code blocks (pure).

Told from one line at a time, so that a scan needs no full reading of the note and takes linear time whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

FENCE = re.compile(r"(?:[ \t>]|[-*+][ \t]|[0-9]{1,9}[.)][ \t]){0,40}(`{3,}(?=[^`]*$)|~{3,})")
LIST_MARK = re.compile(r"[ \t>]{0,40}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)")
QUOTE_MARKS = " \t>"
MOST_FRONT_MATTER = 64 * 1024


def prose_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the number (from 1), the offset and the text of each line that is prose and not blank.

    Args:
        text: The whole note, with any line ends.
    """
    fence = ""
    in_list = after_blank = was_code = False
    number, start = after_front_matter(text)
    after_blank = True
    for line in text[start:].split("\n"):
        if fence:
            shown = line.strip(QUOTE_MARKS + "\r")
            if shown.startswith(fence) and not shown.strip(fence[0]):
                fence = ""
        elif not line.strip():
            after_blank = True
        elif opening := FENCE.match(line):
            fence = opening[1]
            after_blank = was_code = False
        else:
            indented = line.startswith(("    ", "\t"))
            was_code = indented and not in_list and (after_blank or was_code)
            if not was_code:
                in_list = LIST_MARK.match(line) is not None or (
                    in_list and (indented or line[0] in " \t" or not after_blank)
                )
                yield number, start, line
            after_blank = False
        number += 1
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
        if line in {"---", "..."}:
            return number, start
    return 1, 0
