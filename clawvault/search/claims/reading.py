"""Read what a passage states of something: pure (limits L18).

Only plain statements of a lasting fact are read: where somebody lives or works, what something is, uses or prefers.
What happened on a day, what is wished, denied or left open, and the keys of a daily form are not facts that a later
note could replace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from clawvault.index.lexical import is_dense
from clawvault.search.asking.query import STOP_WORDS

# Passages that come back for question after question are read once.
KEPT = 2048
MOST_LINES = 200
MOST_CHARS = 160
MOST_SUBJECT_WORDS = 6
MOST_SUBJECT_CHARS = 60
MOST_VALUE_WORDS = 5

_FENCE = re.compile(r"\s*(?:```|~~~)")
_MARKUP = re.compile(
    r"^\s*(?:[-*+>]\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s+|\(?\d{1,2}:\d{2}(?::\d{2})?\)?\s*[-–—:]?\s*|#{1,6}\s+)+"
)
_DECORATION = re.compile(r"[*`\"“”「」]|(?<!\w)_|_(?!\w)|\[\[|\]\]")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])")
_SPEAKER = re.compile(r"^(?P<speaker>[^\W\d_]{2,20}):\s+(?=I\b|I['’]m\b|My\b|We\b)")
_WORD = re.compile(r"[^\W_]+(?:[.:/@+-][^\W_]+)*\+*")

_NAME = r"(?P<value>[A-Z0-9][\w.'’-]*(?:,?\s[A-Z][\w.'’-]*){0,3})"
_ANY = r"(?P<value>\S.{0,60}?)"
_END = r"(?=[.,;!?]?(?:\s(?:and|but|because|since|now|as of|with)\b.*)?$|[.,;!](?:\s|$))"
_OLD = r"(?:from\s(?P<old>[\w.'’ -]{1,40}?)\s)?"
_CHANGED = r"(?:was|is|has been|got)?\s?(?:changed|set|moved|raised|lowered|renamed)"
_HAN_START = r"^(?P<subject>[^，。；：？\s]{0,12}?)"
_HAN_VALUE = r"(?P<value>[^，。；：？、\s]{1,16}?(?:\s[\w.]{1,16})?)了?[。！.]?$"

# What a fact is about, and how it is said; the subject stands before. Facts named with "~" hold beside each other
# ("uses Redis", "uses SQLite"): one replaces another only where their values share a word, or where the later names
# the earlier.
_Form = tuple[str, str]
_LATIN_FORMS: tuple[_Form, ...] = (
    ("home", rf"\b(?i:lives?|living|resides?|residing|is based|am based|['’]m based)\sin\s{_NAME}"),
    ("home", rf"\b(?i:moved|relocated)\s(?i:back\s)?{_OLD}to\s{_NAME}"),
    ("work", rf"\b(?i:works?|working)\s(?:at|for)\s{_NAME}"),
    ("work", rf"\b(?i:joined|moved to work at|left (?P<old>[\w.'’ -]{{1,40}}) for)\s{_NAME}{_END}"),
    (
        "~use",
        rf"(?:(?<=\S\s)use|\b(?:uses|(?:switched|migrated|moved)\s(?:over\s)?{_OLD}to))\s{_ANY}{_END}",
    ),
    ("~use", rf"\breplaced\s(?P<old>[\w.'’ -]{{1,40}}?)\s(?:with|by)\s{_ANY}{_END}"),
    ("~prefer", rf"\bprefers?\s{_ANY}{_END}"),
    ("is", rf"\b(?:listens?|runs?)\son\s(?:port\s)?{_ANY}{_END}"),
    ("is", rf"\b{_CHANGED}\s{_OLD}to\s{_ANY}{_END}"),
    ("is", rf"\b(?:is|are|equals)\s(?:now\s|currently\s)?{_ANY}{_END}"),
    (":", rf"^(?P<subject>[\w ./-]{{3,60}}?)\s?(?:=|:|->|→)\s+{_ANY}\.?$"),
    (":", r"^(?P<subject>[A-Za-z][\w.-]{2,60})=(?P<value>\S{1,60})$"),
)
_DENSE_FORMS: tuple[_Form, ...] = (
    ("home", rf"{_HAN_START}从(?P<old>[^，。；：？\s]{{1,8}})搬到了?{_HAN_VALUE}"),
    ("home", rf"{_HAN_START}(?:住在|定居在?|搬到了?|搬去了?|搬家到了?|移居到?){_HAN_VALUE}"),
    ("work", rf"{_HAN_START}在(?P<value>[^，。；：？、\s]{{1,16}}?)(?:工作|上班)了?[。！.]?$"),
    ("work", rf"{_HAN_START}(?:入职|跳槽到|加入)了?{_HAN_VALUE}"),
    ("is", rf"{_HAN_START}(?:已?经?改为|已?经?改成|换成|变成|现在是|是|为|：|=)\s?{_HAN_VALUE}"),
    (
        "home",
        r"^(?:(?P<subject>[^はがを。、]{1,10})[はが])?(?P<value>[^はがをに。、]{1,10})[にへ](?:住んで|引っ越)",
    ),
    (
        "home",
        r"^(?:(?P<subject>[^\s]{1,10})[은는이가]\s)?(?P<value>[^\s]{1,10}?)(?:에\s?살|(?:으)?로\s?이사)",
    ),
)
# One look tells most sentences apart from statements: forms are tried on the rest.
_CUES = re.compile(
    r"\b(?i:liv(?:es?|ing)|resid(?:es?|ing)|based|moved|relocated|work(?:s|ing)?|joined|left|uses?|switched|migrated"
    r"|replaced|prefers?|(?:listens?|runs?) on|changed|set|raised|lowered|renamed)\b"
    r"|\b(?:is|are|equals) (?:now |currently )?(?:[^a-z]|(?:en|dis)abled|true|false|yes|no|on|off|(?:in)?active|open"
    r"|closed|optional|mandatory|required)|^[\w ./-]{3,60}(?:[:=→]|->)\s?\S.{0,60}$"
    r"|[住居搬移在入跳加改换变是为：にへ에로]"
)
# Before a second verb ("works at Google and lives in Beijing") stands the first one, not the subject alone.
_NO_SUBJECT = re.compile(r"[,;:?]|\b(?:and|but|then)\s*$")
_SELF = frozenset("i i'm i’m we user 用户 我 我们 私 僕 나 저".split())
_SOMEBODY = frozenset(
    "he she they it this that these those there who which what where how 他 她 它 他们 这 那 彼 彼女 그".split()
)
_ADVERBS = frozenset(
    "has have had just recently now currently still already finally officially also then the 现在 目前 已经".split()
)
_OPEN = frozenset(
    """not never no don't doesn't isn't aren't wasn't won't if when whether maybe perhaps might may could would should
    will wants want plans plan planned hopes hope wish wishes used once was were going about today tonight yesterday
    tomorrow todo next mood sleep weather temperature weight steps energy rating attendees total
    count duration status""".split()
)
_OPEN_DENSE = re.compile("今天|昨天|明天|没|不|如果|想|打算|可能|曾|以前|吗|天气|心情|今日|昨日|明日|오늘|어제")
_POLAR = frozenset(
    "enabled disabled true false yes no on off active inactive open closed optional mandatory required".split()
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement: ``subject`` is what of, ``about`` in what respect, ``value`` what; sets of folded words.

    An empty subject is the person whose vault it is. ``old`` is the value it says it replaces; ``line`` counts from 0
    within the passage.
    """

    subject: frozenset[str]
    about: str
    value: frozenset[str]
    old: frozenset[str]
    line: int = 0

    @property
    def is_form(self) -> bool:
        """Say whether it is written like a line of a form: "key: value"."""
        return self.about == ":"


