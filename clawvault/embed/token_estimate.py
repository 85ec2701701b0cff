"""How many tokens a text can have at most, for a model whose tokenizer is not at hand."""

from __future__ import annotations

import re

# Chinese characters, kana and full-width forms are a piece each at the worst in models with a short window.
_WIDE = "\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_PARTS = re.compile(rf"(?P<wide>[{_WIDE}])|(?P<word>[a-zA-Z]+)|(?P<space>\s+)|(?P<other>.)", re.DOTALL)
LETTERS_PER_TOKEN = 3
MARKS = 2


def estimate_tokens(text: str) -> int:
    """Give a cautious count of tokens: rarely below what a real tokenizer counts, often above.

    A run of Latin letters counts a token for every three; a Chinese or Japanese character, an ASCII digit or mark
    counts one, any other character two. Spaces belong to the next word.

    Args:
        text: Any text.

    Returns:
        Tokens, the two marks at the ends included.
    """
    total = MARKS
    for match in _PARTS.finditer(text):
        kind = match.lastgroup
        if kind == "word":
            total += -(-len(match.group()) // LETTERS_PER_TOKEN)
        elif kind == "wide":
            total += 1
        elif kind == "other":
            total += 1 if match.group().isascii() else 2
    return total
