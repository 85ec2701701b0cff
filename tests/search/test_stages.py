"""How long each stage of a question takes."""

from __future__ import annotations

from bench_vault import BenchVault

STAGES = [
    "freshen",
    "embed",
    "prepare",
    "fts",
    "vector",
    "sentences",
    "trust",
    "passages",
    "rank",
    "choose",
    "hits",
    "recheck",
]


def test_an_answer_names_its_stages_in_order_when_asked(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    answer = bench.vault.search("heron", timings=True).to_dict()
    assert list(answer["timings_ms"]) == STAGES
    assert all(took >= 0 for took in answer["timings_ms"].values())


def test_an_answer_is_silent_about_its_stages_unless_asked(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    result = bench.vault.search("heron")
    assert list(result.timings_ms) == STAGES
    assert "timings_ms" not in result.to_dict()


def test_no_time_is_counted_in_two_stages(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    result = bench.search("heron")
    assert sum(result.timings_ms.values()) <= result.took_ms


def test_a_question_by_words_alone_has_no_stage_of_meaning(bench: BenchVault) -> None:
    bench.write("a.md", "The heron stands.\n")
    bench.sync()
    assert list(bench.search("heron", mode="fts").timings_ms) == [
        "embed",
        "prepare",
        "fts",
        "passages",
        "rank",
        "choose",
        "hits",
        "recheck",
    ]
