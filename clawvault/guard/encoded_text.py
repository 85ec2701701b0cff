"""Text in base64 (pure)."""

from __future__ import annotations

import binascii
from collections.abc import Iterator

from clawvault.guard.rules import compiled

SHORTEST = 24
LONG = 200
RUN = r"[A-Za-z0-9+/]{24,8192}={0,2}"
WRAPPED_RUN = r"[A-Za-z0-9+/]{40}"
WRAPPED_LINE = r"[A-Za-z0-9+/]{40,200}={0,2}"
IMAGE = r"(?i)data:(?:image|font|audio|video)/[a-z0-9.+\-]{1,30};base64,$"
MOST_DECODED = 8192
MOST_ADDRESS = 2000


def find_runs(line: str) -> Iterator[tuple[str, bool]]:
    """Yield what looks like base64 in one line, embedded images left out, and whether it is part of a web address."""
    if len(line) < SHORTEST:
        return
    for found in compiled(RUN).finditer(line):
        if not compiled(IMAGE).search(line, max(0, found.start() - 60), found.start()):
            word = line[max(0, found.start() - MOST_ADDRESS) : found.start()]
            yield found[0], "://" in word[word.rfind(" ") + 1 :]
        elif found.end() - found.start() > MOST_DECODED:
            # What is left of an image goes on without its mark.
            return


def is_wrapped(line: str) -> bool:
    """Say whether a line is nothing but base64, as one line of many."""
    return compiled(WRAPPED_LINE).fullmatch(line.strip()) is not None


def is_long(run: str) -> bool:
    """Say whether a run is long and no path, hash or number."""
    if len(run) < LONG or run.count("/") * 16 > len(run):
        return False
    return any(c.isdigit() for c in run) and any(c.isupper() for c in run) and any(c.islower() for c in run[:1000])


def decode(run: str) -> str:
    """Return the text in a run of base64; empty when there is none."""
    run = run.rstrip("=")[:MOST_DECODED]
    run = run[: len(run) - (len(run) % 4 == 1)]
    try:
        data = binascii.a2b_base64(run + "=" * (-len(run) % 4))
        text = data.decode("utf-8", "ignore" if len(run) == MOST_DECODED else "strict")
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return text if text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable() else ""