@lru_cache(maxsize=KEPT)
def read_claims(text: str) -> tuple[Claim, ...]:
    """Return the plain statements of a passage, in order.

    Args:
        text: Markdown; code is passed over, and so is what lies beyond 200 lines.

    Returns:
        At most one claim a sentence; sentences of more than 160 characters are passed over.
    """
    found = (_read_sentence(sentence, line) for line, sentence in _sentences(text))
    return tuple(claim for claim in found if claim is not None)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    fenced = False
    for number, line in enumerate(text.split("\n")[:MOST_LINES]):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced or line.startswith(("    ", "\t\t", "|")) or len(line) > 10 * MOST_CHARS:
            continue
        for sentence in _SENTENCE.split(_DECORATION.sub("", _MARKUP.sub("", line))):
            if 4 <= len(sentence.strip()) <= MOST_CHARS and not sentence.rstrip().endswith(("?", "？")):
                yield number, sentence.strip()


def _read_sentence(sentence: str, line: int) -> Claim | None:
    spoken = _SPEAKER.match(sentence)
    said = sentence[spoken.end() :] if spoken else sentence
    if not _CUES.search(said):
        return None
    for about, form in (*_LATIN_FORMS, *(_DENSE_FORMS if is_dense(said) else ())):
        found = _compiled(form).search(said)
        if found:
            claim = _claim(about, found, said)
            if claim is None:
                continue
            if spoken and not claim.subject:
                claim = replace(claim, subject=frozenset({spoken["speaker"].lower()}))
            return replace(claim, line=line)
    return None


