"""The presets people know from other tools."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from clawvault.config import ChunkSettings
from clawvault.index.chunking import chunk_note
from clawvault.vault.markdown import parse_note


def count_words(texts: Sequence[str]) -> list[int]:
    return [2 + len(text.split()) for text in texts]


def cut(text: str, preset: str, *, max_tokens: int = 0, **sizes: int) -> list[str]:
    settings = ChunkSettings(preset=preset, **sizes)
    chunks = chunk_note(text, parse_note(text), settings, count_tokens=count_words, max_tokens=max_tokens)
    return [text[chunk.char_start : chunk.char_end] for chunk in chunks]


def numbered(number: int) -> str:
    return " ".join(f"w{n}" for n in range(number))


def test_ironclaw_makes_three_chunks_of_two_thousand_words() -> None:
    """IW-22, IW-23, IW-25: 800 words, 15 percent shared."""
    found = [part.split() for part in cut(numbered(2000), "ironclaw")]
    assert [(part[0], part[-1], len(part)) for part in found] == [
        ("w0", "w799", 800),
        ("w680", "w1479", 800),
        ("w1360", "w1999", 640),
    ]


@pytest.mark.parametrize(("words", "lengths"), [(800, [800]), (849, [849]), (850, [800, 170]), (1, [1])])
def test_ironclaw_joins_a_tail_under_fifty_words(words: int, lengths: list[int]) -> None:
    """IW-24."""
    assert [len(part.split()) for part in cut(numbered(words), "ironclaw")] == lengths


def test_ironclaw_counts_a_chinese_character_as_a_word() -> None:
    text = "".join(chr(0x4E00 + n) for n in range(2000))
    assert [len(part) for part in cut(text, "ironclaw")] == [800, 800, 640]


def test_ironclaw_keeps_to_what_the_model_reads() -> None:
    found = cut(numbered(2000), "ironclaw", max_tokens=256)
    assert max(count_words(found)) == 256
    assert {word for part in found for word in part.split()} == set(numbered(2000).split())


def test_openclaw_makes_chunks_of_four_hundred_tokens_that_share_eighty() -> None:
    """OC-24: lines are kept whole."""
    text = "\n".join(f"{n} " + "word " * 9 for n in range(100))
    found = [part.splitlines() for part in cut(text, "openclaw")]
    assert [(part[0].split()[0], part[-1].split()[0], len(part)) for part in found] == [
        ("0", "39", 40),
        ("32", "71", 40),
        ("64", "99", 36),
    ]


def test_openclaw_cuts_a_line_longer_than_a_chunk() -> None:
    found = cut("word " * 3000, "openclaw")
    assert max(count_words(found)) <= 402


def test_fixed_cuts_by_length_with_the_overlap_asked_for() -> None:
    """CB-48."""
    text = " ".join(f"{n:04}" for n in range(200))
    found = cut(text, "fixed", max_chars=100, overlap_chars=20)
    assert [(part[:4], part[-4:]) for part in found[:3]] == [("0000", "0019"), ("0016", "0035"), ("0032", "0051")]
    assert {len(part) for part in found[:-1]} == {99}


def test_fixed_without_overlap_shares_nothing() -> None:
    found = cut(" ".join(f"{n:04}" for n in range(200)), "fixed", max_chars=100)
    assert [word for part in found for word in part.split()] == [f"{n:04}" for n in range(200)]


def test_paragraph_makes_a_chunk_of_each_paragraph_and_keeps_a_list_together() -> None:
    """CB-48."""
    text = "# Title\n\nFirst paragraph.\n\nSecond paragraph\non two lines.\n\n- one\n- two\n\nLast.\n"
    assert cut(text, "paragraph") == [
        "# Title\n\nFirst paragraph.",
        "Second paragraph\non two lines.",
        "- one\n- two",
        "Last.",
    ]
