"""The long words of a text: keys and encoded text are in those alone (pure)."""

from __future__ import annotations

from functools import lru_cache

LONG = 20


# A note is looked through for secrets and for encoded text, one after the other.
@lru_cache(maxsize=1)
def long_words(text: str) -> tuple[str, ...]:
    """Return the words of a text that are long, in order.

    Args:
        text: A note, or a piece of one.

    Returns:
        What stands between white space and has ``LONG`` characters or more.
    """
    return tuple([word for word in text.split() if len(word) >= LONG])
