"""Neighbouring chunks as one passage: pure."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.search.passages.merging import MOST_CHARS, MOST_CHUNKS, Stretch, join, merge_neighbours

NOTE = "first fact\n\nsecond fact\nthird fact\n\n\nfourth fact\nfifth fact\n"


def cut(text: str, start: int, end: int, path: str = "a.md", copies: tuple[str, ...] = ()) -> Stretch:
    line = text.count("\n", 0, start) + 1
    return Stretch(path, start, end, line, line + text.count("\n", start, end - 1), text[start:end], copies)


def fact(word: str, text: str = NOTE, **more: tuple[str, ...]) -> Stretch:
    start = text.index(f"{word} fact")
    return cut(text, start, start + len(f"{word} fact"), **more)


def texts(*stretches: Stretch, limit: int = 10) -> list[str]:
    return [merged.stretch.text for merged in merge_neighbours(stretches, limit)]


def test_two_chunks_that_follow_each_other_become_one_with_the_blank_line_between() -> None:
    """I14."""
    (merged,) = merge_neighbours([fact("second"), fact("first")], 10)
    assert merged.stretch.text == "first fact\n\nsecond fact"
    assert (merged.stretch.line_start, merged.stretch.line_end) == (1, 3)
    assert (merged.place, merged.chunks) == (0, (0, 1))


def test_chunks_of_two_notes_stay_apart() -> None:
    other = cut(NOTE, 12, 23, path="b.md")
    assert texts(fact("first"), other) == ["first fact", "second fact"]


def test_chunks_that_do_not_touch_stay_apart() -> None:
    assert texts(fact("first"), fact("third")) == ["first fact", "third fact"]


def test_the_chunk_between_two_joins_them() -> None:
    assert texts(fact("first"), fact("third"), fact("second")) == ["first fact\n\nsecond fact\nthird fact"]


def test_a_passage_has_three_chunks_at_most() -> None:
    found = texts(fact("first"), fact("second"), fact("third"), fact("fourth"))
    assert found == ["first fact\n\nsecond fact\nthird fact", "fourth fact"]


def test_a_chunk_that_stands_far_below_stays_where_it_is() -> None:
    others = [cut(NOTE, 0, 10, path=f"{i}.md") for i in range(3)]
    assert texts(fact("first"), *others, fact("second"))[-1] == "second fact"


def test_a_neighbour_that_hardly_matches_is_no_part_of_the_passage() -> None:
    assert len(texts(fact("first"), replace(fact("second"), score=0.2))) == 2
    assert len(texts(fact("first"), replace(fact("second"), score=0.3))) == 1


def test_a_passage_does_not_grow_beyond_its_bound() -> None:
    text = "x" * 2000 + "\n" + "y" * 2000
    assert len(texts(cut(text, 0, 2000), cut(text, 2001, 4001))) == 2


def test_chunks_whose_gap_is_not_known_stay_apart() -> None:
    """I14: between two sentences there may be any white space."""
    text = "One sentence. Another one."
    assert texts(cut(text, 0, 13), cut(text, 14, 26)) == ["One sentence.", "Another one."]


def test_chunks_with_other_line_ends_between_them_stay_apart() -> None:
    """B053: two characters for one line end may be a carriage return or a space."""
    text = "first fact\r\nsecond fact"
    assert texts(fact("first", text), fact("second", text)) == ["first fact", "second fact"]


def test_chunks_that_share_text_are_joined_without_repeating_it() -> None:
    assert texts(cut(NOTE, 0, 23), cut(NOTE, 12, 34)) == ["first fact\n\nsecond fact\nthird fact"]


def test_stretches_that_disagree_are_not_joined() -> None:
    one, other = cut(NOTE, 0, 23), cut(NOTE.upper(), 12, 34)
    assert join(one, other) is None


def test_what_a_passage_above_shows_already_is_not_repeated() -> None:
    others = [cut(NOTE, 0, 10, path=f"{i}.md") for i in range(3)]
    found = merge_neighbours([cut(NOTE, 0, 23), *others, cut(NOTE, 12, 34)], 10)
    assert (found[-1].stretch.text, found[-1].stretch.line_start, found[-1].stretch.line_end) == ("third fact", 4, 4)


def test_a_chunk_that_is_shown_whole_takes_no_place() -> None:
    others = [cut(NOTE, 0, 10, path=f"{i}.md") for i in range(3)]
    assert len(texts(cut(NOTE, 0, 34), *others, cut(NOTE, 12, 23))) == 4


def test_a_chunk_with_copies_elsewhere_stays_apart_from_one_without() -> None:
    """B089: "3 copies" must be true of the whole passage."""
    assert len(texts(fact("first", copies=("b.md",)), fact("second"))) == 2
    assert len(texts(fact("first", copies=("b.md",)), fact("second", copies=("b.md",)))) == 1


@st.composite
def candidates(draw: st.DrawFn) -> tuple[dict[str, str], list[Stretch]]:
    """Draw notes and chunks of them in any order; each begins and ends after the one before, and may repeat it."""
    notes = {
        path: draw(st.text(st.sampled_from("ab \n\r"), min_size=1, max_size=60))
        for path in draw(st.sampled_from(PATHS))
    }
    chunks: list[Stretch] = []
    for path, text in notes.items():
        reached = 0
        for start in sorted(draw(st.sets(st.integers(0, len(text) - 1), max_size=8))):
            end = max(reached + 1, start + draw(st.integers(1, 20)))
            piece = text[start:end]
            first = start + len(piece) - len(piece.lstrip())
            if piece.strip() and end <= len(text):
                chunks.append(cut(text, first, first + len(piece.strip()), path=path))
                reached = end
    return notes, draw(st.permutations(chunks))


PATHS = [["a.md"], ["a.md", "b.md"]]


@given(candidates(), st.integers(1, 12))
@settings(deadline=None, max_examples=400)
def test_passages_are_exact_bounded_and_never_repeat_each_other(
    drawn: tuple[dict[str, str], list[Stretch]], limit: int
) -> None:
    """I14."""
    notes, chunks = drawn
    everything = merge_neighbours(chunks, 1000)
    shown: dict[str, set[int]] = {path: set() for path in notes}
    for merged in everything:
        stretch, text = merged.stretch, notes[merged.stretch.path]
        assert stretch == cut(text, stretch.start, stretch.end, path=stretch.path)
        assert shown[stretch.path].isdisjoint(range(stretch.start, stretch.end))
        shown[stretch.path].update(range(stretch.start, stretch.end))
        assert len(merged.chunks) <= MOST_CHUNKS
        assert len(stretch.text) <= MOST_CHARS
        assert merged.chunks[0] == merged.place
    wanted = {path: {i for c in chunks if c.path == path for i in range(c.start, c.end)} for path in notes}
    lost = {path: "".join(notes[path][i] for i in wanted[path] - shown[path]).strip() for path in notes}
    assert set(lost.values()) <= {""}
    assert merge_neighbours(chunks, limit) == everything[:limit]
