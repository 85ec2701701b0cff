"""Read the time words of a question: pure.

What is relative ("last week", 上周) says nothing about the notes and leaves the question. What is written out
("2026-03-05", "March") stays in it as well, since a note may hold the very words. Quoted text is never read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from clawvault.patterns import compiled
from clawvault.search.asking.query import STOP_WORDS
from clawvault.search.time_words.atoms import Mention, find_mentions, number
from clawvault.search.time_words.day_spans import DAY, DAYS_OF_UNIT, Span, join_spans
from clawvault.search.time_words.dense import dense_atoms
from clawvault.search.time_words.latin import LATIN_HINT, latin_atoms

# A question is short; the dates of a pasted page are not when the person wants something from.
MAX_READ_CHARS = 1000

# Most questions have no time in them: the patterns are made for the first one that does.
_QUOTED = (
    r'"[^"]*"|“[^“”]*”|「[^「」]*」|『[^『』]*』|《[^《》]*》|`[^`]*`|\[\[[^\[\]]*\]\]'
    r"|(?<!\w)'[^'\n]*'(?!\w)|(?<!\w)‘[^‘’\n]*’(?!\w)"
)
_BEFORE = (
    "(?i)"
    r"(?:(?<!\w)(?P<word>since|after|before|until|till|through|up to|between|from|in|on|during|of|over|within|for|at)"
    r"\s(?:the\s)?|(?<!\w)the\s|(?P<dense>[自从從在于於]))$"
)
_AWAY = (
    "(?i)"
    r"(?<!\w)(?:(?P<n>[0-9]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|(?:a )?few|(?:a )?couple of)\s"
    r"|the\s(?:last\s)?|last\s)(?P<unit>day|week|weekend|month|year)s?\s$"
)
_TO = r"(?i)\s?(?:\s(?:and|to|until|till|through)\s|[-–—~～]|到|至|から)\s?"
_AFTER = (
    "(?P<since>以来|以來|至今|起|以降|부터|이후|から)|(?P<after>之后|之後|以后|以後|后(?![天年期半])|後(?![天年期半]))"
    "|(?P<before>之前|以前|前(?![天日年期半后後])|より前|이전)|(?P<until>まで|까지|为止|為止)"
    "|(?P<none>期间|期間|里面?|裡|中(?![文国國])|には|に|는|은|에)"
)
_PARTICLE = "['’]s$|[的の의]$"
_MAKES_TIME = frozenset("since after before until till through between from in on during of within".split()) | {"up to"}
_FILLER = (
    "发生了?(?:什么|啥)?(?:事情?)?|[做干](?:了|过)?(?:什么|啥|哪些)(?:事情?)?|有(?:什么|啥|哪些)(?:事情?)?|什么事情?|怎么样"
    "|笔记|日记|日志|记录|记事|[我你您们咱的了吗呢吧都事呀请]|發生了什麼(?:事情?)?|做了什麼|什麼"
    "|何があった|何をした|何が|何を|した|ました|ですか|日記|メモ"
    "|무슨 ?일이?|뭐|무엇을?|했|있었|했나|일기|메모|[のをにはがか나요지어은는이가을를]"
)
_FILLER_WORDS = STOP_WORDS | frozenset(
    """happen happened happening happens went going go work worked working note notes noted entry entries log logs
    logged diary journal show list tell give see find summary summarize summarise recap everything anything something
    all stuff thing things new news please get done up out events""".split()
)
_WORD = r"[^\W_]+"


class _Expression(NamedTuple):
    """One stretch of a question that is time: ``words`` is its part worth repeating to a person."""

    start: int
    end: int
    words: str
    span: Span
    written: bool


@dataclass(frozen=True, slots=True)
class TimeReading:
    """A question and the time it speaks of.

    ``text`` is the question without its relative time words, as the lanes ask it; ``span`` the days that are meant, or
    ``None``; ``words`` what was read, in order, and ``written`` those of them that stay in the text; ``is_time_only``
    says that nothing else is asked for.
    """

    text: str
    span: Span | None = None
    words: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    is_time_only: bool = False

    def to_dict(self) -> dict[str, Any] | None:
        """Return how the question was read as JSON values, ``None`` when it speaks of no time."""
        if not self.words:
            return None
        since, until = self.span or (None, None)
        return {
            "words": list(self.words),
            "since": since.isoformat() if since else None,
            "until": until.isoformat() if until else None,
        }


def read_time(text: str, today: date) -> TimeReading:
    """Read the time words of a question.

    Args:
        text: Anything at all; text longer than 1,000 characters is no question and left alone.
        today: The local day, from which relative words count.

    Returns:
        The question without its relative words, the span and the words; several expressions mean what they share,
        or where they share nothing everything from the first to the last.

    Source: IW-51.
    """
    if len(text) > MAX_READ_CHARS or (text.isascii() and not LATIN_HINT.search(text)):
        return TimeReading(text)
    shown = compiled(_QUOTED).sub(lambda quoted: "\0" * len(quoted[0]), text)
    latin = latin_atoms() if LATIN_HINT.search(shown) else ()
    dense = () if shown.isascii() else dense_atoms()
    mentions = find_mentions(shown, today, (*latin, *dense))
    expressions = _read_expressions(shown, mentions)
    if not expressions:
        return TimeReading(text)
    relative = [expression for expression in expressions if not expression.written]
    return TimeReading(
        text=_cut(text, relative),
        span=join_spans([expression.span for expression in expressions]),
        words=tuple(expression.words for expression in expressions),
        written=tuple(expression.words for expression in expressions if expression.written),
        is_time_only=_is_filler(_cut(text, expressions)),
    )


def _read_expressions(text: str, mentions: Sequence[Mention]) -> list[_Expression]:
    found: list[_Expression] = []
    index = 0
    while index < len(mentions):
        mention = mentions[index]
        before = compiled(_BEFORE).search(text, found[-1].end if found else 0, mention.start)
        word = ((before["word"] or before["dense"] or "") if before else "").lower()
        following = mentions[index + 1] if index + 1 < len(mentions) else None
        is_range = following is not None and compiled(_TO).fullmatch(text, mention.end, following.start) is not None
        start = before.start() if before else mention.start
        if following is not None and is_range and (word in ("between", "from") or not following.atom.weak):
            found.append(_read_range(text, start, mention, following, bool(word)))
            index += 2
            continue
        index += 1
        if mention.atom.weak and word not in _MAKES_TIME:
            continue
        expression = _read_one(text, start, mention, word)
        if expression is not None:
            # "Last weekend before 10 April" is one time, not two.
            while found and found[-1].end > expression.start:
                found.pop()
            found.append(expression)
    return found


def _read_range(text: str, start: int, first: Mention, last: Mention, has_word: bool) -> _Expression:
    span = first.span
    if last.span.until is not None and first.atom.written | first.atom.weak:
        # "Between November and February" begins in the November before that February.
        span = first.span_before(last.span.until)
    ends = sorted(day for day in (span.since, span.until, *last.span) if day is not None)
    end = last.end + _after(text, last.end)
    words = compiled(_PARTICLE).sub("", text[start if has_word else first.start : last.end])
    return _Expression(start, end, words, Span(ends[0], ends[-1]), first.atom.written or last.atom.written)


def _read_one(text: str, start: int, mention: Mention, word: str) -> _Expression | None:
    away = compiled(_AWAY).search(text, 0, start) if word in ("before", "after") else None
    if away:
        return _read_away(text, away, mention, word)
    suffix = compiled(_AFTER).match(text, mention.end)
    kind = suffix.lastgroup if suffix else None
    if text[mention.start : mention.end].endswith(("'s", "’s")):
        word = ""  # "After yesterday's meeting" is not after yesterday.
    kind = {"since": "since", "after": "after", "before": "before", "up to": "until"}.get(word, kind)
    if word in ("until", "till", "through"):
        kind = "until"
    since, until = mention.span
    try:
        if kind == "since":
            span = Span(since, None)
        elif kind == "after":
            span = Span(until + DAY if until else None, None)
        elif kind == "before":
            span = Span(None, since - DAY if since else None)
        elif kind == "until":
            span = Span(None, until)
        else:
            span = mention.span
    except OverflowError:
        return None
    end = mention.end + _after(text, mention.end)
    is_open = kind not in (None, "none")
    words = compiled(_PARTICLE).sub(
        "", text[start if is_open else mention.start : end if is_open else mention.end].strip()
    )
    return _Expression(start, end, words, span, mention.atom.written)


def _read_away(text: str, away: re.Match[str], mention: Mention, word: str) -> _Expression | None:
    """Read "two weeks before 11 August": those days and the date itself, on which it may have been told."""
    since, until = mention.span
    count = number(away["n"] or "1")
    distance = DAY * count * DAYS_OF_UNIT[{"weekend": "week"}.get(away["unit"].lower(), away["unit"].lower())]
    try:
        span = Span(since - distance if since else None, until)
        if word == "after":
            span = Span(since, until + distance if until else None)
    except OverflowError:
        return None
    return _Expression(away.start(), mention.end, text[away.start() : mention.end], span, mention.atom.written)


def _after(text: str, end: int) -> int:
    suffix = compiled(_AFTER).match(text, end)
    return len(suffix[0]) if suffix else 0


def _cut(text: str, expressions: Sequence[_Expression]) -> str:
    """Take stretches out of a text, and the space that would be left double."""
    parts: list[str] = []
    done = 0
    for expression in expressions:
        parts.append(text[done : expression.start])
        done = expression.end
        if not parts[-1].strip() or parts[-1][-1].isspace():
            done += len(text[done:]) - len(text[done:].lstrip())
    parts.append(text[done:])
    joined = "".join(parts)
    return joined.strip() if expressions else joined


def _is_filler(text: str) -> bool:
    """Say whether a text asks for nothing in particular: "what happened"."""
    words = compiled(_WORD).findall(compiled(_FILLER).sub(" ", text).lower())
    return all(word in _FILLER_WORDS for word in words)
