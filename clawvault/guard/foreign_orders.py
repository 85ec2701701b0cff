"""Find the plainest orders to a model in other languages than English and Chinese (pure).

To drop all instructions, to be a model without bounds, to show its prompt: the words are those of ``foreign_words``. A
language whose words are not in a line costs nothing but looking for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from clawvault.guard import foreign_words
from clawvault.guard.findings import Severity
from clawvault.guard.folding import fold_text
from clawvault.guard.foreign_words import VERB_FIRST, VERB_LAST, Language, VerbLast
from clawvault.guard.rules import compiled

# So many words may stand between a verb and what it is about, and so much before an order that leaves it one.
MOST_BETWEEN, MOST_LEAD_WORDS, MOST_LEAD_CHARS = 7, 4, 120
# Enough of a line before an order to hold what turns it into its opposite.
NOT_CHARS = 24
_EDGES = " \t>#+-|![](){}.,:;•·=/^<\"'*_~`"
ENDED = r"[\w\"')\]][.!?;] ?$"


def find_foreign(unit: str, end: int) -> Iterator[tuple[str, Severity]]:
    """Yield the reason and how bad it is of each such order of a line.

    Args:
        unit: The folded line without quotations and inner signs, and the words that follow it.
        end: Where the line itself ends in it.

    Cost: Linear.
    Source: T03.
    """
    for source, reason, worst, reported in _sources(unit):
        for found in compiled(source).finditer(unit):
            if found.start() >= end:
                break
            if _is_negated(unit, found.start()):
                continue
            if _leaves_order(unit[: found.start()] if found.start() <= MOST_LEAD_CHARS else None):
                yield reason, worst
            elif reported:
                yield reason, reported


def _sources(unit: str) -> Iterator[tuple[str, str, Severity, Severity | None]]:
    """Yield the patterns that may be met: their reason, how bad an order is, and a report of one."""
    for first in VERB_FIRST:
        if _holds(unit, first.drop) and _holds(unit, f"{first.orders} {first.rules} {first.above}"):
            yield _verb_first(first), "ignore-previous", Severity.CRITICAL, Severity.MEDIUM
        if first.become and _holds(unit, first.become):
            yield _become(first), "you-are-now", Severity.HIGH, None
    for last in VERB_LAST:
        if _holds(unit, last.drop) and _holds(unit, last.orders):
            yield _verb_last(last), "ignore-previous", Severity.CRITICAL, Severity.MEDIUM
    if _holds(unit, foreign_words.PROMPT):
        yield _show(), "reveal-prompt", Severity.HIGH, None


def _holds(unit: str, words: str) -> bool:
    return any(word in unit for word in _stems(words))


@cache
def _stems(words: str) -> tuple[str, ...]:
    return tuple(_folded(word).rstrip("*") for word in words.split())


@cache
def _folded(word: str) -> str:
    plain = word.replace("_", " ")
    return plain if plain.isascii() else fold_text(plain)


def _any(*lists: str) -> str:
    """Return the pattern of one of some words."""
    return "|".join(
        re.escape(_folded(word).rstrip("*")) + (r"\w{0,8}+" if word.endswith("*") else r"(?!\w)")
        for words in lists
        for word in words.split()
    )


@cache
def _verb_first(words: Language) -> str:
    drop, given, every, orders = map(_any, (words.drop, words.before, words.every, words.orders))
    other = _any(words.every, words.before, words.other)
    between = rf"(?:(?:{other})[ ,]{{1,2}}){{0,{MOST_BETWEEN}}}?"
    behind = rf"(?:[ ,]{{1,2}}(?:{other})){{0,3}}?[ ,]{{1,2}}"
    unless = rf"(?! ?,? ?(?:{_any(words.unless)}))" if words.unless else ""
    said = (
        rf"{between}(?:{every}|{given})[ ,]{{1,2}}{between}(?:{orders})"
        rf"|{between}(?:{given})[ ,]{{1,2}}{between}(?:{_any(words.rules)})"
        rf"|{between}(?:{orders}|{_any(words.rules)}){behind}(?:{given})"
    )
    above = f"|{_any(words.above)}" if words.above else ""
    return rf"(?<![\w'\-])(?:{drop})[ ,]{{1,2}}(?:{said}{above}){unless}"


@cache
def _become(words: Language) -> str:
    return rf"(?<![\w'\-])(?:{_any(words.become)})[ ,:](?:[^.!?;]{{0,60}}?[ ,:\-])??(?:{_any(foreign_words.FREED)})"


@cache
def _show() -> str:
    show, your, prompt = map(_any, (foreign_words.SHOW, foreign_words.YOUR, foreign_words.PROMPT))
    return rf"(?<![\w'\-])(?:{show})[ ,](?:\w{{1,12}} ){{0,2}}?(?:{your}) (?:\w{{1,14}} ){{0,2}}?(?:{prompt})"


@cache
def _verb_last(words: VerbLast) -> str:
    which, orders, drop, keep = (
        "|".join(re.escape(_folded(word)) for word in text.split())
        for text in (words.which, words.orders, words.drop, words.keep)
    )
    return rf"(?:{which})[^.!?;]{{0,16}}?(?:{orders})[^.!?;]{{0,16}}?(?:{drop})(?! ?(?:{keep}))"


def _is_negated(unit: str, at: int) -> bool:
    words = [word.strip(_EDGES) for word in unit[max(0, at - NOT_CHARS) : at].split()]
    return bool(words) and words[-1] in _stems(foreign_words.NOT)


def _leaves_order(lead: str | None) -> bool:
    """Say whether what stands before an order is no sentence that reports it; ``None`` is too much of it."""
    if lead is None or compiled(ENDED).search(lead):
        return False
    words = [bare for token in lead.split() if (bare := token.strip(_EDGES)) and any(map(str.isalpha, bare))]
    return len(words) <= MOST_LEAD_WORDS and foreign_words.REPORTED.isdisjoint(words)
