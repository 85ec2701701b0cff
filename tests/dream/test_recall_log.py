"""The log of recalls."""

from __future__ import annotations

import multiprocessing
import os
import stat
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from bench_vault import BenchVault

from clawvault.config import RecallSettings
from clawvault.dream.recall.recall_log import RecallLog, hash_query, strength_of
from clawvault.dream.recall.recalls import trace_recalls
from clawvault.dream.recall.statements import claim_hash
from clawvault.embed.probe import Reading
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import Hit, SearchResult

TODAY = date(2026, 3, 9)
PORT = "The staging database listens on port 5433."
NOTE = "memory/2026-03-04.md"


def hit(**changes: Any) -> Hit:
    values: dict[str, Any] = {
        "rank": 1,
        "path": NOTE,
        "line_start": 3,
        "line_end": 4,
        "heading": (),
        "text": f"- {PORT}\n- Lunch was late.\n",
        "snippet": PORT,
        "score": 0.99,
        "cosine": 0.61,
        "text_score": 0.83,
        "fts_rank": 1,
        "vector_rank": 1,
        "date": "2026-03-04",
        "evergreen": False,
        "decay": 1.0,
        "vault": "v",
    }
    return Hit(**{**values, **changes})


def answer(query: str, *hits: Hit) -> SearchResult:
    return SearchResult(query=query, mode="hybrid", hits=hits or (hit(),))


def asked(query: str = "which port has the database", by: str = "person") -> SearchRequest:
    return SearchRequest(query=query, asked_by=by)


def record(log: RecallLog, query: str = "which port has the database", by: str = "person", *hits: Hit) -> int:
    return log.record(asked(query, by), answer(query, *hits))


@pytest.fixture
def log(tmp_path: Path) -> RecallLog:
    return RecallLog(tmp_path, RecallSettings(), lambda: TODAY)


def test_a_recall_has_what_was_found_where_by_whom_and_how_well(log: RecallLog) -> None:
    """OC-34, OC-36..39: the raw score, never the fused one."""
    assert record(log, by="agent") == 1
    (recall,) = log.read().recalls
    assert (recall.day, recall.path, recall.line, recall.lines) == (TODAY, NOTE, 3, (3, 4))
    assert (recall.score, recall.rank, recall.asked_by) == (0.83, 1, "agent")
    assert recall.claim == claim_hash(PORT)
    assert recall.query == hash_query("which port has the database")
    assert recall.question == ""


def test_a_cosine_counts_on_the_scale_of_its_model() -> None:
    """L2, decisions "Promotion": raw scores, but .42 is much for one model and nothing for another."""
    modest = {"en": Reading(share=1.0, noise=0.2, strong=0.5)}
    crowded = {"en": Reading(share=1.0, noise=0.7, strong=0.9)}
    blind = {"en": Reading(share=0.1, noise=0.5, strong=0.3)}
    found = hit(cosine=0.42, text_score=None)
    assert strength_of(found, "en", modest) == pytest.approx(0.7333, abs=0.0001)
    assert strength_of(found, "en", crowded) == 0.0
    assert strength_of(found, "en", blind) == 0.0
    assert strength_of(found, "en", {}) == 0.42


def test_a_question_in_another_language_has_the_scale_of_the_pair() -> None:
    readings = {"zh": Reading(1.0, 0.8, 0.9), "zh-en": Reading(1.0, 0.2, 0.6)}
    assert strength_of(hit(cosine=0.4, text_score=None), "zh", readings) == pytest.approx(0.5)


def test_what_no_lane_speaks_for_is_not_recorded(log: RecallLog) -> None:
    """L22."""
    assert record(log, "port", "person", hit(cosine=None, text_score=None)) == 0


def test_no_text_of_a_question_or_a_note_is_kept(log: RecallLog) -> None:
    record(log)
    data = (log.folder / "2026-03-09.jsonl").read_text()
    assert "database" not in data
    assert "staging" not in data


def test_questions_are_kept_when_the_person_wants_that(tmp_path: Path) -> None:
    log = RecallLog(tmp_path, RecallSettings(keep_queries=True), lambda: TODAY)
    record(log)
    assert log.read().recalls[0].question == "which port has the database"


def test_one_setting_turns_it_off(tmp_path: Path) -> None:
    log = RecallLog(tmp_path, RecallSettings(enabled=False), lambda: TODAY)
    assert record(log) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("by", ["evaluation", "audit", "context", "dream"])
def test_nobody_who_only_measures_or_prepares_counts(log: RecallLog, by: str) -> None:
    """L22, L35."""
    assert record(log, by=by) == 0
    assert log.read().recalls == ()


@pytest.mark.parametrize(
    "changes",
    [{"path": "MEMORY.md", "date": None, "evergreen": True}, {"path": "topics/db.md"}, {"evergreen": True}],
    ids=["long-term memory", "undated", "dated and kept"],
)
def test_what_never_fades_is_not_recorded(log: RecallLog, changes: dict[str, Any]) -> None:
    """OC-35, I36."""
    assert record(log, "port", "person", hit(**changes)) == 0


