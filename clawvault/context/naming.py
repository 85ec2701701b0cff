"""Name notes beside what clawvault itself says, in a form that no name can leave: pure (T03, T19)."""

from __future__ import annotations

import re

from clawvault.guard.findings import flags_within, worst_first
from clawvault.guard.injections import scan
from clawvault.guard.presenting import clean_line
from clawvault.guard.screening import screen

# What a model may read as the end of a quotation.
_QUOTES = re.compile('["\\\\\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u2036\u02dd\u301d\u301e\u301f\uff02]')
_BETWEEN_WORDS = re.compile(r"[-_.\s]+")


def quote(name: str) -> str:
    """Return a path on one line between quotes, as JSON has it; every sign that looks like a quote is escaped."""
    return f'"{_QUOTES.sub(_escaped, clean_line(name))}"'


def flags_of_path(path: str) -> tuple[str, ...]:
    """Return labels of orders in a path, the worst first, whatever stands between its words.

    Args:
        path: Of a note or a folder.
    """
    parts = [_BETWEEN_WORDS.sub(" ", part).strip() for part in path.split("/")]
    # Each part may be an order by itself, and so may all of them together.
    read = "\n\n".join(dict.fromkeys((path, " ".join(parts), *parts)))
    # A long path looks like encoded text, and what it encodes is looked at by itself.
    found = [finding for finding in scan(read) if finding.reason != "long-base64"]
    return flags_within(found, 0, len(read))


def flags_of_names(*names: str) -> tuple[str, ...]:
    """Return labels of orders in titles and headings, the worst first."""
    return worst_first(label for name in names for label in screen(name).flags)


def is_nameable(path: str) -> bool:
    """Say whether a model may be told a path where only what clawvault itself says has a place."""
    return not flags_of_path(path)


def left_out(n: int, what: str) -> str:
    """Say how many of something are not given to a model."""
    said = f"1 {what} is" if n == 1 else f"{n} {what}s are"
    return f"{said} left out, since a model may take what is there for an order."


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    return f"\\{sign}" if sign.isascii() else f"\\u{ord(sign):04x}"
