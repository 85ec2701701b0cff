"""Bytes packed by a code that is never written down, and read by zlib."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from clawvault.index.sign_codes import LONGEST, code_lengths, pack_bytes, unpack_bytes


@given(st.binary(min_size=1, max_size=600))
def test_what_is_packed_comes_back(data: bytes) -> None:
    assert unpack_bytes(pack_bytes(data), len(data)) == data


@given(st.binary(max_size=80), st.integers(1, 4000))
def test_anything_else_is_refused_or_of_the_size_asked_for(junk: bytes, size: int) -> None:
    found = unpack_bytes(junk, size)
    assert found is None or len(found) == size


def test_what_was_cut_off_is_refused() -> None:
    packed = pack_bytes(bytes(range(256)))
    assert unpack_bytes(packed[:-3], 256) is None


def test_common_bytes_take_two_bits_and_rare_ones_no_more_than_zlib_allows() -> None:
    lengths = code_lengths()
    assert (lengths[0], max(lengths) <= LONGEST) == (2, True)
    assert sum(2 ** (LONGEST - length) for length in lengths) == 2**LONGEST


def test_the_code_is_the_one_that_stores_were_written_with() -> None:
    """Another code needs another version of the store of vectors: what is there could not be read any more."""
    assert hashlib.sha256(bytes(code_lengths())).hexdigest()[:16] == "2e9994da9d7a47f7"
    assert pack_bytes(bytes([0, 1, 2, 4, 128, 255])).hex() == "228b63ff03"
