"""Texts as the index keeps them: packed, and checked against their hash when they are read (I14).

Passages are little more than half as long packed, and unpacking one takes microseconds. They are raw deflate (RFC 1951)
with ``COMMON_TEXT`` before them: any tool that knows zlib reads them with that, and the hash says more than the sum
that zlib would add.
"""

from __future__ import annotations

import hashlib
import zlib

from clawvault.index.common_text import COMMON_TEXT

# More than any chunk has; a file from elsewhere must not be able to fill the memory (T17).
MOST_BYTES = 64_000_000
_LEVEL = 9
# A window is made for each text, and zlib's largest takes longer to make than most texts to pack. A text that is longer
# than this one is packed all the same; whoever reads it needs to know of neither.
_WINDOW_BITS = 14
_MEMORY_LEVEL = 7


def hash_text(text: str) -> bytes:
    """Return the 16 bytes that key a chunk's vector: its text alone, not where it stands."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


def pack_text(text: str) -> bytes:
    """Return a text as it is kept."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -_WINDOW_BITS, _MEMORY_LEVEL, zdict=COMMON_TEXT)
    return packer.compress(text.encode("utf-8")) + packer.flush()


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
        text = inflate(packed).decode("utf-8")
    except (zlib.error, UnicodeDecodeError):
        return None
    return text if hash_text(text) == text_hash else None


def inflate(packed: bytes) -> bytes:
    """Return what is in a packed text, whatever its hash is.

    Raises:
        zlib.error: It was never packed.
    """
    return zlib.decompressobj(-zlib.MAX_WBITS, zdict=COMMON_TEXT).decompress(packed, MOST_BYTES)
