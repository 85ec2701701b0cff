"""What a statement is about, in a few words: pure (OC-40, OC-47)."""

from __future__ import annotations

import re

from clawvault.index.lexical import bigrams, is_dense, split_words
from clawvault.search.asking.query import STOP_WORDS
from clawvault.vault.dating import DAY_IN_NAME

MOST_TAGS = 8
SHORTEST = 3
_SLUG = re.compile(r"[^\w]+|_+")


def concept_tags(path: str, text: str) -> tuple[str, ...]:
    """Return the concepts of a statement.

    Args:
        path: Its note; the words of its name after the day count.
        text: The statement.

    Returns:
        Distinct words in lower case, and pairs of dense scripts, at most 8, in order of appearance. Common words and
        plain numbers are none.
    """
    name = path.rpartition("/")[2]
    slug = _SLUG.sub(" ", name.rpartition(".")[0][10:]) if DAY_IN_NAME.fullmatch(name) else ""
    found: dict[str, None] = {}
    for word in split_words(f"{slug} {text}"):
        for part in bigrams(word)[::2] if is_dense(word) else [word.lower().strip("._-'")]:
            if part not in STOP_WORDS and not part.isdecimal() and (is_dense(part) or len(part) >= SHORTEST):
                found.setdefault(part)
    return tuple(found)[:MOST_TAGS]
