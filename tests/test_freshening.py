"""A process that asks again and again compares disk and index only where a glance says that something was touched."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from bench_vault import BenchVault

from clawvault.errors import EmbedderError
from clawvault.freshening import Freshness
from clawvault.search.asking.request import SearchRequest
from clawvault.vault import glance

TODAY = date(2026, 3, 15)


@pytest.fixture
def _settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every file for one that was written long ago."""
    monkeypatch.setattr(glance, "UNSETTLED_NS", 0)


@pytest.fixture
def fresh(bench: BenchVault) -> Freshness:
    bench.write("a.md", "The heron stands.\n")
    (bench.root / "empty").mkdir()
    return Freshness(bench.vault.opened)


def ask(fresh: Freshness, query: str = "heron", **options: object) -> list[str]:
    request = SearchRequest.from_dict({"query": query, **options})
    return [hit.path for hit in fresh.answer(request, today=TODAY).hits]


@pytest.mark.usefixtures("_settled")
def test_ten_questions_compare_once(fresh: Freshness) -> None:
    assert [ask(fresh) for _ in range(10)] == [["a.md"]] * 10
    assert (fresh.n_compared, fresh.n_glanced) == (1, 9)


@pytest.mark.usefixtures("_settled")
@pytest.mark.parametrize(
    "touch",
    [
        lambda bench: bench.write("b.md", "A second heron.\n"),
        lambda bench: bench.write("empty/b.md", "A second heron.\n"),
        lambda bench: bench.write("new/deep/b.md", "A second heron.\n"),
        lambda bench: bench.write(".clawvaultignore", "a.md\n"),
        lambda bench: bench.write(".obsidian/app.json", "{}"),
        lambda bench: (bench.root / "a.md").unlink(),
        lambda bench: (bench.root / "a.md").rename(bench.root / "z.md"),
        lambda bench: os.utime(bench.root / "a.md", ns=(1, 1)),
    ],
)
def test_whatever_is_touched_is_compared_at_the_next_question(
    bench: BenchVault, fresh: Freshness, touch: Callable[[BenchVault], object]
) -> None:
    ask(fresh)
    ask(fresh)
    touch(bench)
    ask(fresh)
    assert fresh.n_compared == 2


