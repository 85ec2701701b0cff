"""Whether a note says already what somebody wants to be remembered: pure (MN-32)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from clawvault.index.lexical import fold
from clawvault.search.asking.query import STOP_WORDS
from clawvault.search.passages.diversity import jaccard, token_set

# One word of five is another: "the port of the staging database is 5434" and "is 5435".
NEARLY = 0.65
# A text of fewer words is alike only when it is the same.
FEW_TOKENS = 3
_SIGNS = re.compile(r"[^\w\s]+|_+")
_MARK = re.compile(r"\A\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
# Where a line comes from is no part of what it says.
_COMMENT = re.compile(r"\s*<!--.{0,1200}?-->")
SAYING = frozenset({"list_item", "paragraph", "table", "quote"})


class Alike(NamedTuple):
    """A line that says what another text says.

    Attributes:
        line: 1-based.
        text: The line, without the mark of its list.
        score: Shared words over all, 0..1; 1 is the same text, whatever its signs.
    """

    line: int
    text: str
    score: float


def find_alike(text: str, fact: str) -> Alike | None:
    """Find the line of a note that is most like a fact.

    Args:
        text: The note.
        fact: One line.

    Returns:
        The first of those most alike, or ``None`` when none is nearly the same.
    """
    if not _may_say(text, fact):
        return None
    # Imported here, since most that compares lines reads no note.
    from clawvault.vault.markdown import parse_note

    lines = text.split("\n")
    best: Alike | None = None
    for block in parse_note(text).blocks:
        if block.kind not in SAYING:
            continue
        for number in range(block.line_start, block.line_end + 1):
            said = without_mark(_COMMENT.sub("", lines[number - 1]))
            score = likeness(said, fact)
            if score >= NEARLY and (best is None or score > best.score):
                best = Alike(number, said, score)
    return best


def _may_say(text: str, fact: str) -> bool:
    """Say whether a line may be like a fact, by the words of the whole note: reading the blocks of each takes long."""
    theirs, said = _read_fact(fact)
    if text.isascii() and "<!--" not in text and not _holds_words(text.lower(), theirs, said):
        return False
    whole = text if "<!--" not in text else "\n".join((text, *(_COMMENT.sub("", line) for line in text.split("\n"))))
    # A note is looked at once, so its words are not kept.
    if len(theirs & token_set.__wrapped__(whole)) >= NEARLY * len(theirs) >= NEARLY * FEW_TOKENS:
        return True
    return said in plain(whole)


@lru_cache(maxsize=16)
def _read_fact(fact: str) -> tuple[frozenset[str], str]:
    """Return the words of a fact that matter, and its plain text."""
    return token_set(fact) - STOP_WORDS, plain(fact)


def _holds_words(lower: str, theirs: frozenset[str], said: str) -> bool:
    """Say whether enough words of a fact are anywhere in a note, inside of others too: that takes the least time."""
    n_held = sum(word in lower for word in theirs)
    return n_held >= NEARLY * len(theirs) or all(word in lower for word in said.split())


def likeness(one: str, other: str) -> float:
    """Return how much two lines say the same, 0..1, by the words that matter and the pairs of dense scripts."""
    if plain(one) == plain(other):
        return 1.0
    mine, theirs = token_set(one) - STOP_WORDS, token_set(other) - STOP_WORDS
    if min(len(mine), len(theirs)) < FEW_TOKENS:
        return 0.0
    # The same words in another order may say something else: who reports to whom.
    return min(jaccard(frozenset(mine), frozenset(theirs)), 0.99)


def plain(text: str) -> str:
    """Return a text as it is compared for being the same: folded, without signs, one space between words."""
    return " ".join(_SIGNS.sub(" ", fold(text).lower()).split())


def without_mark(line: str) -> str:
    """Return a line without the mark of its list and the space around it."""
    return _MARK.sub("", line, count=1).strip()
