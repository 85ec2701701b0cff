"""Find secrets in a text, and replace each by a mark (pure).

A mark is as long as what it replaces, and line ends stay: so every offset, line and chunk of the masked text is that of
the note. What the mark does not need is filled with spaces, which neither a tokenizer nor YAML sees at its end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from clawvault.guard.assigned_secrets import find_assigned
from clawvault.guard.card_numbers import find_cards
from clawvault.guard.long_words import LONG, long_words
from clawvault.guard.private_keys import find_private_keys
from clawvault.guard.rules import compiled

ALLOW = re.compile(r"clawvault: ?allow-secret")
# Among so few different characters there is no key, only a picture of one.
FEWEST_SIGNS = 6
FEWEST_CHARS = 12
# The form of each key leaves no room for anything else, so a text without such a word has none.
LONG_WORD = re.compile(rf"[A-Za-z0-9_\-./+=:%]{{{LONG},}}")
# Inside a word, where neither a script nor an emoji needs them.
_ZERO_WIDTH = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
# Such a sign first: there is none in nearly every text.
UNSEEN = rf"[{_ZERO_WIDTH}](?<=[!-~][{_ZERO_WIDTH}])[{_ZERO_WIDTH}]{{0,63}}+(?=[!-~])"
WITHOUT_SPACE = dict.fromkeys(map(ord, "\n\r\t"))
BODY_MARK = "…"
SHORT_MARK, SHORTEST_MARK = "‹secret›", "‹…›"


class Secret(NamedTuple):
    """One secret; sorts by place.

    Attributes:
        start: Offset of its first character.
        end: Offset after its last.
        line: 1-based, where it begins.
        kind: What it is, in words: ``aws key``.
    """

    start: int
    end: int
    line: int
    kind: str


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Find what looks like a key, a token or a password.

    A line that holds ``clawvault: allow-secret`` is left alone, and so is a private key that begins on one.

    Args:
        text: A note, or a piece of one.

    Returns:
        Secrets in order of place, without overlap.

    Cost: Linear in the length of the text (T14).
    Source: T07, MN-31, L31.
    """
    found: list[Secret] = []
    allowed = _allowed_lines(text)
    line, counted = 1, 0
    for start, end, kind in _apart(sorted([*_candidates(text), *_hidden_candidates(text)])):
        line, counted = line + text.count("\n", counted, start), start
        if line not in allowed:
            found.append(Secret(start, end, line, kind))
    return tuple(found)


def mask_secrets(text: str, *, fill: bool = True) -> str:
    """Replace each secret by a mark such as ``‹secret aws key›``.

    Args:
        text: A note, or a piece of one.
        fill: Fill each mark with spaces to the length of its secret; a text that is new has no offsets to keep.

    Returns:
        A text of the same length, where filled, with the same line ends; the same text when it holds no secret.

    Source: I43.
    """
    pieces: list[str] = []
    done = 0
    for secret in find_secrets(text):
        pieces.extend((text[done : secret.start], _mark(text[secret.start : secret.end], secret.kind, fill)))
        done = secret.end
    return "".join((*pieces, text[done:])) if pieces else text


def _candidates(text: str) -> Iterator[tuple[int, int, str]]:
    words = " ".join(LONG_WORD.findall(" ".join(long_words(text))))
    if words:
        yield from _find_keys(text, words)
    for start, end in find_private_keys(text):
        body = text[start:end]
        if sum(map(str.isalnum, body)) >= FEWEST_CHARS and len(set(body)) >= FEWEST_SIGNS:
            yield start, end, "private key"
    for start, end in find_cards(text):
        yield start, end, "card number"
    for name, start, end in find_assigned(text):
        yield start, end, name


def _find_keys(text: str, words: str) -> Iterator[tuple[int, int, str]]:
    # Imported here, since few short texts have a word as long as a key.
    from clawvault.guard.key_kinds import kinds_in

    for kind in kinds_in(words):
        for found in kind.pattern.finditer(text):
            start, end = found.span(1 if kind.pattern.groups else 0)
            value = text[start:end]
            if len(set(value)) >= FEWEST_SIGNS and not value.endswith("EXAMPLE"):
                yield start, end, kind.name


def _hidden_candidates(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the same of secrets with signs in them that nobody sees."""
    if text.isascii() and text.translate(WITHOUT_SPACE).isprintable():
        return
    cuts = list(compiled(UNSEEN).finditer(text))
    if not cuts:
        return
    pieces: list[str] = []
    # Where each piece begins without such signs, and by how much it is further on with them.
    begins, shifts = [0], [0]
    done = 0
    for found in cuts:
        pieces.append(text[done : found.start()])
        done = found.end()
        shifts.append(shifts[-1] + done - found.start())
        begins.append(done - shifts[-1])
    bare = "".join((*pieces, text[done:]))
    for start, end, kind in _candidates(bare):
        first = start + shifts[bisect_right(begins, start) - 1]
        last = end - 1 + shifts[bisect_right(begins, end - 1) - 1]
        # What holds no such sign is found without this.
        if last - first >= end - start:
            yield first, last + 1, kind


def _apart(found: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Join what overlaps; the first of the longest names it."""
    at = 0
    while at < len(found):
        start, end, kind = found[at]
        longest = end - start
        at += 1
        while at < len(found) and found[at][0] < end:
            if found[at][1] - found[at][0] > longest:
                longest, kind = found[at][1] - found[at][0], found[at][2]
            end = max(end, found[at][1])
            at += 1
        yield start, end, kind


def _allowed_lines(text: str) -> frozenset[int]:
    if not ALLOW.search(text):
        return frozenset()
    return frozenset(number for number, line in enumerate(text.split("\n"), 1) if ALLOW.search(line))


def _mark(value: str, kind: str, fill: bool) -> str:
    lines = value.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    return "\n".join(_mark_line(line, kind if at == first else "", fill) for at, line in enumerate(lines))


def _mark_line(line: str, kind: str, fill: bool) -> str:
    body = line.rstrip("\r")
    if not body.strip():
        return line
    indent = body[: len(body) - len(body.lstrip(" \t>"))]
    room = len(body) - len(indent)
    marks = (f"‹secret {kind}›", SHORT_MARK, SHORTEST_MARK, BODY_MARK) if kind else (BODY_MARK,)
    mark = next(mark for mark in marks if len(mark) <= room)
    return indent + mark.ljust(room if fill else 0) + line[len(body) :]