@pytest.mark.usefixtures("_settled")
def test_who_asks_once_pays_for_no_glance(fresh: Freshness, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    monkeypatch.setattr(glance, "_stat", looked.append)
    ask(fresh)
    assert (fresh.n_compared, fresh.n_glanced, looked) == (1, 0, [])


@pytest.mark.usefixtures("_settled")
@pytest.mark.parametrize(
    "touch",
    [
        lambda bench: bench.write("b.md", "A second heron.\n"),
        lambda bench: bench.write("a.md", "A heron.\n"),
        lambda bench: (bench.root / "a.md").unlink(),
        lambda bench: (bench.root / "a.md").rename(bench.root / "z.md"),
        lambda bench: os.utime(bench.root / "a.md", ns=(1, 1)),
    ],
)
def test_what_is_touched_before_the_first_glance_is_compared(
    bench: BenchVault, fresh: Freshness, touch: Callable[[BenchVault], object]
) -> None:
    ask(fresh)
    touch(bench)
    ask(fresh)
    assert fresh.n_compared == 2


def test_a_size_or_a_time_that_is_not_as_listed_is_no_ground_for_trust(bench: BenchVault) -> None:
    """Where a disk keeps no time of the last change of a file's times, those may have been set back."""
    bench.write("a.md", "The heron stands.\n")
    listing = bench.session().indexer.compare()[0]
    later = time.time_ns() + 10 * glance.UNSETTLED_NS
    assert glance.take_glance(bench.root, listing, listed_ns=later) is not None
    former = listing.files["a.md"]
    for other in (former._replace(size=1), former._replace(mtime_ns=1)):
        assert glance.take_glance(bench.root, replace(listing, files={"a.md": other}), listed_ns=later) is None


@pytest.mark.usefixtures("_settled")
def test_an_edit_in_place_is_in_the_next_answer(bench: BenchVault, fresh: Freshness) -> None:
    ask(fresh)
    with (bench.root / "a.md").open("a") as handle:
        handle.write("A cormorant dives.\n")
    assert ask(fresh, "cormorant") == ["a.md"]


def test_what_was_touched_just_now_is_compared_again(fresh: Freshness) -> None:
    """B025: another change within the same tick of the clock might not show."""
    ask(fresh)
    ask(fresh)
    assert (fresh.n_compared, fresh.n_glanced) == (2, 0)


@pytest.mark.usefixtures("_settled")
def test_a_question_may_ask_to_compare(fresh: Freshness) -> None:
    for _ in range(3):
        ask(fresh, sync=True)
    assert fresh.n_compared == 3


@pytest.mark.usefixtures("_settled")
def test_an_index_that_went_away_is_made_again(bench: BenchVault, fresh: Freshness) -> None:
    """I16."""
    ask(fresh)
    bench.vault.close()
    bench.index_path.unlink()
    assert ask(fresh) == ["a.md"]
    assert fresh.n_compared == 2


@pytest.mark.usefixtures("_settled")
def test_texts_without_a_vector_are_tried_again(bench: BenchVault, fresh: Freshness) -> None:
    ask(fresh)
    bench.write("b.md", "A second heron.\n")
    bench.embedder.fault = "out of memory"
    ask(fresh, mode="fts")
    bench.embedder.fault = ""
    request = SearchRequest(query="heron")
    assert fresh.answer(request, today=TODAY).degraded == ()


@pytest.mark.usefixtures("_settled")
def test_what_is_missing_is_said_again(bench: BenchVault, fresh: Freshness) -> None:
    """An answer that was not whole is no ground for trusting the next one."""
    ask(fresh)
    bench.write("b.md", "A second heron.\n")
    bench.embedder.fault = "out of memory"
    for _ in range(2):
        with pytest.raises(EmbedderError):
            ask(fresh, mode="vector")
    assert fresh.n_compared == 3


class SlowClock:
    """Every look at it takes time, so that a glance seems to take as long as in a vault of many thousand notes."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def slow(bench: BenchVault) -> tuple[Freshness, SlowClock]:
    bench.write("a.md", "The heron stands.\n")
    clock = SlowClock(0.02)
    return Freshness(bench.vault.opened, clock=clock), clock


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The threads that glances were given to; they begin only when a test starts them."""
    held: list[threading.Thread] = []
    monkeypatch.setattr(threading.Thread, "start", lambda thread: held.append(thread))
    return held


@pytest.mark.usefixtures("_settled")
def test_a_costly_glance_is_not_taken_for_every_question(
    slow: tuple[Freshness, SlowClock], beside: list[threading.Thread]
) -> None:
    """Each question moves the clock on by 0.06 s; a glance of 0.02 s counts for 0.4 s."""
    fresh, _ = slow
    for _ in range(8):
        ask(fresh)
    assert (fresh.n_compared, fresh.n_glanced, len(beside)) == (1, 1, 0)


@pytest.mark.usefixtures("_settled")
def test_questions_that_come_fast_wait_for_no_glance(
    slow: tuple[Freshness, SlowClock], beside: list[threading.Thread]
) -> None:
    """One at a time is taken beside them."""
    fresh, _ = slow
    for _ in range(13):
        ask(fresh)
    assert (fresh.n_glanced, len(beside)) == (1, 1)


@pytest.mark.usefixtures("_settled")
def test_an_answer_waits_for_a_look_where_the_one_beside_it_does_not_end(
    slow: tuple[Freshness, SlowClock], beside: list[threading.Thread]
) -> None:
    """Each question moves the clock on by 0.06 s, so the last of 36 comes two seconds after the first look."""
    fresh, _ = slow
    counts = []
    for _ in range(36):
        ask(fresh)
        counts.append(fresh.n_glanced)
    assert (counts[:34], counts[-1], len(beside)) == ([0] + [1] * 33, 2, 1)


@pytest.mark.usefixtures("_settled")
def test_what_a_glance_beside_the_answers_saw_is_compared_at_the_next_question(
    bench: BenchVault, slow: tuple[Freshness, SlowClock], beside: list[threading.Thread]
) -> None:
    fresh, _ = slow
    for _ in range(13):
        ask(fresh)
    bench.write("b.md", "A second heron.\n")
    beside[0].run()
    assert (sorted(ask(fresh)), fresh.n_glanced) == (["a.md", "b.md"], 2)


@pytest.mark.usefixtures("_settled")
def test_an_edit_by_another_program_is_seen_after_a_second(
    bench: BenchVault, slow: tuple[Freshness, SlowClock]
) -> None:
    fresh, clock = slow
    ask(fresh)
    ask(fresh)
    bench.write("b.md", "A second heron.\n")
    assert ask(fresh) == ["a.md"]
    clock.now += 1.0
    assert sorted(ask(fresh)) == ["a.md", "b.md"]


@pytest.mark.usefixtures("_settled")
def test_no_hit_is_shown_as_it_was_before_an_edit(bench: BenchVault, slow: tuple[Freshness, SlowClock]) -> None:
    fresh, _ = slow
    ask(fresh)
    ask(fresh)
    bench.write("a.md", "The heron flies away.\n")
    request = SearchRequest(query="heron")
    result = fresh.answer(request, today=TODAY)
    assert ([hit.text.strip() for hit in result.hits], result.stale) == (["The heron flies away."], False)


@pytest.mark.usefixtures("_settled")
def test_what_this_process_writes_is_seen_at_once(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clawvault.freshening.CHEAP_S", -1.0)
    monkeypatch.setattr("clawvault.freshening.GLANCES", 1e9)
    monkeypatch.setattr("clawvault.freshening.FAST_S", 1e9)
    monkeypatch.setattr("clawvault.freshening.OLDEST_S", 1e9)
    bench.write("a.md", "The heron stands.\n")
    bench.vault.search("heron")
    bench.vault.search("heron")
    bench.write("b.md", "A second heron.\n")
    assert len(bench.vault.search("heron").hits) == 1
    bench.vault.write("c.md", "A third heron.\n")
    assert len(bench.vault.search("heron").hits) == 3
