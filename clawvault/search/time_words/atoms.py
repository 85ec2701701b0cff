"""What the ways to write time have in common: pure.

An expression is *relative* ("last week") or *written* ("5 March 2026"). A *weak* one is time only beside a word that
makes it so: "may" and "march" are verbs, "2025" is a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from clawvault.index.lexical import DENSE, is_dense
from clawvault.search.time_words.day_spans import Span, unit_ago

Found = re.Match[str]
Resolve = Callable[[Found, date], Span | None]

# Where a name, a path or a number goes on, nothing is read. Without case, of which dense scripts have none: else each
# pattern takes 10 ms to compile, for the case of every one of their signs is looked up.
_LETTER = rf"(?-i:[^\W{DENSE}])"
_LEFT = r"(?<![/\\.@#$%&=+~:_-])"
_RIGHT = r"(?![/\\@=+~_-])(?![.:]\w)"
_LEFT_DENSE, _RIGHT_DENSE = r"(?<![/\\@#=_-])", r"(?![/\\@=_-])(?!\.\w)"
FIGURE = r"(?<![0-9０-９A-Za-z./\\@#=_-])"

_NUMBERS = dict(
    zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True)
)
_NUMBERS |= {"a": 1, "an": 1, "couple": 2, "few": 5, "several": 7}
_HAN_NUMBERS = {sign: value for value, sign in enumerate("零一二三四五六七八九十")} | {"两": 2, "兩": 2}
_UNITS = {
    "day": "day 天 日 일",
    "week": "week 周 週 周間 週間 星期 个星期 個星期 礼拜 个礼拜 禮拜 個禮拜 주 주일",
    "month": "month 个月 個月 か月 ヶ月 カ月 개월 달",
    "year": "year 年 년",
}
_UNIT_OF = {name: unit for unit, names in _UNITS.items() for name in names.split()}


class LatinPattern:
    """A pattern of words between spaces, compiled when it is first looked for.

    Where a text has no dense sign, no pattern need tell them from letters, which takes most of the time to compile one.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def finditer(self, text: str) -> Iterator[Found]:
        """Yield each place of a text where the words are."""
        return (self._beside_dense if is_dense(text) else self._alone).finditer(text)

    @cached_property
    def _alone(self) -> re.Pattern[str]:
        return self._between(r"\w")

    @cached_property
    def _beside_dense(self) -> re.Pattern[str]:
        return self._between(_LETTER)

    def _between(self, letter: str) -> re.Pattern[str]:
        return re.compile(f"(?<!{letter}){_LEFT}(?:{self._pattern})(?!{letter}){_RIGHT}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Atom:
    """One way to name a time: where it matches, and which days it means (``None``: none after all)."""

    pattern: re.Pattern[str] | LatinPattern
    resolve: Resolve
    written: bool = False
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """One place of a question that names a time, with the days it means."""

    start: int
    end: int
    span: Span
    atom: Atom
    found: Found

    def span_before(self, today: date) -> Span:
        """Return the days it means when it is read on another day; the same where that makes no sense."""
        return _days(self.atom, self.found, today) or self.span


def find_mentions(text: str, today: date, atoms: Iterable[Atom]) -> list[Mention]:
    """Return what may be time in a text, in order, the longest where several begin; none overlap."""
    mentions = [
        Mention(found.start(), found.end(), span, atom, found)
        for atom in atoms
        for found in atom.pattern.finditer(text)
        if (span := _days(atom, found, today)) is not None
    ]
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def _days(atom: Atom, found: Found, today: date) -> Span | None:
    try:
        return atom.resolve(found, today)
    except (ValueError, OverflowError):
        return None  # There is no such day.


def latin(pattern: str) -> LatinPattern:
    """Make a pattern of words between spaces."""
    return LatinPattern(pattern)


def dense(pattern: str, left: str = _LEFT_DENSE) -> re.Pattern[str]:
    """Compile a pattern of a script without spaces."""
    return re.compile(f"{left}(?:{pattern}){_RIGHT_DENSE}")


def ago(unit: str, count: int) -> Resolve:
    """Return a resolver for a fixed distance: ``ago("day", 1)`` is yesterday."""
    return lambda _, today: unit_ago(today, unit, count)


def unit_name(text: str) -> str:
    """Return ``day``, ``week``, ``month`` or ``year`` for a unit of any language."""
    return _UNIT_OF[text.lower()]


def number(text: str) -> int:
    """Read a number in figures, in English or in Chinese signs.

    Raises:
        ValueError: It is none, such as 十十.
    """
    if text.isdecimal():
        return int(text)
    if text[0] not in _HAN_NUMBERS:
        return next((_NUMBERS[word] for word in reversed(text.lower().split()) if word in _NUMBERS), 1)
    tens, ten, ones = text.partition("十")
    if len(tens) > 1 or len(ones) > 1 or "十" in ones:
        raise ValueError("no number")
    if not ten:
        return _HAN_NUMBERS[tens]
    return (_HAN_NUMBERS[tens] if tens else 1) * 10 + (_HAN_NUMBERS[ones] if ones else 0)