@cache
def _compiled(form: str) -> re.Pattern[str]:
    """Return a form, made at its first use: all of them together take as long as the rest of a search by words."""
    return re.compile(form)


def _claim(about: str, found: re.Match[str], said: str) -> Claim | None:
    groups = found.groupdict()
    before = groups["subject"] or "" if "subject" in groups else said[: found.start()]
    if len(before) > MOST_SUBJECT_CHARS or _NO_SUBJECT.search(before):
        return None
    subject, value = _subject(before), _value(groups["value"], about)
    if subject is None or value is None or (about in ("is", ":") and not _is_enough(subject)):
        return None
    return Claim(subject, about, value, frozenset(_content(groups.get("old") or "")))


def _words(text: str) -> list[str]:
    return [word.lower().rstrip(".") for word in _WORD.findall(text)]


def _content(text: str) -> list[str]:
    return [word for word in _words(text) if word not in STOP_WORDS and word not in _ADVERBS]


def _subject(text: str) -> frozenset[str] | None:
    """Return who or what a sentence is of, ``None`` when that is not said or the sentence leaves the matter open."""
    words = [word for part in text.lower().replace("’", "'").split() for word in (part.strip(".,()"),) if word]
    if any(word in _OPEN or word in _SOMEBODY for word in words) or _OPEN_DENSE.search(text):
        return None
    content = [word for word in _content(text) if word not in _SELF]
    return frozenset(content) if len(content) <= MOST_SUBJECT_WORDS else None


def _value(text: str, about: str) -> frozenset[str] | None:
    """Return the words of a value, ``None`` when it is no value: too long, open, or a mere description."""
    words = _words(text)
    content = [word for word in words if word in _POLAR or word not in STOP_WORDS | _ADVERBS]
    if not content or len(content) > MOST_VALUE_WORDS or any(word in _OPEN for word in words if word not in _POLAR):
        return None
    if about in ("is", ":") and not (
        any(sign.isdigit() for sign in text) or text[:1].isupper() or content[0] in _POLAR or not content[0].isascii()
    ):
        return None
    return frozenset(content)


def _is_enough(subject: frozenset[str]) -> bool:
    """Say whether a subject is more than the key of a form: "Mood" is not."""
    parts = [part for word in subject for part in re.split(r"[._/:-]", word) if part]
    return len(parts) >= 2 or any(not word.isascii() and len(word) >= 3 for word in subject)
