"""One line that shows why a passage is a hit: pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from clawvault.index.lexical import bigrams, is_dense, split_words, word_parts
from clawvault.search.asking.query import STOP_WORDS

SNIPPET_CHARS = 160
# What the keyword lane makes of an emoji.
_SIGN_WORD = re.compile("sign([0-9a-f]{4,5})")
_AROUND = ".,;:!?()[]{}<>'\"“”`*"
_MARKUP = re.compile(r"^\s*(?:[-*+>]\s+|#{1,6}\s+|\d+[.)]\s+|\|)")


def make_snippet(text: str, query: str, best_text: str = "") -> str:
    """Return the line of a passage that holds most of the question, cut to 160 characters around it.

    Control and direction-changing characters are left out (T19).

    Args:
        text: The passage.
        query: The question.
        best_text: The part of it that answers best: of two lines that hold as much, one of these is taken.
    """
    words = _search_words(query)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines:
        return ""
    best = max(
        range(len(lines)),
        key=lambda i: (_matches(lines[i], words), lines[i] in best_text, not lines[i].startswith("#"), -i),
    )
    # A heading is shown above the passage already; what it is about stands below it.
    if lines[best].startswith("#") and best + 1 < len(lines) and not lines[best + 1].startswith("#"):
        best += 1
    line = _printable(_MARKUP.sub("", lines[best]))
    if len(line) <= SNIPPET_CHARS:
        return line
    folded = _folded(line)
    positions = [at for word in words if (at := folded.find(word)) >= 0]
    start = max(0, min(min(positions, default=0) - SNIPPET_CHARS // 4, len(line) - SNIPPET_CHARS))
    cut = line[start : start + SNIPPET_CHARS].strip()
    return ("…" if start else "") + cut + ("…" if start + SNIPPET_CHARS < len(line) else "")


def find_snippet(text: str, snippet: str) -> int:
    """Return where the snippet of a passage begins in its text; 0 where signs of it were left out."""
    return max(0, text.find(uncut(snippet)))


def uncut(snippet: str) -> str:
    """Return a snippet without the marks that it was cut at its ends."""
    return snippet.strip("…").strip()


@lru_cache(maxsize=16)
def _search_words(query: str) -> tuple[str, ...]:
    """Return the content words of a question without their last letters, which other forms of a word change.

    What is written with signs counts as written too (``C++``, ``v3.14.2``); common words count where there is nothing
    else.
    """
    words: list[str] = []
    common: list[str] = []
    for word in split_words(query)[:64]:
        sign = _SIGN_WORD.fullmatch(word)
        if sign:
            words.append(chr(int(sign[1], 16)))
        elif is_dense(word):
            words.extend(bigrams(word))
        else:
            parts = [part.lower() for part in word_parts(word)]
            content = [part for part in parts if part not in STOP_WORDS]
            written = _folded(word).strip(_AROUND)
            (words if content and written not in content else common).append(written)
            words.extend(part[: max(4, len(part) - 2)] for part in content)
    return tuple(dict.fromkeys(words or common))


def _matches(line: str, words: Sequence[str]) -> int:
    folded = _folded(line)
    return sum(len(word) for word in words if word in folded)


def _folded(text: str) -> str:
    return text.lower().replace("’", "'")


def _printable(text: str) -> str:
    text = text.replace("\t", " ")
    return text if text.isprintable() else "".join(sign for sign in text if unicodedata.category(sign)[0] != "C")
