"""How a long note was cut is remembered: that must never show but in the work it takes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.config import ChunkSettings
from clawvault.index import known_cuts, splitting, units
from clawvault.index.chunking import Chunk, chunk_note
from clawvault.index.known_cuts import KnownCuts
from clawvault.vault.markdown import parse_note

LINES = (
    "- a heron", "- a heron. It waits, and stands.", "# Log", "## Later", "", "", "a kingfisher", "```", "---",
    "word " * 40, "x" * 90, "水" * 60, "- " + "one, two. " * 12, "    nested", "| a | b |", "|---|---|", "e\u0301" * 50,
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(LINES), max_size=60).map("\n".join)
SETTINGS = ChunkSettings(max_chars=200, min_chars=60)
HERONS = "".join(f"- The heron {number} stands in the river.\n" for number in range(3000))


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def cut(text: str, cuts: KnownCuts | None, preset: str = "markdown") -> list[Chunk]:
    chosen = ChunkSettings(preset=preset, max_chars=SETTINGS.max_chars, min_chars=SETTINGS.min_chars)
    return chunk_note(text, parse_note(text), chosen, count_tokens=count_words, max_tokens=30, cuts=cuts)


@pytest.mark.parametrize("preset", ["markdown", "paragraph"])
@given(edits=st.lists(st.tuples(TEXTS, st.floats(0, 1)), min_size=1, max_size=6))
@settings(deadline=None, max_examples=100)
def test_a_note_is_cut_the_same_whatever_was_cut_before(preset: str, edits: list[tuple[str, float]]) -> None:
    cuts = KnownCuts()
    text = ""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitting, "REMEMBERED_CHUNKS", 2)
        patch.setattr(known_cuts, "MOST_CUTS", 20)
        for more, share in edits:
            place = int(share * len(text))
            text = text[:place] + more + text[place:]
            assert cut(text, cuts, preset) == cut(text, None, preset)
            assert cut(f"{text}\n{more}", cuts, preset) == cut(f"{text}\n{more}", None, preset)


def test_a_line_at_the_end_of_a_long_note_has_few_chunks_counted() -> None:
    counted: list[int] = []

    def noted(texts: Sequence[str]) -> list[int]:
        counted.append(len(texts))
        return count_words(texts)

    cuts = KnownCuts()
    for text in (HERONS, f"{HERONS}- One more.\n"):
        counted.clear()
        chunks = chunk_note(text, parse_note(text), ChunkSettings(), count_tokens=noted, max_tokens=512, cuts=cuts)
    assert len(chunks) > 100
    assert sum(counted) <= 12


def test_each_line_is_hashed_once_however_often_the_note_grows() -> None:
    units._hash_text.cache_clear()
    for number in range(3):
        cut(f"{HERONS}{'- One more.' * number}", None)
    assert units._hash_text.cache_info().misses <= 3010


def test_no_more_is_remembered_than_the_last_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_cuts, "MOST_CUTS", 2)
    cuts = KnownCuts()
    for name in (b"a", b"b", b"c"):
        cuts.add(name, [(0, 1)])
    assert [cuts.find(name) for name in (b"a", b"b", b"c")] == [None, [(0, 1)], [(0, 1)]]
