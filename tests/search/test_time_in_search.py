"""Time in a question, on real files and a real index; the day of the question is Sunday, 15 March 2026."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from bench_vault import BenchVault

from clawvault.cli.hits import describe_time
from clawvault.search.asking.request import SearchRequest
from clawvault.search.ranking.decay import time_share
from clawvault.search.time_words.day_spans import Span

MODES = pytest.mark.parametrize("mode", ["hybrid", "fts", "vector"])
MARCH = Span(date(2026, 3, 1), date(2026, 3, 31))


@pytest.mark.parametrize(("mode", "fusion"), [("hybrid", "score"), ("fts", "score"), ("vector", "weighted")])
def test_the_note_of_last_week_comes_before_an_equal_one(bench: BenchVault, mode: str, fusion: str) -> None:
    """IW-51: newer and older notes say the same."""
    bench.write("memory/2026-03-14.md", "The API problem came up with the router.\n")
    bench.write("memory/2026-03-05.md", "The API problem came up with the limiter.\n")
    bench.write("memory/2026-01-05.md", "The API problem came up with the parser.\n")
    bench.sync()
    assert bench.paths("the API problem last week", mode=mode, fusion=fusion)[0] == "memory/2026-03-05.md"
    assert bench.paths("上周 API problem", mode=mode, fusion=fusion)[0] == "memory/2026-03-05.md"


def test_the_model_is_not_asked_for_the_time_words(bench: BenchVault) -> None:
    bench.write("memory/2026-03-05.md", "The API problem.\n")
    bench.sync()
    bench.search("the API problem last week")
    bench.search("what happened last week")
    assert bench.embedder.queries[-2:] == ["the API problem", "what happened last week"]


def test_a_time_before_all_notes_orders_nothing_and_is_looked_for_as_words(bench: BenchVault) -> None:
    """What was four years ago is told in notes of today."""
    bench.write("memory/2026-03-01.md", "We came from Sweden 4 years ago.\n")
    bench.write("memory/2026-03-12.md", "We came from the harbour by boat.\n")
    bench.sync()
    result = bench.search("where did we come from 4 years ago", mode="fts")
    assert (result.hits[0].path, result.hits[0].time) == ("memory/2026-03-01.md", 1.0)
    assert result.time == {"words": ["4 years ago"], "since": "2022-01-01", "until": "2022-12-31"}


def test_inside_stays_whole_and_outside_counts_half(bench: BenchVault) -> None:
    bench.write("memory/2026-03-05.md", "The pump broke on the left.\n")
    bench.write("memory/2026-02-27.md", "The pump broke on the right.\n")
    bench.write("pump.md", "The pump is on the roof.\n")
    bench.sync()
    hits = {hit.path: hit for hit in bench.search("pump last week", explain=True).hits}
    assert {path: hit.time for path, hit in hits.items()} == {
        "memory/2026-03-05.md": 1.0,
        "memory/2026-02-27.md": 0.5,
        "pump.md": 0.75,
    }
    assert hits["memory/2026-03-05.md"].decay == 1.0
    for hit in hits.values():
        assert hit.explain is not None
        adds = hit.explain["keyword"]["adds"] + hit.explain["vector"]["adds"]
        assert hit.score == pytest.approx(adds * hit.explain["decay"] * hit.explain["time"], abs=1e-5)


def test_the_exact_thing_stays_on_the_list_whatever_week_was_asked_for(bench: BenchVault) -> None:
    """Limits L2: twenty notes of last week hardly match."""
    bench.write("memory/2025-06-01.md", "The case number is 88-20931-X for the insurance.\n")
    for i in range(20):
        bench.write(
            f"memory/2026-03-0{2 + i % 7}-{i}.md", f"The case of person {i} works on the things of group {i}.\n"
        )
    bench.sync()
    assert "memory/2025-06-01.md" in bench.paths("case number 88-20931-X last week", limit=5)


def test_a_busy_year_does_not_hide_a_quiet_week(bench: BenchVault) -> None:
    for i in range(150):
        bench.write(f"old/2026-01-{1 + i % 28:02}-{i}.md", f"The heron heron heron stood still {i}.\n")
    bench.write("memory/2026-03-05.md", "Long walk along the canal with the dog, then a heron, then home for tea.\n")
    bench.sync()
    assert "memory/2026-03-05.md" in bench.paths("heron last week", mode="fts", limit=10)


@MODES
@pytest.mark.parametrize("question", ["what happened last week", "上周", "上周做了什么", "notes of last week"])
def test_nothing_but_time_lists_the_notes_of_it(bench: BenchVault, mode: str, question: str) -> None:
    body = "\n".join(f"Line {i} of the garden plan with its beds and paths." for i in range(40))
    bench.write("memory/2026-03-03.md", "Planted garlic.\n")
    bench.write("memory/2026-03-05.md", f"# Morning\n\nFirst thing.\n\n# Noon\n\n{body}\n\n# Evening\n\nLast thing.\n")
    bench.write("memory/2026-03-10.md", "What happened: nothing. 上周做了什么\n")
    bench.write("topic.md", "Notes of what happened.\n")
    bench.sync()
    hits = bench.search(question, mode=mode).hits
    places = [(hit.path, hit.line_start) for hit in hits]
    assert places == sorted(places, key=lambda place: (place[0] == "memory/2026-03-03.md", place[1]))
    assert {path for path, _ in places} == {"memory/2026-03-03.md", "memory/2026-03-05.md"}


def test_a_list_is_narrowed_by_filters(bench: BenchVault) -> None:
    bench.write("memory/2026-03-03.md", "Planted garlic.\n")
    bench.write("work/2026-03-04.md", "Planned the release.\n")
    bench.sync()
    assert bench.paths("last week", path="work") == ["work/2026-03-04.md"]


def test_time_without_notes_is_looked_for_as_words(bench: BenchVault) -> None:
    bench.write("song.md", "Yesterday, all my troubles seemed so far away.\n")
    bench.write("b.md", "A plain note about gardens.\n")
    bench.sync()
    assert bench.paths("yesterday")[0] == "song.md"


@pytest.mark.parametrize("question", ["2026-01-05", "what is due on 2026-01-05", "due 2026-01-05"])
def test_a_date_finds_the_note_that_holds_it_as_text(bench: BenchVault, question: str) -> None:
    """IW-44, B083: among notes of that day and of others."""
    bench.write("tax.md", "The tax form is due on 2026-01-05 at noon.\n")
    bench.write("memory/2026-01-05.md", "Walked the dog.\n")
    for i in range(12):
        bench.write(f"memory/2026-02-{i + 1:02}.md", f"What is due for garden {i} in spring.\n")
    bench.sync()
    for mode in ("fts", "hybrid"):
        assert sorted(bench.paths(question, mode=mode)[:2]) == ["memory/2026-01-05.md", "tax.md"]


@MODES
def test_a_month_lists_its_notes(bench: BenchVault, mode: str) -> None:
    bench.write("memory/2026-02-10.md", "Repaired the fence.\n")
    bench.write("memory/2026-02-20.md", "Sowed tomatoes.\n")
    bench.write("memory/2026-03-10.md", "Called the bank.\n")
    bench.sync()
    assert bench.paths("what happened in February", mode=mode)[:2] == ["memory/2026-02-20.md", "memory/2026-02-10.md"]


def test_given_days_stay_a_filter_and_words_only_leave_the_question(bench: BenchVault) -> None:
    bench.write("memory/2026-03-05.md", "The pump broke.\n")
    bench.write("memory/2026-01-05.md", "The pump was new.\n")
    bench.sync()
    result = bench.search("pump last week", since="2026-01-01", until="2026-01-31")
    assert [(hit.path, hit.time) for hit in result.hits] == [("memory/2026-01-05.md", 1.0)]
    assert result.time == {"words": ["last week"], "since": None, "until": None}
    assert bench.embedder.queries[-1] == "pump"


def test_the_answer_says_how_time_was_read(bench: BenchVault) -> None:
    bench.write("a.md", "The pump broke.\n")
    bench.sync()
    answer = bench.search("pump last week").to_dict()
    assert answer["time"] == {"words": ["last week"], "since": "2026-03-02", "until": "2026-03-08"}
    assert describe_time(answer["time"]) == 'Read "last week" as 2026-03-02 to 2026-03-08.'
    assert bench.search("pump").to_dict()["time"] is None


@pytest.mark.parametrize(
    ("since", "until", "line"),
    [
        ("2026-03-14", "2026-03-14", 'Read "x" as 2026-03-14.'),
        ("2026-03-01", None, 'Read "x" as 2026-03-01 and later.'),
        (None, "2026-03-01", 'Read "x" as 2026-03-01 and earlier.'),
        (None, None, 'The days were given; "x" was not read as time.'),
    ],
)
def test_a_person_is_told_in_one_line(since: str | None, until: str | None, line: str) -> None:
    assert describe_time({"words": ["x"], "since": since, "until": until}) == line


@pytest.mark.parametrize(
    ("day", "text", "evergreen", "share"),
    [
        (date(2026, 3, 1), "", False, 1.0),
        (date(2026, 4, 7), "", False, 0.9),
        (date(2026, 4, 8), "", False, 0.5),
        (date(2026, 2, 28), "", False, 0.5),
        (date(2026, 4, 8), "", True, 0.75),
        (None, "", True, 0.75),
        (None, "## 2026-03-09", True, 1.0),
        (date(2026, 4, 1), "moved on 2026-03-09", False, 1.0),
        (None, "2026-03-99 and 12026-03-09", True, 0.75),
    ],
)
def test_a_day_in_the_text_counts_like_that_of_the_note(
    day: date | None, text: str, evergreen: bool, share: float
) -> None:
    assert time_share(day, text, MARCH, evergreen=evergreen) == share


def write_year(bench: BenchVault, deploy_day: str) -> None:
    """Write the quarterly note, an old unrelated one and two hundred newer ones."""
    bench.write(f"memory/{deploy_day}.md", "# Quarterly deploy\n\nFreeze, tag, migrate the database, announce.\n")
    bench.write("memory/2026-01-14.md", "# Garden\n\nBought three bags of soil and planted garlic.\n")
    things = ["lunch with the designers", "a bug in the parser", "the budget", "travel to the fair", "hiring", "coffee"]
    for i in range(200):
        day = date(2026, 1, 17) + timedelta(days=i % 88)
        bench.write(f"memory/{day}-{i}.md", f"# Day\n\nTalked about {things[i % 6]} with team {i}, number {i * 7}.\n")


@pytest.mark.parametrize(
    ("question", "place"),
    [("how do we do the quarterly deploy", 1), ("deploy procedure", 1), ("migrate the database", 1)],
)
def test_the_quarterly_deploy_note_is_found_on_day_ninety(bench: BenchVault, question: str, place: int) -> None:
    """OC-63, limits L2: among two hundred newer notes, and no old note that has nothing to do with it."""
    write_year(bench, "2026-01-15")
    bench.sync()
    result = bench.vault.opened.search(SearchRequest(query=question, limit=6), today=date(2026, 4, 15))
    paths = [hit.path for hit in result.hits]
    assert paths.index("memory/2026-01-15.md") + 1 == place
    assert "memory/2026-01-14.md" not in paths


@pytest.mark.parametrize(("days", "decay"), [(30, 0.5), (60, 0.25), (90, 0.125)])
def test_a_weak_match_keeps_a_half_a_quarter_an_eighth(bench: BenchVault, days: int, decay: float) -> None:
    """OC-29, OC-63: where nothing lifts it."""
    bench.reopen(search__decay_floor=0)
    bench.write("memory/2026-01-15.md", "Quarterly deploy procedure.\n")
    bench.sync()
    result = bench.vault.opened.search(
        SearchRequest(query="quarterly deploy"), today=date(2026, 1, 15) + timedelta(days=days)
    )
    assert result.hits[0].decay == decay
