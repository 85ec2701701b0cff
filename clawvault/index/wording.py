"""What of a note holds words, and so can be asked for (pure)."""

from __future__ import annotations

import re

from clawvault.index.lexical import split_words
from clawvault.index.units import list_stretches, read_lines
from clawvault.vault.markdown import ParsedNote
from clawvault.vault.property_lines import list_property_lines

_LETTER = re.compile(r"[^\W_]")


def holds_words(text: str) -> bool:
    """Say whether a text holds a letter, a number or a sign that is searched for, such as an emoji."""
    return _LETTER.search(text) is not None or (not text.isascii() and bool(split_words(text)))


def list_found_properties(text: str, parsed: ParsedNote) -> list[tuple[int, int]]:
    """List the runs of lines of front matter that are to be found; see ``list_property_lines``.

    Args:
        text: The whole note.
        parsed: What ``parse_note`` says of it.
    """
    if parsed.body_line == 1:
        return []
    lines = read_lines(text)
    body = (lines.flat[lines.starts[first] : lines.start_of(last)] for first, last in list_stretches(lines, parsed))
    return list_property_lines(text, parsed.front_matter, parsed.body_line, is_all=not any(map(holds_words, body)))
