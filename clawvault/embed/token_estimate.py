"""How many tokens a text can have at most, for a model whose tokenizer is not at hand."""

from __future__ import annotations

import re

# Chinese characters and kana, Hangul syllables and full-width forms: two pieces each at the worst in common models.
_WIDE = "\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_PARTS = re.compile(rf"(?P<wide>[{_WIDE}])|(?P<word>[a-zA-Z]+)|(?P<space>\s+)|(?P<other>.)", re.DOTALL)
LETTERS_PER_TOKEN = 3
MARKS = 2


def estimate_tokens(text: str) -> int:
    """Give a cautious count of tokens: rarely below what a real tokenizer counts, often above.

    A run of Latin letters counts a token for every three, a wide character or one of any other script two, a digit
    or mark one. Spaces belong to the next word.

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
            total += 2
        elif kind == "other":
            total += 1 if match.group().isascii() else 2
    return total
