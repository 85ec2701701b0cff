"""Statements that later ones replace: pure, and on a real index."""

from __future__ import annotations

import pytest
from bench_vault import BenchVault
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.cli.hits import render_hits
from clawvault.cli.terminal import Style
from clawvault.search.claims.reading import read_claims
from clawvault.search.claims.superseded import Candidate, Replacement, find_superseded, order_changes


def note(day: str | None, text: str, *, path: str = "", line: int = 1) -> Candidate:
    return Candidate(path or f"memory/{day}.md", day, line, text)


def replaced(older: str, newer: str, asked: str = "") -> bool:
    found = find_superseded([note("2026-03-09", older), note("2026-03-11", newer)], asked)
    assert set(found) <= {0}
    return 0 in found


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Alice lives in Beijing.", "Alice moved to Shanghai."),
        ("- 09:10 Lives in Beijing", "- 18:30 Moved to Shanghai"),
        ("Sarah lives in Beijing and works at a bank.", "Sarah moved to Shanghai last week and lives in Shanghai now."),
        ("Sarah works at Google and lives in Beijing.", "Sarah works at Anthropic."),
        ("I live in Beijing.", "I moved from Beijing to Shanghai last month."),
        ("The user is based in New York.", "User now lives in San Francisco."),
        ("**Caroline:** I live in Boston.", "**Caroline:** I moved to Denver!"),
        ("Alice works at Google.", "Alice joined Anthropic."),
        ("Production port is 5433.", "Production port is 5499."),
        ("- Production port: 5433", "- The production port was changed to 5499."),
        ("REDIS_HOST=10.0.0.1", "REDIS_HOST=10.0.0.7"),
        ("The staging flag is enabled.", "The staging flag is now disabled."),
        ("We use MySQL.", "We switched from MySQL to PostgreSQL."),
        ("The project uses MySQL as its database.", "The project uses PostgreSQL as its database."),
        ("User prefers dark mode.", "User prefers light mode."),
        ("我住在北京", "我搬到上海了。"),
        ("用户在谷歌工作", "用户入职了百度"),
        ("生产端口是5433", "生产端口改为5499"),
        ("東京に住んでいる", "大阪に引っ越した"),
        ("서울에 살고 있다", "부산으로 이사했다"),
    ],
)
def test_a_later_value_replaces_an_earlier_one(older: str, newer: str) -> None:
    """IW-104, TC-20, limits L18."""
    assert replaced(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Alice lives in Beijing.", "Bob moved to Shanghai."),
        ("Alice lives in Beijing.", "Alice lives in Beijing, China."),
        ("Alice lives in Beijing.", "Alice wants to move to Shanghai."),
        ("Alice lives in Beijing.", "If Alice moved to Shanghai, rent would rise."),
        ("Alice lives in Beijing.", "He moved to Shanghai."),
        ("Alice lives in Beijing.", "Alice flew to Shanghai."),
        ("Does Alice live in Beijing?", "Alice moved to Shanghai."),
        ("Mood: Good", "Mood: Tired"),
        ("Sleep hours: 7", "Sleep hours: 8"),
        ("# Standup\n\nBlockers: none", "# Standup\n\nBlockers: CI"),
        ("Production port is 5433.", "Staging port is 5499."),
        ("Production port is 5433.", "Production port is Open."),
        ("We use Redis.", "We switched from MySQL to PostgreSQL."),
        ("User prefers dark mode.", "User prefers short answers."),
        ("Talked about the deploy of service 3 over lunch.", "Talked about the deploy of service 7 over lunch."),
        ("Fixed bug 123 in the parser.", "Fixed bug 456 in the parser."),
        ("Today the build time is 7 minutes.", "Today the build time is 9 minutes."),
        ("```\nREDIS_HOST=10.0.0.1\n```", "```\nREDIS_HOST=10.0.0.7\n```"),
        ("今天天气是晴天", "今天天气是下雨"),
        ("他住在北京", "他搬到上海了"),
        ("The heron is big.", "The heron is small."),
    ],
)
def test_what_is_no_change_of_a_fact_is_left_alone(older: str, newer: str) -> None:
    """Limits L18: no false alarm."""
    assert not replaced(older, newer)


def test_the_latest_of_many_replaces_all_with_another_value() -> None:
    found = find_superseded(
        [
            note("2026-03-01", "Production port is 5499."),
            note("2026-03-05", "Production port is 5433."),
            note("2026-03-09", "# Ports\n\nProduction port is 5499."),
        ],
        "",
    )
    assert found == {1: Replacement(newer=2, line=3)}


def test_a_value_written_down_every_day_is_a_series() -> None:
    days = [note(f"2026-03-0{day}", f"The build size is {day}00 MB.") for day in range(1, 7)]
    assert find_superseded(days, "build size") == {}


def test_in_one_note_the_lower_line_is_the_later() -> None:
    upper = note("2026-03-09", "Production port is 5433.", line=4)
    lower = note("2026-03-09", "Production port is 5499.", line=40)
    assert find_superseded([upper, lower], "") == {0: Replacement(newer=1, line=40)}


def test_of_two_notes_of_one_day_none_is_the_later() -> None:
    notes = [
        note("2026-03-09", "Production port is 5433.", path="a/2026-03-09.md"),
        note("2026-03-09", "Production port is 5499.", path="b/2026-03-09.md"),
    ]
    assert find_superseded(notes, "") == {}


