"""What the keyword lane stores and asks for: text and match expressions for FTS5.

FTS5's own tokenizer sees words between spaces, so scripts written without spaces would be one word a sentence.
Runs of those scripts become overlapping character bigrams before they reach it; a run's last character
is also kept alone, so that every single character is the start of some token and a one-character
question can be asked as a prefix. Signs that FTS5 drops but people search for (``C++``, emoji) become words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from clawvault.patterns import compiled

# Han with its extensions and iteration marks, kana, bopomofo, Hangul, Thai, Lao, Khmer, Myanmar.
DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Plain ASCII needs none of the patterns that are kept as texts, and together they take as long as many a command.
DENSE_RUN = f"[{DENSE}]+"
_SIGNED_NAME = re.compile(r"(?<![^\W_])([A-Za-z])(\+\+|#)(?![\w#+])")
_ASCII_BREAK = re.compile(r"[\W_]+")
_SIGN_WORDS = {"++": "plusplus", "#": "sharp"}
_PICTOGRAPH = "[\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff]"
# A search string has no use for what cannot be seen, and FTS5 ends a string at NUL.
_UNSEEN = "[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"

# Accents, the vowel points and kashida of Hebrew and Arabic, and joiners are written or not as the writer likes. The
# vowel signs of other scripts are not among them: they make another word.
_OPTIONAL_MARK = (
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u200c\u200d]"
)

WEIGHT_TITLE, WEIGHT_HEADING, WEIGHT_BODY = 1.0, 1.0, 1.0


def is_dense(text: str) -> bool:
    """Say whether a text holds a character of a script written without spaces."""
    return not text.isascii() and compiled(DENSE_RUN).search(text) is not None


def bigrams(run: str) -> list[str]:
    """Return the overlapping character pairs of one run, in order; a single character is itself (OC-28)."""
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def fold(text: str) -> str:
    """Return a text in the form notes and questions are compared in: NFKC, no unseen characters, no optional marks."""
    if text.isascii():
        # Told for a whole text in a fraction of the time of the pattern; what is in no line is not printable.
        return text if text.replace("\n", "").isprintable() else compiled(_UNSEEN).sub(" ", text)
    seen = compiled(_UNSEEN).sub(" ", text)
    if seen.isascii():
        return seen
    return unicodedata.normalize("NFKC", compiled(_OPTIONAL_MARK).sub("", unicodedata.normalize("NFKD", seen)))


def render_index_text(text: str) -> str:
    """Return a text as it is given to FTS5 for indexing.

    Args:
        text: Any text; lone surrogates and NULs are harmless.

    Returns:
        The folded text with dense runs as bigrams and signs as words; it is for matching only, never shown.
    """
    text = _signs_to_words(fold(text))
    return text if text.isascii() else compiled(DENSE_RUN).sub(_render_run, text)


def _render_run(match: re.Match[str]) -> str:
    run = match.group()
    pairs = bigrams(run)
    return f" {' '.join(pairs)} {run[-1]} " if len(run) > 1 else f" {run} "


def _signs_to_words(text: str) -> str:
    if _may_sign(text, "#") or _may_sign(text, "++"):
        text = _SIGNED_NAME.sub(lambda match: f"{match[1]}{match[2]} {match[1]}{_SIGN_WORDS[match[2]]}", text)
    if text.isascii():
        return text
    return compiled(_PICTOGRAPH).sub(lambda match: f" sign{ord(match.group()):x} ", text)


def _may_sign(text: str, sign: str) -> bool:
    """Say whether a letter stands before a sign: before those of most headings there is none."""
    at = text.find(sign, 1)
    while at >= 0:
        if text[at - 1].isalpha():
            return True
        at = text.find(sign, at + 1)
    return False


def split_words(text: str) -> list[str]:
    """Return the searchable pieces of a question in order: words as typed, dense runs, signs as words.

    A word keeps its inner punctuation (``REDIS_HOST``, ``don't``, ``v3.14.2``); FTS5 reads such a word as a phrase.
    """
    pieces: list[str] = []
    for word in _signs_to_words(fold(text)).split():
        if word.isascii():
            pieces.append(word)
            continue
        position = 0
        for run in compiled(DENSE_RUN).finditer(word):
            pieces.append(word[position : run.start()])
            pieces.append(run.group())
            position = run.end()
        pieces.append(word[position:])
    return [piece for piece in pieces if any(sign.isalnum() for sign in piece)]


def word_parts(word: str) -> list[str]:
    """Return the pieces FTS5 will see in one word: ``REDIS_HOST`` gives ``REDIS`` and ``HOST``."""
    if word.isascii():
        return [part for part in _ASCII_BREAK.split(word) if part]
    spaced = "".join(sign if sign.isalnum() or unicodedata.category(sign) in {"Mn", "Mc"} else " " for sign in word)
    return spaced.split()


def quote(term: str) -> str:
    """Return a term as an FTS5 string, in which nothing is syntax (T13, B081..B085)."""
    return '"' + term.replace('"', '""') + '"'


def render_match(terms: Iterable[str]) -> str:
    """Return the ranked OR of terms; dense terms of one character are asked for as prefixes.

    Args:
        terms: Words, bigrams or phrases with at least one letter or digit each.

    Returns:
        A match expression in which no user text is syntax; empty when there are no terms.
    """
    return " OR ".join(f"{quote(term)}*" if len(term) == 1 and is_dense(term) else quote(term) for term in terms)