def test_the_same_question_counts_once_a_day_whoever_asks(log: RecallLog) -> None:
    """L22, T04: a thousand repeats add nothing."""
    assert [record(log, query) for query in ("database port", " Database  PORT ", "database port")] == [1, 0, 0]
    size = (log.folder / "2026-03-09.jsonl").stat().st_size
    assert sum(record(log, "database port", "agent") for _ in range(1000)) == 0
    assert (log.folder / "2026-03-09.jsonl").stat().st_size == size


def test_the_same_question_of_another_day_counts(tmp_path: Path) -> None:
    days = iter([TODAY, TODAY + timedelta(days=1)])
    log = RecallLog(tmp_path, RecallSettings(), lambda: next(days))
    assert record(log) + record(log) == 2


def test_a_torn_last_line_is_passed_over_and_named_and_costs_no_other(log: RecallLog) -> None:
    record(log, "first port")
    path = log.folder / "2026-03-09.jsonl"
    path.write_bytes(path.read_bytes() + b'{"query": "abc", "by"')
    record(log, "second port")
    history = log.read()
    assert len(history.recalls) == 2
    assert history.damaged == ('1 line of "recalls/2026-03-09.jsonl" cannot be read',)


def test_a_log_that_cannot_be_written_fails_no_search(tmp_path: Path) -> None:
    (tmp_path / "recalls").write_text("in the way")
    assert record(RecallLog(tmp_path, RecallSettings(), lambda: TODAY)) == 0


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_nobody_else_can_read_it(log: RecallLog) -> None:
    """I41."""
    record(log)
    assert stat.S_IMODE((log.folder / "2026-03-09.jsonl").stat().st_mode) == 0o600
    assert stat.S_IMODE(log.folder.stat().st_mode) == 0o700


def test_a_day_takes_no_more_than_a_megabyte(log: RecallLog) -> None:
    record(log, "first")
    path = log.folder / "2026-03-09.jsonl"
    path.write_bytes(path.read_bytes() + b"\n" * 1_000_000)
    assert record(log, "second") == 0


def test_old_days_keep_the_best_recall_of_each_statement_and_very_old_ones_go(tmp_path: Path) -> None:
    clock = [date(2025, 1, 1)]
    log = RecallLog(tmp_path, RecallSettings(), lambda: clock[0])
    record(log, "very old port")
    clock[0] = TODAY - timedelta(days=61)
    record(log, "weak port", "person", hit(text_score=0.5, cosine=None))
    record(log, "strong port")
    clock[0] = TODAY
    record(log, "one port of today")
    record(log, "two ports of today")
    assert log.compact() == 2
    history = log.read()
    assert [(item.day, item.score) for item in history.recalls] == [
        (TODAY - timedelta(days=61), 0.83),
        (TODAY, 0.83),
        (TODAY, 0.83),
    ]
    assert history.damaged == ()
    assert log.compact() == 0


def _record_many(state: str, number: int) -> None:
    log = RecallLog(Path(state), RecallSettings(), lambda: TODAY)
    for question in range(25):
        record(log, f"question {number} {question} about the port")


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[list[multiprocessing.process.BaseProcess]]:
    context = multiprocessing.get_context("spawn")
    started = [context.Process(target=_record_many, args=(str(tmp_path), number)) for number in range(4)]
    for process in started:
        process.start()
    yield started
    for process in started:
        process.kill()


def test_several_processes_lose_no_recall(log: RecallLog, processes: list[multiprocessing.process.BaseProcess]) -> None:
    for process in processes:
        process.join(60)
    history = log.read()
    assert (len(history.recalls), history.damaged) == (100, ())


def test_a_statement_that_moves_keeps_its_recalls(tmp_path: Path) -> None:
    """L23, B133: also when the note grows and its passages are cut anew."""
    bench = BenchVault(tmp_path)
    clock = [TODAY]
    log = RecallLog(tmp_path, RecallSettings(), lambda: clock[0])
    bench.write(NOTE, f"# Day\n\n- {PORT}\n")
    bench.sync()
    record_search(bench, log, "which port has the staging database")
    clock[0] += timedelta(days=1)
    bench.write(NOTE, "# Day\n\n" + "- Something else happened here.\n" * 30 + f"* {PORT}\n- And more.\n")
    bench.sync()
    record_search(bench, log, "staging database port")
    trace = trace_recalls(log.read().recalls)[claim_hash(PORT)]
    assert (trace.recalls, trace.line, len(trace.days)) == (2, 33, 2)
    bench.vault.close()


def record_search(bench: BenchVault, log: RecallLog, query: str) -> None:
    log.record(asked(query), bench.search(query))
