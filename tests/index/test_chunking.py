"""The Markdown preset: sections, lists, tables and fences, and where a chunk says it stands."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from clawvault.config import ChunkSettings
from clawvault.index.chunker_key import chunker_key
from clawvault.index.chunking import Chunk, chunk_note
from clawvault.vault.markdown import parse_note

SENTENCE = "The quick brown fox jumps over the lazy dog near the river. "


def count_words(texts: Sequence[str]) -> list[int]:
    return [2 + len(text.split()) for text in texts]


def count_characters(texts: Sequence[str]) -> list[int]:
    return [2 + sum(not character.isspace() for character in text) for text in texts]


def cut(text: str, *, max_tokens: int = 0, max_chars: int = 1000, min_chars: int = 400) -> list[Chunk]:
    settings = ChunkSettings(max_chars=max_chars, min_chars=min_chars)
    return chunk_note(text, parse_note(text), settings, count_tokens=count_words, max_tokens=max_tokens)


def slices(text: str, chunks: Sequence[Chunk]) -> list[str]:
    return [text[chunk.char_start : chunk.char_end] for chunk in chunks]


def test_a_small_note_is_one_chunk() -> None:
    text = "# Databases\n\nPostgres runs on port 5433.\n"
    assert cut(text) == [
        Chunk(0, 0, len(text) - 1, line_start=1, line_end=3, heading=("Databases",), pinned=False),
    ]


@pytest.mark.parametrize(
    "text", ["", "\n\n\n", "   \n\t\n", "---\ntitle: x\ntags: [a]\n---\n", "---\ntitle: x\n---\n\n\n"]
)
def test_a_note_without_a_body_has_no_chunks(text: str) -> None:
    assert cut(text) == []


def test_front_matter_is_not_chunked() -> None:
    text = "---\ntitle: x\n---\nbody\n"
    (chunk,) = cut(text)
    assert (text[chunk.char_start : chunk.char_end], chunk.line_start, chunk.line_end) == ("body", 4, 4)


def test_blank_lines_at_the_ends_are_left_out_but_indentation_stays() -> None:
    text = "\n\n    indented code\n\n\n"
    (chunk,) = cut(text)
    assert (text[chunk.char_start : chunk.char_end], chunk.line_start, chunk.line_end) == ("    indented code", 3, 3)


def test_each_section_of_fair_size_is_a_chunk() -> None:
    text = "".join(f"## Part {number}\n\n{SENTENCE * 8}\n\n" for number in range(5))
    assert [chunk.heading for chunk in cut(text)] == [
        ("Part 0",),
        ("Part 1",),
        ("Part 2",),
        ("Part 3",),
        ("Part 4",),
    ]


def test_sections_that_fit_together_but_are_long_enough_alone_stay_apart() -> None:
    text = f"## One\n\n{SENTENCE * 7}\n\n## Two\n\n{SENTENCE * 7}\n"
    assert len(text) < 1000
    assert [chunk.heading for chunk in cut(text)] == [("One",), ("Two",)]


def test_a_heading_is_never_parted_from_what_follows_it() -> None:
    text = f"{SENTENCE * 12}\n\n# Title\n\n## Sub\n\n{SENTENCE * 12}\n"
    found = slices(text, cut(text))
    assert [part.splitlines()[0][:7] for part in found] == ["The qui", "# Title"]
    assert found[1].startswith("# Title\n\n## Sub\n\nThe quick")


def test_the_heading_path_names_every_heading_above() -> None:
    text = f"# Home\n\n{SENTENCE * 9}\n\n## Network\n\n### Wifi\n\n{SENTENCE * 9}\n\n## Garden\n\n{SENTENCE * 9}\n"
    assert [chunk.heading for chunk in cut(text)] == [
        ("Home",),
        ("Home", "Network", "Wifi"),
        ("Home", "Garden"),
    ]


def test_a_comment_in_a_fence_is_no_heading() -> None:
    """B067."""
    text = "# Setup\n\n```sh\n# install\nmake\n```\n\nDone.\n"
    assert [chunk.heading for chunk in cut(text)] == [("Setup",)]


def test_a_fence_that_fits_is_kept_whole() -> None:
    """B069."""
    fence = "```python\n" + "x = compute(1)\n" * 40 + "```"
    text = f"{SENTENCE * 6}\n\n{fence}\n\n{SENTENCE * 6}\n"
    assert {part.count("```") for part in slices(text, cut(text))} == {0, 2}


def test_a_fence_longer_than_a_chunk_is_cut_at_lines() -> None:
    lines = [f"value_{number:03} = compute({number})" for number in range(120)]
    text = "```python\n" + "\n".join(lines) + "\n```\n"
    starts = {part.split("\n")[0] for part in slices(text, cut(text))}
    assert starts <= {"```python", *lines}


def test_a_table_that_fits_is_kept_whole() -> None:
    table = "| name | port |\n| --- | --- |\n" + "".join(f"| host{n} | {n} |\n" for n in range(40))
    text = f"{SENTENCE * 8}\n\n{table}\n{SENTENCE * 8}\n"
    assert table.strip() in slices(text, cut(text))


def test_a_long_list_is_cut_between_items() -> None:
    items = [f"- item {number} {SENTENCE}" for number in range(60)]
    text = "\n".join(items) + "\n"
    assert {part[:7] for part in slices(text, cut(text))} == {"- item "}
    assert all(part.endswith(".") for part in slices(text, cut(text)))


def test_an_item_keeps_its_nested_items_where_they_fit() -> None:
    items = [f"- day {day}\n" + "".join(f"  - task {task}: {SENTENCE}\n" for task in range(5)) for day in range(20)]
    text = "".join(items)
    assert {part[:6] for part in slices(text, cut(text))} == {"- day "}


def test_one_long_line_is_cut_after_sentences() -> None:
    """B065: no line break is made up."""
    text = SENTENCE * 100
    found = slices(text, cut(text))
    assert {part[-1] for part in found} == {"."}
    assert " ".join(found) == text.strip()


@pytest.mark.parametrize("mark", ["。", "！", "？"])
def test_a_long_chinese_line_is_cut_after_sentences(mark: str) -> None:
    text = "".join(f"第{number}天我们讨论了数据库的迁移计划以及下一步的工作安排{mark}" for number in range(100))
    found = slices(text, cut(text))
    assert {part[-1] for part in found} == {mark}
    assert "".join(found) == text


def test_a_giant_table_cell_makes_no_giant_chunk() -> None:
    """B063."""
    text = "| a | b |\n| - | - |\n| x | " + "word " * 4200 + "|\n"
    assert max(len(part) for part in slices(text, cut(text))) <= 1000


def test_a_run_without_any_space_is_cut_by_length() -> None:
    text = "a" * 5000
    found = slices(text, cut(text))
    assert "".join(found) == text
    assert max(len(part) for part in found) <= 1000


def test_no_letter_is_parted_from_its_accent_nor_an_emoji_from_what_joins_it() -> None:
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    text = "".join(["e\u0301" * 40, family * 40] * 20)
    starts = {part[0] for part in slices(text, cut(text, max_chars=100, min_chars=40))}
    assert starts <= {"e", "\U0001f469", "\U0001f467"} - {"\u0301", "\u200d"}


def test_a_chunk_is_never_longer_than_the_model_reads() -> None:
    """L26: a fact at the end of a long section is not cut off unseen."""
    text = SENTENCE * 100
    parts = slices(text, cut(text, max_tokens=64))
    assert max(count_words(parts)) <= 64
    assert parts[-1].endswith("near the river.")


def test_chinese_counts_by_character_where_the_model_does() -> None:
    text = "第一天我们讨论了数据库的迁移计划，下一步是工作安排。" * 60
    chunks = chunk_note(text, parse_note(text), ChunkSettings(), count_tokens=count_characters, max_tokens=256)
    assert max(count_characters(slices(text, chunks))) <= 256
    assert "".join(slices(text, chunks)) == text


def test_crlf_gives_the_same_lines_and_words_as_lf() -> None:
    """B053."""
    text = "---\ntitle: x\n---\n" + "".join(f"## Part {n}\n\n- {SENTENCE * 3}\n- {SENTENCE * 6}\n\n" for n in range(9))
    windows = text.replace("\n", "\r\n")
    assert [(c.line_start, c.line_end, c.heading) for c in cut(windows)] == [
        (c.line_start, c.line_end, c.heading) for c in cut(text)
    ]
    assert [part.replace("\r\n", "\n") for part in slices(windows, cut(windows))] == slices(text, cut(text))


def test_a_pin_marks_the_chunk_that_holds_its_line() -> None:
    text = "".join(f"## Part {n}\n\n{SENTENCE * 8}\n\n" for n in range(3)) + "Keep this. #pin\n"
    assert [chunk.pinned for chunk in cut(text)] == [False, False, True]


def test_a_drawing_is_left_out_and_the_text_around_it_stays() -> None:
    """B075."""
    text = (
        "---\nexcalidraw-plugin: parsed\n---\n# Sketch\n\nRoof plan.\n\n"
        "%%\n## Drawing\n```compressed-json\n"
        + "N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2Kq\n" * 400
        + "```\n%%\n"
    )
    found = slices(text, cut(text))
    assert found[0].startswith("# Sketch")
    assert all("N4KAkARALgngDgUwg" not in part for part in found)


@pytest.mark.parametrize(
    "text",
    [
        "[[" * 50_000,
        " " * 100_000 + "x",
        "`" * 100_000,
        "*_" * 50_000,
        ". " * 50_000,
        "." * 100_000,
        "- " * 50_000,
        "\n" * 100_000 + "x",
        "- a\n" * 25_000,
        "# h\n" * 25_000,
        "，" * 100_000,
        "> " * 50_000,
    ],
    ids=[
        "links",
        "spaces",
        "ticks",
        "stars",
        "dots",
        "one dot",
        "dashes",
        "lines",
        "items",
        "heads",
        "commas",
        "quotes",
    ],
)
def test_hostile_text_is_cut_in_good_time(text: str) -> None:
    """B073, F21: measured by what 100 kB of it costs the chunker alone."""
    parsed = parse_note(text)
    begin = time.process_time()
    chunks = chunk_note(text, parsed, ChunkSettings(), count_tokens=count_words, max_tokens=256)
    assert time.process_time() - begin < 8.0
    assert max(chunk.char_end - chunk.char_start for chunk in chunks) <= 1000


def test_twice_the_text_costs_about_twice_the_time() -> None:
    """F43: no quadratic step."""
    text = "".join(f"- {number} {SENTENCE}\n" for number in range(8000))
    double = text + "".join(f"- {number} {SENTENCE}\n" for number in range(8000, 16_000))
    costs = []
    for note in (text, double):
        parsed = parse_note(note)
        begin = time.process_time()
        chunk_note(note, parsed, ChunkSettings(), count_tokens=count_words, max_tokens=0)
        costs.append(time.process_time() - begin)
    assert costs[1] < 4 * costs[0] + 0.2


def test_the_key_names_what_decides_the_cut() -> None:
    """I21, L1."""
    assert chunker_key(ChunkSettings(), 256) == "markdown-2.5/1000/400/256"
    assert chunker_key(ChunkSettings(preset="ironclaw"), 0) == "ironclaw-2.5/0"
    assert chunker_key(ChunkSettings(preset="fixed", overlap_chars=80), 512) == "fixed-2.5/1000/80/512"
