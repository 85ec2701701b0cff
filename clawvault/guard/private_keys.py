"""Private keys of many lines: PEM, OpenSSH, PGP and PuTTY (pure)."""

from __future__ import annotations

from collections.abc import Iterator

from clawvault.guard.rules import compiled

OPENING = r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
ENDING = "-----END"
PUTTY = r"Private-Lines: ?[0-9]{1,3}[ \t\r]{0,4}\n"
# A block without its end goes on as long as its lines look like one.
BODY_LINE = r"[ \t>]{0,40}(?:[A-Za-z0-9+/=]{1,200}|[A-Za-z-]{1,30}: [^\n]{0,200})?[ \t\r]{0,8}(?:\n|\Z)"
# What is left of a key that somebody cut off, with other text behind it.
CUT_BODY = r"(?:[ \t>]|\\n){0,40}(?=[A-Za-z+/]{0,200}[0-9])[A-Za-z0-9+/=]{16,8000}"
MOST_CHARS = 40_000
MOST_LINES = 400


def find_private_keys(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the bodies of private keys begin and end, without the lines that say what they are."""
    openings = list(compiled(OPENING).finditer(text)) if "PRIVATE KEY" in text else []
    for at, opening in enumerate(openings):
        following = openings[at + 1].start() if at + 1 < len(openings) else len(text)
        start, limit = opening.end(), min(following, opening.end() + MOST_CHARS)
        end = text.find(ENDING, start, limit)
        yield start, end if end >= 0 else _end_of_body(text, start, limit)
    done = 0
    for opening in compiled(PUTTY).finditer(text) if "Private-Lines" in text else ():
        if opening.start() >= done:
            done = _end_of_body(text, opening.end(), opening.end() + MOST_CHARS)
            yield opening.end(), done


def _end_of_body(text: str, start: int, limit: int) -> int:
    end = start
    for _ in range(MOST_LINES):
        line = compiled(BODY_LINE).match(text, end, limit)
        if line is None or line.end() == end:
            break
        end = line.end()
    rest = compiled(CUT_BODY).match(text, end, limit)
    return rest.end() if rest else end
