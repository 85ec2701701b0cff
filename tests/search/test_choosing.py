"""What is shown of the candidates, on real files and a real index."""

from __future__ import annotations

import pytest
from bench_vault import BenchVault

THINGS = ("kettle", "ladder", "heron nest", "heron egg", "violin", "harbour", "lantern", "orchard")
LETTERS = "".join(
    f"## On the {thing}\n\n" + " ".join([f"A {thing} like this {thing} {i}."] * 15) + "\n\n"
    for i, thing in enumerate(THINGS)
)
SECTIONS = "".join(f"## Part {i}\n\n" + f"The heron of part {i} stands in water. " * 12 + "\n\n" for i in range(8))


def test_neighbouring_chunks_are_one_hit_with_the_exact_text_of_its_lines(bench: BenchVault) -> None:
    """I14."""
    bench.reopen(search__mmr=False)
    bench.write("letters.md", LETTERS)
    bench.sync()
    hit = bench.search("heron").hits[0]
    assert (hit.merged, hit.line_start, hit.line_end) == (2, 9, 15)
    assert hit.text == "\n".join(LETTERS.split("\n")[8:15]).rstrip()


def test_a_merged_hit_stands_under_what_all_of_it_stands_under(bench: BenchVault) -> None:
    bench.reopen(search__mmr=False)
    bench.write("letters.md", "# Letters\n\n" + LETTERS)
    bench.sync()
    hit = bench.search("heron").hits[0]
    assert (hit.merged, hit.heading) == (2, ("Letters",))


def test_a_merged_hit_has_the_score_and_ranks_of_its_best_chunk(bench: BenchVault) -> None:
    bench.reopen(search__mmr=False)
    bench.write("letters.md", LETTERS)
    bench.sync()
    (hit,) = bench.search("heron egg", limit=1, explain=True).hits
    assert (hit.rank, hit.fts_rank, hit.vector_rank, hit.merged) == (1, 1, 1, 2)
    assert hit.score == 1.0


def test_a_hit_of_one_chunk_says_so(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    assert bench.search("heron").to_dict()["hits"][0]["merged"] == 1


@pytest.mark.parametrize("preset", ["markdown", "openclaw", "ironclaw", "fixed", "paragraph"])
def test_more_hits_only_lengthen_the_list_and_none_repeats_another(bench: BenchVault, preset: str) -> None:
    bench.reopen(chunks__preset=preset, chunks__overlap_chars=300, chunks__max_chars=600)
    bench.write("birds.md", SECTIONS)
    bench.write("more.md", SECTIONS.replace("water", "the river"))
    bench.sync()
    everything = bench.search("heron part river", limit=50).hits
    places = {(hit.path, number) for hit in everything for number in range(hit.line_start, hit.line_end + 1)}
    assert sum(hit.text.count("## Part") for hit in everything) == 16
    assert ("more.md", 1) in places
    for limit in (1, 2, 3, 5):
        shown = bench.search("heron part river", limit=limit).hits
        assert [(hit.path, hit.text) for hit in shown] == [(hit.path, hit.text) for hit in everything[:limit]]


def test_each_note_is_shown_once_with_its_best_chunk(bench: BenchVault) -> None:
    bench.write("birds.md", SECTIONS)
    bench.write("other.md", "A heron was seen in the garden.\n")
    bench.sync()
    hits = bench.search("part 3 heron", group="note", mode="fts").hits
    assert [(hit.path, hit.more_in_note) for hit in hits] == [("birds.md", 7), ("other.md", 0)]
    assert hits[0].fts_rank == 1
    assert "part 3" in hits[0].text


def test_passages_below_the_floor_are_not_counted_as_more(bench: BenchVault) -> None:
    bench.reopen(search__min_score=0.9)
    bench.write("birds.md", SECTIONS + "## Part 9\n\nA kettle.\n")
    bench.sync()
    hits = bench.search("kettle", group="note", mode="fts").hits
    assert [(hit.path, hit.more_in_note) for hit in hits] == [("birds.md", 0)]


def test_the_notes_of_copies_are_listed_ten_at_most(bench: BenchVault) -> None:
    """B089."""
    for day in range(1, 15):
        bench.write(f"memory/2026-01-{day:02}.md", "The blue kettle is in the kitchen.\n")
    bench.sync()
    hit = bench.search("kettle").to_dict()["hits"][0]
    assert (hit["path"], hit["copies"]) == ("memory/2026-01-14.md", 14)
    assert hit["copy_paths"] == [f"memory/2026-01-{day:02}.md" for day in range(13, 3, -1)]


def test_without_decay_the_newest_copy_is_still_the_one_shown(bench: BenchVault) -> None:
    bench.reopen(search__decay="off")
    bench.write("memory/2025-01-01.md", "The blue kettle.\n")
    bench.write("memory/2026-01-01.md", "The blue kettle.\n")
    bench.sync()
    assert bench.paths("kettle") == ["memory/2026-01-01.md"]
