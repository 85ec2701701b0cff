"""Read a question: pure. A person's text never reaches FTS5 as syntax (B081..B085, T13)."""

from __future__ import annotations

from typing import NamedTuple

from clawvault.index.lexical import bigrams, is_dense, quote, render_match, split_words, word_parts
from clawvault.patterns import compiled

# A pasted page asks for what it is about; beyond this many terms the answer no longer changes, only the time.
MAX_TERMS = 64
# Bounded, so that many opening quotes without an end cost no more than the text is long (T14).
_PHRASE = r'"([^"]{1,300})"|“([^”]{1,300})”|「([^」]{1,300})」'
MAX_READ_CHARS = 20_000
# A shorter number stands in any text by chance.
NAMING_DIGITS = 3

STOP_WORDS = frozenset(
    """a about am an and any are as at be been being but by can could did do does doing for from had has have having he
    her hers him his how i if in into is it its just me might my no nor not of on or our ours she should so some such
    than that the their theirs them then there these they this those to too us very was we were what when where which
    while who whom whose why will with would you your yours
    the s t don didn doesn isn wasn ll ve re d m""".split()
)
_STOP_DENSE = frozenset(
    "的 了 是 在 和 与 吗 呢 吧 啊 有 我 你 他 她 它 们 这 那 什么 怎么 哪个 哪些 多少 为什 哪里 如何 是什 么是 "
    "は が を に の で と も か です ます 何 은 는 이 가 을 를 의".split()
)
_KANA, _HANGUL, _HAN = "[\u3040-\u30ff]", "[\u1100-\u11ff\uac00-\ud7af]", "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
_LATIN = "[A-Za-z\u00c0-\u024f]"


class Query(NamedTuple):
    """A question as the lanes ask it.

    ``terms`` are distinct pieces for the keyword lane, each an FTS5 expression of its own; ``phrases`` those that a
    person quoted; ``names`` those of words that look like the name of something. ``dense`` says whether part of it is
    in a script written without spaces.
    """

    text: str
    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    names: tuple[str, ...]
    dense: bool

    @property
    def expressions(self) -> tuple[str, ...]:
        """Return each phrase and term once, as FTS5 expressions."""
        return tuple(dict.fromkeys((*self.phrases, *self.terms)))

    @property
    def match(self) -> str:
        """Return the ranked OR of all terms for FTS5; empty when there is nothing to look for."""
        return " OR ".join(self.expressions)


def parse_query(text: str) -> Query:
    """Read a question.

    Args:
        text: Anything at all, empty and hostile text included.

    Returns:
        Its terms: content words (stop words only when there is nothing else), the parts of compound words,
        character pairs of dense scripts, and quoted phrases.
    """
    text, whole = text[:MAX_READ_CHARS], text
    phrases = tuple(
        dict.fromkeys(
            expression for groups in compiled(_PHRASE).findall(text) for expression in _phrase_terms("".join(groups))
        )
    )
    content: list[str] = []
    common: list[str] = []
    names: list[str] = []
    for word in split_words(text):
        for term, is_common in _word_terms(word):
            (common if is_common else content).append(term)
            if not is_common and _is_name(word):
                names.append(term)
    return Query(
        text=whole,
        terms=_spread(list(dict.fromkeys(content or common)), MAX_TERMS),
        phrases=phrases[:MAX_TERMS],
        names=tuple(dict.fromkeys(names))[:MAX_TERMS],
        dense=is_dense(text),
    )


def guess_language(text: str) -> str:
    """Return the language a text's letters point to: ``ja``, ``ko``, ``zh``, ``en`` for Latin letters, else ``""``.

    Latin letters do not tell languages apart; English stands for all of them. A dense character counts as three
    letters, about a word's share.
    """
    if text.isascii():
        return "en"  # as most texts are, each of which would be gone through sign by sign
    kana, hangul, han, latin = (len(compiled(script).findall(text)) for script in (_KANA, _HANGUL, _HAN, _LATIN))
    dense = 3 * (kana + hangul + han)
    if dense > latin:
        return "ja" if kana else "ko" if hangul > han else "zh"
    other = sum(sign.isalpha() for sign in text) - latin - kana - hangul - han
    return "" if other > latin else "en"


def _word_terms(word: str) -> list[tuple[str, bool]]:
    """Return (FTS5 expression, is a stop word) for one word or dense run."""
    if is_dense(word):
        pairs = bigrams(word)
        return [(render_match([pair]), pair in _STOP_DENSE) for pair in pairs]
    prefix = "*" if word.endswith("*") else ""
    parts = word_parts(word)
    whole = quote(" ".join(parts)) + prefix
    common = all(part.lower() in STOP_WORDS for part in parts)
    terms = [(whole, common)]
    if len(parts) > 1:
        terms += [(quote(part), part.lower() in STOP_WORDS) for part in parts if len(part) > 1]
    return terms


def _is_name(word: str) -> bool:
    """Say whether a word is written like a name, an identifier, a path or a number that means something."""
    if word.isdigit():
        return len(word) >= NAMING_DIGITS
    return not is_dense(word) and (word != word.lower() or len(word_parts(word)) > 1 or any(map(str.isdigit, word)))


def _phrase_terms(text: str) -> list[str]:
    """Return a quoted phrase as adjacent tokens; a change of script begins another phrase."""
    terms: list[str] = []
    latin: list[str] = []
    for word in split_words(text):
        if is_dense(word):
            terms.append(quote(" ".join(latin)))
            latin = []
            terms.append(render_match([" ".join(bigrams(word))]))
        else:
            latin.extend(word_parts(word))
    terms.append(quote(" ".join(latin)))
    return [term for term in terms if term != '""']


def _spread(terms: list[str], limit: int) -> tuple[str, ...]:
    """Keep terms from all over a long question, in order."""
    if len(terms) <= limit:
        return tuple(terms)
    return tuple(terms[i * len(terms) // limit] for i in range(limit))
