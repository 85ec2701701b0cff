"""Bytes of bits of known odds, packed by a code that is made for them and read by zlib: pure.

A few hundred bytes are too few for zlib to find a code and write it down with them. The code here is always the same,
so it is not kept: it is put before what was kept, and any inflate reads both as one stream (RFC 1951).
"""

from __future__ import annotations

import heapq
import math
import zlib
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# How often each bit of a byte is set, in 1,024ths, the first one the highest: measured on English notes and chats. They
# are part of what a store of vectors is made of, so that a change of them needs a new version of it.
BIT_ODDS = (7, 25, 54, 96, 155, 236, 337, 437)
# Deflate allows no longer codes; rarer bytes count as if they were this frequent.
LONGEST = 15
RAREST = 1 << 11
_END = 256


class _Code(NamedTuple):
    """What begins every stream, whole bytes of it and the bits that are left; the bits of each byte, and how many."""

    prefix: bytes
    rest: npt.NDArray[np.uint8]
    bits: npt.NDArray[np.uint8]
    used: npt.NDArray[np.bool_]


def pack_bytes(data: bytes) -> bytes:
    """Return bytes in as little room as their odds allow; unlikely ones take up to twice as much as before."""
    code = _make_code()
    symbols = np.frombuffer(data, dtype=np.uint8)
    bits = np.concatenate([code.rest, code.bits[symbols][code.used[symbols]]])
    return np.packbits(bits, bitorder="little").tobytes()


def unpack_bytes(packed: bytes, size: int) -> bytes | None:
    """Return what ``pack_bytes`` was given.

    Args:
        packed: What it returned.
        size: How many bytes it was given, 1 or more.

    Returns:
        The bytes, or ``None`` when that is not what was packed.
    """
    try:
        data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(_make_code().prefix + packed, size)
    except zlib.error:
        return None
    return data if len(data) == size else None


def code_lengths() -> list[int]:
    """Return how many bits each byte takes, and last the end of a stream, which never comes (Huffman 1952)."""
    odds = [math.prod(p if byte >> (7 - k) & 1 else 1024 - p for k, p in enumerate(BIT_ODDS)) for byte in range(256)]
    rarest = 1024 ** len(BIT_ODDS) // RAREST
    # Whole numbers, and ties broken by order: the same code on every machine.
    heap = [(max(weight, rarest), symbol, [symbol]) for symbol, weight in enumerate([*odds, 0])]
    heapq.heapify(heap)
    lengths = [0] * len(heap)
    for number in range(len(heap), 2 * len(heap) - 1):
        (rare, _, left), (common, _, right) = heapq.heappop(heap), heapq.heappop(heap)
        for symbol in left + right:
            lengths[symbol] += 1
        heapq.heappush(heap, (rare + common, number, left + right))
    return lengths


@cache
def _make_code() -> _Code:
    lengths = code_lengths()
    # RFC 1951, 3.2.7: a last block with a code of its own, 257 symbols and one distance, which never comes. Lengths are
    # written in four bits each: of the 19 signs for them, the sixteen that are lengths have four bits, the others none.
    header = [1, 0, 1, *_low_first(0, 5), *_low_first(0, 5), *_low_first(15, 4)]
    header += [bit for sign in range(19) for bit in _low_first(0 if sign < 3 else 4, 3)]
    header += [bit for length in (*lengths, 1) for bit in _high_first(length, 4)]
    whole = len(header) // 8 * 8
    bits = np.zeros((256, LONGEST), dtype=np.uint8)
    for symbol, code in enumerate(_canonical(lengths)[:_END]):
        bits[symbol, : lengths[symbol]] = _high_first(code, lengths[symbol])
    return _Code(
        prefix=np.packbits(np.array(header[:whole], dtype=np.uint8), bitorder="little").tobytes(),
        rest=np.array(header[whole:], dtype=np.uint8),
        bits=bits,
        used=np.arange(LONGEST) < np.array(lengths[:_END])[:, None],
    )


def _canonical(lengths: list[int]) -> list[int]:
    """Return the code of each symbol: shorter ones first, then in order (RFC 1951, 3.2.2)."""
    codes = [0] * len(lengths)
    code = 0
    for length in range(1, LONGEST + 1):
        for symbol, its in enumerate(lengths):
            if its == length:
                codes[symbol] = code
                code += 1
        code <<= 1
    return codes


def _low_first(number: int, n_bits: int) -> list[int]:
    return [number >> k & 1 for k in range(n_bits)]


def _high_first(number: int, n_bits: int) -> list[int]:
    return _low_first(number, n_bits)[::-1]