def test_a_note_without_a_day_is_replaced_only_by_what_names_it() -> None:
    memory = note(None, "Alice lives in Beijing.", path="MEMORY.md")
    assert find_superseded([memory, note("2026-03-09", "Alice moved to Shanghai.")], "") == {}
    named = note("2026-03-09", "Alice moved from Beijing to Shanghai.")
    assert find_superseded([memory, named], "") == {0: Replacement(newer=1, line=1)}


def test_of_a_long_passage_only_what_is_asked_for_counts() -> None:
    filler = "The quick brown fox jumps over the lazy dog every single morning of the year.\n" * 6
    old = note("2026-03-01", f"{filler}Production port is 5433.\n")
    new = note("2026-03-09", f"{filler}Production port is 5499.\n")
    assert find_superseded([old, new], "which port does production use") == {0: Replacement(newer=1, line=7)}
    assert find_superseded([old, new], "brown fox") == {}


@pytest.mark.parametrize("link", ["supersedes: [[old plan]]", "Supersedes [[Plans/Old Plan|the old one]]."])
def test_a_link_says_what_a_note_supersedes(link: str) -> None:
    old = note(None, "Freeze on Friday.", path="Plans/Old plan.md")
    new = note(None, f"Freeze on Monday.\n\n{link}\n", path="Plans/New plan.md")
    assert find_superseded([old, new], "") == {0: Replacement(newer=1, line=3)}


def test_the_later_takes_the_place_of_the_one_it_replaces() -> None:
    scores = [0.9, 0.6, 0.3]
    factors = order_changes(scores, {0: Replacement(newer=2, line=1)})
    assert [round(score * factor, 3) for score, factor in zip(scores, factors, strict=True)] == [0.891, 0.6, 0.9]


def test_a_later_one_that_is_first_already_moves_nothing() -> None:
    assert order_changes([0.9, 0.6], {1: Replacement(newer=0, line=1)}) == [1.0, 1.0]


@given(
    st.lists(st.tuples(st.dates(), st.text(st.characters(codec=None), max_size=60)), max_size=5), st.text(max_size=20)
)
@settings(deadline=None, max_examples=200)
def test_any_text_is_compared_without_error(notes: list[tuple[object, str]], asked: str) -> None:
    found = find_superseded([note(str(day), text) for day, text in notes], asked)
    assert all(older != newer for older, (newer, _) in found.items())


def test_a_page_of_one_letter_is_read_in_time() -> None:
    """T14."""
    assert read_claims("a " * 50_000 + "\n" + "is " * 50_000) == ()


@pytest.mark.parametrize("question", ["where does Alice live now", "Alice Beijing", "Alice moved"])
def test_the_present_home_comes_first_and_the_former_is_marked(bench: BenchVault, question: str) -> None:
    """IW-104, TC-20: Monday Beijing, Wednesday Shanghai."""
    bench.write("memory/2026-03-09.md", "# Monday\n\nAlice lives in Beijing.\n")
    bench.write("memory/2026-03-11.md", "# Wednesday\n\nAlice moved to Shanghai.\n")
    bench.write("memory/2026-03-12.md", "# Thursday\n\nAlice called about the boat.\n")
    bench.sync()
    hits = bench.search(question, explain=True).hits
    marks = {hit.path: hit.superseded_by for hit in hits}
    places = [hit.path for hit in hits]
    assert places.index("memory/2026-03-11.md") < places.index("memory/2026-03-09.md")
    assert marks == {
        "memory/2026-03-09.md": "memory/2026-03-11.md:3",
        "memory/2026-03-11.md": None,
        "memory/2026-03-12.md": None,
    }


@pytest.mark.parametrize("question", ["which port did production use in January", "一月 production port"])
def test_who_asks_for_the_time_of_the_earlier_gets_it_first(bench: BenchVault, question: str) -> None:
    bench.write("memory/2026-01-09.md", "Production port is 5433.\n")
    bench.write("memory/2026-03-02.md", "Production port is 5499.\n")
    bench.sync()
    hits = bench.search(question).hits
    assert [(hit.path, hit.superseded_by) for hit in hits] == [
        ("memory/2026-01-09.md", "memory/2026-03-02.md:1"),
        ("memory/2026-03-02.md", None),
    ]


def test_who_asks_for_the_former_number_gets_it_first_and_marked(bench: BenchVault) -> None:
    """IW-49: exact things win."""
    bench.write("memory/2026-03-09.md", "Production port is 5433\n")
    bench.write("memory/2026-03-11.md", "Production port is 5499\n")
    bench.sync()
    first = bench.search("production port 5433").hits[0]
    assert (first.path, first.superseded_by) == ("memory/2026-03-09.md", "memory/2026-03-11.md:1")


def test_the_answer_says_so_in_json_in_text_and_in_its_explanation(bench: BenchVault) -> None:
    bench.write("memory/2026-03-09.md", "Production port is 5433\n")
    bench.write("memory/2026-03-11.md", "Production port is 5499\n")
    bench.sync()
    answer = bench.search("production port", explain=True).to_dict()
    newer, older = answer["hits"]
    assert (newer["superseded_by"], older["superseded_by"]) == (None, "memory/2026-03-11.md:1")
    for hit in answer["hits"]:
        parts = hit["explain"]
        adds = parts["keyword"]["adds"] + parts["vector"]["adds"]
        assert hit["score"] == pytest.approx(adds * parts["decay"] * parts["time"] * parts["change"], abs=1e-4)
    lines = render_hits(answer, Style(), lambda path, line: path).split("\n")
    assert lines[-1].strip() == "possibly superseded by memory/2026-03-11.md:1"
