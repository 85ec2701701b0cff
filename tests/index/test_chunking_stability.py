"""An edit moves the cuts beside it and no others, so that little is embedded again."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.config import ChunkSettings
from clawvault.index.chunking import chunk_note
from clawvault.vault.markdown import parse_note

WORDS = "harbour lantern copper meadow violin saddle orchard ribbon granite pepper thimble walnut canyon".split()


def sentence(seed: int, length: int) -> str:
    return " ".join(WORDS[(seed * 7 + place * place + seed // 13) % len(WORDS)] for place in range(length)) + "."


def sections(number: int) -> str:
    return "".join(
        f"## Section {n}\n\n{sentence(n, 30 + n * 17 % 70)}\n\n{sentence(n + 99, 20)}\n\n" for n in range(number)
    )


def flat_list(number: int) -> str:
    return "".join(f"- {n} {sentence(n, 6 + n * 5 % 17)}\n" for n in range(number))


def count_words(texts: Sequence[str]) -> list[int]:
    return [2 + len(text.split()) for text in texts]


def chunk_texts(text: str) -> list[str]:
    chunks = chunk_note(text, parse_note(text), ChunkSettings(), count_tokens=count_words, max_tokens=256)
    return [text[chunk.char_start : chunk.char_end] for chunk in chunks]


def new_after(before: str, after: str) -> int:
    return len(set(chunk_texts(after)) - set(chunk_texts(before)))


def test_a_line_at_the_top_of_forty_sections_changes_at_most_two_chunks() -> None:
    text = sections(40)
    assert len(chunk_texts(text)) > 25
    assert new_after(text, "A line that was not there before.\n\n" + text) <= 2


def test_an_item_at_the_top_of_a_long_list_changes_at_most_two_chunks() -> None:
    text = flat_list(400)
    assert len(chunk_texts(text)) > 30
    assert new_after(text, "- an item that was not there before\n" + text) <= 2


def test_a_line_at_the_end_of_a_daily_note_changes_at_most_two_chunks() -> None:
    text = flat_list(100)
    assert new_after(text, text + "- an item that was not there before\n") <= 2


def test_a_section_taken_out_leaves_the_others_as_they_were() -> None:
    text = sections(40)
    without = text.replace(text[text.index("## Section 20\n") : text.index("## Section 21\n")], "")
    assert new_after(text, without) <= 2


def test_sections_put_in_another_order_keep_most_of_their_chunks() -> None:
    parts = sections(40).split("## ")[1:]
    before, after = ("## " + "## ".join(order) for order in (parts, parts[20:] + parts[:20]))
    assert new_after(before, after) <= 4


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10_000), place=st.integers(0, 120), kind=st.sampled_from(["sections", "list"]))
def test_an_edit_anywhere_changes_few_of_many_chunks(seed: int, place: int, kind: str) -> None:
    """The bound is for the worst place: a new line that becomes the strongest boundary near by."""
    text = {"sections": sections(40), "list": flat_list(200)}[kind]
    lines = text.split("\n")
    lines.insert(place, f"- {sentence(seed, 9)}")
    assert new_after(text, "\n".join(lines)) <= 5
