"""Texts as the index keeps them: packed, and checked against their hash when they are read (I14).

Passages are some six tenths as long packed, and unpacking one takes microseconds. Any tool that knows zlib reads them.
"""

from __future__ import annotations

import zlib

from clawvault.index.records import hash_text

# More than any chunk has; a file from elsewhere must not be able to fill the memory (T17).
MOST_BYTES = 64_000_000


def pack_text(text: str) -> bytes:
    """Return a text as it is kept."""
    return zlib.compress(text.encode("utf-8"))


def unpack_text(packed: object, text_hash: object) -> str | None:
    """Return the text that was kept.

    Args:
        packed: What ``pack_text`` returned.
        text_hash: The hash of the text.

    Returns:
        The text, or ``None`` when it is not the one its hash was taken of.
    """
    if not isinstance(packed, bytes):
        return None
    try:
        text = zlib.decompressobj().decompress(packed, MOST_BYTES).decode("utf-8")
    except (zlib.error, UnicodeDecodeError):
        return None
    return text if hash_text(text) == text_hash else None
