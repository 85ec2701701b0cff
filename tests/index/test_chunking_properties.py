"""What holds of every chunk of every text."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.config import ChunkSettings
from clawvault.index.chunking import Chunk, chunk_note
from clawvault.vault.markdown import ParsedNote, parse_note

PRESETS = ["markdown", "paragraph", "fixed", "openclaw", "ironclaw"]
LINE = st.sampled_from(
    [
        "",
        "",
        "# Title",
        "## Sub",
        "### 三级标题",
        "- item one with some words",
        "  - nested item",
        "1. first",
        "> [!note] quoted",
        "> more",
        "```",
        "````python",
        "~~~",
        "| a | b |",
        "| - | - |",
        "---",
        "===",
        "title: x",
        "    indented",
        "A sentence of a few words. And another one! Is this a third?",
        "今天我们讨论了数据库的迁移计划。下一步是备份！",
        "word " * 60,
        "长" * 300,
        "x" * 400,
        "e\u0301\u200d\u0301" * 20,
        "%%",
        "\ttab",
        "\u00a0\u2028 odd \x0b\x0c spaces \x85",
        "a\rb",
        "\x00nul",
        "\ud800 alone",
    ]
)
NOTE = st.tuples(st.lists(LINE, max_size=60), st.sampled_from(["\n", "\r\n"])).map(lambda pair: pair[1].join(pair[0]))
SETTINGS = st.builds(
    ChunkSettings,
    preset=st.sampled_from(PRESETS),
    max_chars=st.integers(100, 1200),
    min_chars=st.integers(1, 1200),
    overlap_chars=st.integers(0, 600),
)


def count_characters(texts: Sequence[str]) -> list[int]:
    return [2 + sum(not character.isspace() for character in text) for text in texts]


def cut(text: str, chunk_settings: ChunkSettings, max_tokens: int) -> tuple[ParsedNote, list[Chunk]]:
    parsed = parse_note(text)
    return parsed, chunk_note(text, parsed, chunk_settings, count_tokens=count_characters, max_tokens=max_tokens)


def characters_to_cover(text: str, parsed: ParsedNote) -> set[int]:
    left_out = {
        line
        for block in parsed.blocks
        if block.kind in {"front_matter", "drawing"}
        for line in range(block.line_start, block.line_end + 1)
    }
    offsets: set[int] = set()
    start = 0
    for number, line in enumerate(text.split("\n"), start=1):
        inside = range(start, start + len(line)) if number >= parsed.body_line and number not in left_out else range(0)
        offsets.update(offset for offset in inside if not text[offset].isspace())
        start += len(line) + 1
    return offsets


@settings(deadline=None, max_examples=150)
@given(text=NOTE, chunk_settings=SETTINGS, max_tokens=st.sampled_from([0, 40, 256]))
def test_every_character_of_the_body_is_in_a_chunk_and_nothing_else_is(
    text: str, chunk_settings: ChunkSettings, max_tokens: int
) -> None:
    """B063, B065, B079."""
    parsed, chunks = cut(text, chunk_settings, max_tokens)
    covered = {offset for chunk in chunks for offset in range(chunk.char_start, chunk.char_end)}
    assert characters_to_cover(text, parsed) == {offset for offset in covered if not text[offset].isspace()}


@settings(deadline=None, max_examples=150)
@given(text=NOTE, chunk_settings=SETTINGS, max_tokens=st.sampled_from([0, 40, 256]))
def test_lines_and_ordinals_are_those_of_the_text(text: str, chunk_settings: ChunkSettings, max_tokens: int) -> None:
    """B053."""
    _, chunks = cut(text, chunk_settings, max_tokens)
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert [(chunk.line_start, chunk.line_end) for chunk in chunks] == [
        (text.count("\n", 0, chunk.char_start) + 1, text.count("\n", 0, chunk.char_end - 1) + 1) for chunk in chunks
    ]
    assert all(text[chunk.char_start : chunk.char_end].strip() for chunk in chunks)
    assert [chunk.char_start for chunk in chunks] == sorted(chunk.char_start for chunk in chunks)


@settings(deadline=None, max_examples=150)
@given(text=NOTE, chunk_settings=SETTINGS, max_tokens=st.sampled_from([8, 40, 256]))
def test_no_chunk_is_longer_than_the_model_reads(text: str, chunk_settings: ChunkSettings, max_tokens: int) -> None:
    """L26."""
    _, chunks = cut(text, chunk_settings, max_tokens)
    counts = count_characters([text[chunk.char_start : chunk.char_end] for chunk in chunks])
    assert max(counts, default=0) <= max_tokens


@settings(deadline=None, max_examples=100)
@given(text=NOTE, chunk_settings=SETTINGS)
def test_no_chunk_of_a_preset_measured_in_characters_is_longer_than_asked(
    text: str, chunk_settings: ChunkSettings
) -> None:
    """B063."""
    chunks = cut(text.replace("\r\n", "\n"), chunk_settings, 0)[1]
    longest = max((chunk.char_end - chunk.char_start for chunk in chunks), default=0)
    bound = {"openclaw": 10**9, "ironclaw": 10**9}.get(chunk_settings.preset, chunk_settings.max_chars)
    assert longest <= bound


@settings(deadline=None, max_examples=100)
@given(text=NOTE, preset=st.sampled_from(["markdown", "paragraph"]))
def test_presets_without_overlap_give_chunks_that_do_not_touch(text: str, preset: str) -> None:
    chunks = cut(text, ChunkSettings(preset=preset, max_chars=200, min_chars=80), 0)[1]
    ends = [chunk.char_end for chunk in chunks]
    starts = [chunk.char_start for chunk in chunks]
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))


@settings(deadline=None, max_examples=60)
@given(text=NOTE)
def test_the_same_text_is_cut_the_same_way_twice(text: str) -> None:
    """I26."""
    assert cut(text, ChunkSettings(), 256) == cut(text, ChunkSettings(), 256)
