"""The loop with a vault that has no index: what it asks for, and when."""

from __future__ import annotations

import errno
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from daemon_fakes import WAIT_S, FakeVault, HandClock, Report, wait_until, write_notes

from clawvault.config import WatchSettings
from clawvault.daemon import lookout
from clawvault.daemon.answering import Answering
from clawvault.daemon.clock import elapsed_s
from clawvault.daemon.mailbox import Mailbox
from clawvault.daemon.service import AWAY, Service
from clawvault.daemon.watcher import PathFilter, Watcher
from clawvault.errors import EmbedderError, IndexFaultError

QUICK = replace(WatchSettings(), settle_s=0.05, deletion_delay_s=0.3)
Start = Callable[..., Service]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault" / ".clawvault").mkdir(parents=True)
    return tmp_path / "vault"


@pytest.fixture
def vault() -> FakeVault:
    return FakeVault()


@pytest.fixture
def start(root: Path, vault: FakeVault) -> Iterator[Start]:
    """Start a service on the vault; every one is stopped at the end."""
    started: list[Service] = []

    def begin(
        settings: WatchSettings = QUICK,
        *,
        clock: Callable[[], float] = elapsed_s,
        is_lock_held: Callable[[], bool] = lambda: True,
        gone_s: float = 60.0,
        ready: bool = True,
    ) -> Service:
        mailbox = Mailbox()
        watcher = Watcher(root, PathFilter(root, root / "state", ("md",)), mailbox, mode=settings.mode)
        service = Service(
            root, vault, mailbox, watcher, settings, is_lock_held=is_lock_held, clock=clock, gone_s=gone_s
        )
        started.append(service)
        service.start()
        assert not ready or service.wait_until_ready(WAIT_S)
        return service

    yield begin
    for service in started:
        service.stop()
        assert service.join(WAIT_S)


def answering(service: Service, vault: FakeVault, root: Path, *, model_s: float = WAIT_S) -> Answering:
    return Answering(service, vault, root, started_at="2026-03-09T08:00:00+00:00", model_s=model_s)


def daemon_status(answers: Answering) -> dict[str, object]:
    status = answers.answer({"op": "status"})["status"]
    assert isinstance(status, dict)
    daemon = status["daemon"]
    assert isinstance(daemon, dict)
    return daemon


def test_it_is_ready_only_after_the_first_full_comparison(start: Start, vault: FakeVault) -> None:
    """B023."""
    gate = threading.Event()
    vault.before = lambda _: assert_true(gate.wait(WAIT_S))
    service = start(ready=False)
    assert not service.wait_until_ready(0.1)
    gate.set()
    assert service.wait_until_ready(WAIT_S)
    assert vault.sweeps == 1


def assert_true(value: object) -> None:
    assert value


def save(note: Path) -> None:
    """Write a note in one step, which is one event: several may be further apart than a note takes to settle."""
    unfinished = note.with_name(f".{note.name}.tmp")
    unfinished.write_text("x")
    unfinished.replace(note)


def test_a_written_note_is_applied_once(start: Start, vault: FakeVault, root: Path) -> None:
    start()
    save(root / "a.md")
    assert vault.wait_for(lambda v: "a.md" in v.applied)
    save(root / "b.md")
    assert vault.wait_for(lambda v: "b.md" in v.applied)
    assert vault.applied == ["a.md", "b.md"]
    assert vault.sweeps == 1


def test_a_state_folder_inside_the_vault_wakes_nobody(start: Start, vault: FakeVault, root: Path) -> None:
    """B005: exactly one re-index for one edit."""
    (root / "state").mkdir()
    start()
    (root / "state" / "index.md").write_text("x")
    (root / "state" / "index.sqlite3").write_text("x")
    save(root / "a.md")
    assert vault.wait_for(lambda v: "a.md" in v.applied)
    assert vault.applied == ["a.md"]
    assert vault.sweeps == 1


def test_a_deferred_note_is_looked_at_again(start: Start, vault: FakeVault, root: Path) -> None:
    """I09, I10: a note that is gone is asked for again after the deletion delay."""
    start()
    vault.report = Report(deferred=("a.md",))
    (root / "a.md").write_text("x")
    (root / "a.md").unlink()
    assert vault.wait_for(lambda v: v.applied.count("a.md") >= 2)


def test_a_search_applies_known_changes_first(start: Start, vault: FakeVault, root: Path) -> None:
    service = start(replace(QUICK, settle_s=30.0, settle_max_s=60.0))
    save(root / "a.md")
    assert wait_until(lambda: service.n_pending_paths() == 1)
    assert service.request_sync(WAIT_S) == ""
    assert vault.sweeps == 2
    assert service.n_pending_paths() == 0


def test_searches_look_at_the_disk_only_when_that_is_cheap(start: Start, vault: FakeVault) -> None:
    clock = HandClock()
    service = start(clock=clock)
    vault.before = lambda _: setattr(clock, "now", clock.now + 1.0)
    vault.report = Report(hashed=0)
    assert service.request_sync(WAIT_S, full=True) == ""
    assert vault.sweeps == 2
    clock.now += 19.0
    assert service.request_sync(WAIT_S) == ""
    assert vault.sweeps == 2
    clock.now += 2.0
    assert service.request_sync(WAIT_S) == ""
    assert vault.sweeps == 3


def test_a_search_applies_known_changes_alone_where_a_look_at_everything_costs_too_much(
    start: Start, vault: FakeVault, root: Path
) -> None:
    """F24: where notes are edited all the time, each answer would wait for a comparison of the whole vault."""
    clock = HandClock()
    service = start(replace(QUICK, settle_s=30.0, settle_max_s=60.0), clock=clock)
    vault.before = lambda _: setattr(clock, "now", clock.now + 1.0)
    vault.report = Report(hashed=0)
    assert service.request_sync(WAIT_S, full=True) == ""
    vault.before = lambda _: None
    save(root / "a.md")
    assert wait_until(lambda: service.n_pending_paths() == 1)
    assert service.request_sync(WAIT_S) == ""
    assert (vault.sweeps, vault.applied) == (2, ["a.md"])
    assert service.n_pending_paths() == 0


def test_a_worker_stuck_on_a_note_is_visible_while_others_answer(start: Start, vault: FakeVault, root: Path) -> None:
    """B027, I28."""
    clock = HandClock()
    service = start(clock=clock)
    answers = answering(service, vault, root)
    entered, gate = threading.Event(), threading.Event()

    def freeze(_: object) -> None:
        entered.set()
        assert gate.wait(WAIT_S)

    vault.before = freeze
    service.mailbox.look_at("slow.md")
    assert wait_until(lambda: service.n_pending_paths() == 1)
    clock.now += 1.0
    assert entered.wait(WAIT_S)
    clock.now += 42.0
    assert daemon_status(answers)["stuck"] == 'stuck on "slow.md" for 42 s'
    assert answers.answer({"op": "ping"})["ok"] is True
    assert answers.answer({"op": "sync", "timeout_s": 0.05}) == {
        "ok": True,
        "synced": False,
        "problem": 'stuck on "slow.md" for 42 s',
        "again": False,
        "brake": "",
    }
    gate.set()


def test_a_daemon_that_is_ending_says_to_ask_again(start: Start, vault: FakeVault, root: Path) -> None:
    """B109: the one that follows knows the new settings."""
    service = start()
    service.stop()
    assert service.wait_until_finished(WAIT_S)
    assert answering(service, vault, root).answer({"op": "sync"}) == {
        "ok": True,
        "synced": False,
        "problem": "the daemon is stopping",
        "again": True,
        "brake": "",
    }


def test_a_search_while_the_worker_is_busy_says_that_it_may_be_stale(
    start: Start, vault: FakeVault, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawvault.daemon.answering.SYNC_S", 0.05)
    gate, entered = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        entered.set()
        assert gate.wait(WAIT_S)

    vault.before = hold
    service = start(ready=False)
    assert entered.wait(WAIT_S)
    answer = answering(service, vault, root).answer({"op": "search", "request": {"query": "x", "mode": "fts"}})
    gate.set()
    assert answer["result"] == {
        "hits": [],
        "stale": True,
        "degraded": ["changed notes may be missing: the index is being brought up to date (comparing everything)"],
    }


def test_a_gap_in_time_leads_to_a_new_watch_and_a_full_comparison(start: Start, vault: FakeVault) -> None:
    """B019, F14: the machine slept for eight hours."""
    clock = HandClock()
    service = start(clock=clock)
    clock.now += 8 * 3600
    assert vault.wait_for(lambda v: v.sweeps >= 2)
    assert service.watcher.facts().rearmed == 1
    assert wait_until(lambda: service.tally.last_sweep_reason == "awake after 28800 s")


def test_a_short_gap_is_no_wake(start: Start, vault: FakeVault) -> None:
    clock = HandClock()
    service = start(clock=clock)
    clock.now += 20
    service.mailbox.look_at("a.md")
    assert wait_until(lambda: service.n_pending_paths() == 1)
    assert service.watcher.facts().rearmed == 0


def test_a_dead_emitter_leads_to_a_new_watch_and_a_full_comparison(start: Start, vault: FakeVault, root: Path) -> None:
    """F12."""
    service = start()
    observer = service.watcher._observer
    assert observer is not None
    for emitter in list(observer.emitters):
        emitter.stop()
    assert vault.wait_for(lambda v: v.sweeps == 2)
    (root / "a.md").write_text("x")
    assert vault.wait_for(lambda v: "a.md" in v.applied)


def test_what_a_periodic_sweep_finds_without_an_event_was_missed_by_the_watcher(
    start: Start, vault: FakeVault, root: Path
) -> None:
    """B003."""
    clock = HandClock()
    service = start(clock=clock)
    vault.report = Report(changed=2)
    clock.now += 25.0
    service._schedule._periodic_at = clock.now
    assert vault.wait_for(lambda v: v.sweeps == 2)
    vault.report = Report()
    # The clock stands still, so it must not be moved before the sweep has looked at it.
    assert wait_until(lambda: service._missed is not None)
    clock.now += 3.0
    assert vault.wait_for(lambda v: v.sweeps == 3)
    assert daemon_status(answering(service, vault, root))["missed_by_watcher"] == 2
    assert wait_until(lambda: service.tally.last_sweep_reason != "periodic")
    assert service.tally.last_sweep_reason == "2 changes were found that gave no event"


def test_a_failing_step_is_reported_and_tried_again(start: Start, vault: FakeVault, root: Path) -> None:
    """F03, F04."""
    service = start()
    answers = answering(service, vault, root)

    def fail(_: object) -> None:
        raise IndexFaultError("The disk is full.")

    vault.before = fail
    assert service.request_sync(WAIT_S, full=True) == "The disk is full."
    assert daemon_status(answers)["last_error"] == "The disk is full."
    vault.before = lambda _: None
    assert vault.wait_for(lambda v: v.sweeps == 2)
    assert wait_until(lambda: daemon_status(answers)["last_error"] == "")


def test_a_bug_in_a_step_does_not_end_the_worker_and_its_text_is_not_kept(start: Start, vault: FakeVault) -> None:
    """F03, T08."""
    service = start()

    def fail(_: object) -> None:
        raise ValueError("secret text of a note")

    vault.before = fail
    problem = service.request_sync(WAIT_S, full=True)
    assert re.fullmatch(r"ValueError at test_service\.py:\d+ while comparing everything", problem)
    vault.before = lambda _: None
    assert service.request_sync(WAIT_S, full=True) == ""


def test_a_vault_that_is_away_is_not_compared_and_is_compared_when_it_is_back(
    start: Start, vault: FakeVault, root: Path
) -> None:
    """B045, F12, F19."""
    service = start()
    root.rename(root.with_name("away"))
    assert wait_until(lambda: service.tally.brake == "the vault folder is gone")
    swept = vault.sweeps
    assert service.request_sync(WAIT_S, full=True) == "the vault folder is gone"
    assert vault.sweeps == swept
    root.with_name("away").rename(root)
    assert vault.wait_for(lambda v: v.sweeps > swept)
    assert wait_until(lambda: service.tally.brake == "")
    (root / "a.md").write_text("x")
    assert vault.wait_for(lambda v: "a.md" in v.applied)


def test_a_vault_that_stays_away_ends_the_service(start: Start, root: Path) -> None:
    """B123."""
    service = start(gone_s=0.0)
    root.rename(root.with_name("away"))
    assert service.wait_until_finished(WAIT_S)
    assert service.tally.ended == "the vault folder is gone"


def test_a_lost_lock_ends_the_service(start: Start) -> None:
    """B123, I18."""
    held = [True]
    service = start(is_lock_held=lambda: held[0])
    held[0] = False
    assert service.wait_until_finished(WAIT_S)
    assert service.tally.ended == "the writer lock was lost"


def test_a_stopped_service_answers_who_still_waits(start: Start) -> None:
    service = start()
    service.stop()
    assert service.wait_until_finished(WAIT_S)
    assert service.request_sync(WAIT_S) == "the daemon is stopping"


def test_where_events_do_not_work_the_disk_is_compared_by_the_clock(start: Start, vault: FakeVault, root: Path) -> None:
    """B015."""
    service = start(replace(QUICK, mode="polling", poll_s=0.1))
    assert vault.wait_for(lambda v: v.sweeps >= 4)
    assert daemon_status(answering(service, vault, root))["watching"] == "polling"


def test_a_thousand_hints_about_unchanged_notes_are_one_batch(start: Start, vault: FakeVault, root: Path) -> None:
    """B021."""
    write_notes(root, 1000)
    clock = HandClock()
    service = start(clock=clock)
    batches: list[frozenset[str] | None] = []
    vault.before = batches.append
    for number in range(1000):
        service.mailbox.look_at(f"note{number}.md")
    assert wait_until(lambda: service.n_pending_paths() == 1000)
    clock.now += 1.0
    assert vault.wait_for(lambda v: len(v.applied) == 1000)
    assert len(batches) == 1


def test_waiting_chunks_are_embedded_in_the_background(start: Start, vault: FakeVault) -> None:
    vault.pending = 25
    start()
    assert wait_until(lambda: vault.pending == 0)


def test_a_model_that_cannot_load_is_reported_and_words_are_still_searched(
    start: Start, vault: FakeVault, root: Path
) -> None:
    """F29."""

    def fail() -> None:
        raise EmbedderError("The model is broken.")

    vault.warming = fail
    service = start()
    answers = answering(service, vault, root)
    assert wait_until(lambda: daemon_status(answers)["embedding_problem"] == "The model is broken.")
    answer = answers.answer({"op": "search", "request": {"query": "x"}})
    assert answer["result"] == {"hits": [], "degraded": ["vectors wait: The model is broken."], "stale": False}
    (root / "a.md").write_text("x")
    assert vault.wait_for(lambda v: "a.md" in v.applied)


def test_a_model_that_takes_long_to_load_keeps_nobody_waiting(start: Start, vault: FakeVault, root: Path) -> None:
    """F29, I08: notes are applied and words are searched while the model loads."""
    gate = threading.Event()
    vault.warming = lambda: assert_true(gate.wait(WAIT_S))
    service = start()
    answers = answering(service, vault, root, model_s=0.05)
    (root / "a.md").write_text("x")
    assert vault.wait_for(lambda v: "a.md" in v.applied)
    answer = answers.answer({"op": "search", "request": {"query": "x"}})
    refused = answers.answer({"op": "search", "request": {"query": "x", "mode": "vector"}})
    gate.set()
    assert answer["result"] == {
        "hits": [],
        "degraded": ["vector lane off: the model is still being loaded"],
        "stale": False,
    }
    assert vault.searched == [{"query": "x", "mode": "fts"}]
    assert refused["ok"] is False


def test_a_broken_model_is_tried_again(vault: FakeVault) -> None:
    """F29."""
    from clawvault.daemon.embedding_loop import EmbeddingLoop

    tries: list[int] = []

    def fail_twice() -> None:
        tries.append(1)
        if len(tries) < 3:
            raise EmbedderError("The model is broken.")

    vault.warming = fail_twice
    loop = EmbeddingLoop(vault, retry_s=0.01)
    loop.start()
    assert loop.wait_until_warm(WAIT_S)
    assert wait_until(lambda: loop.problem == "")
    loop.stop()
    assert loop.join(WAIT_S)
    assert len(tries) == 3


def test_between_two_rounds_of_embedding_there_is_a_rest(vault: FakeVault) -> None:
    """F24, I08: notes that are edited all the time are not embedded all the time; to load the model counts for nothing.

    Of the second round each of three steps takes as long, since more waits than one step embeds.
    """
    from clawvault.daemon.embedding_loop import EmbeddingLoop

    clock, rests = HandClock(), list[float]()
    vault.warming = lambda: setattr(clock, "now", clock.now + 30.0)
    vault.embedding = lambda: setattr(clock, "now", clock.now + 0.25)
    loop = EmbeddingLoop(vault, clock=clock, rest=rests.append)
    loop.start()
    assert wait_until(lambda: len(rests) == 1)
    vault.pending = 25
    loop.wake()
    assert wait_until(lambda: len(rests) == 2)
    loop.stop()
    assert loop.join(WAIT_S)
    assert rests == [3.75, 3.75]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells the priority of a thread")
def test_embedding_steps_back_behind_everything_else(vault: FakeVault) -> None:
    """F24: with the threads that divide its work, and no other thread of the process, once the model is loaded."""
    from clawvault.daemon.embedding_loop import EmbeddingLoop

    def nice() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    seen: list[int] = []
    with_others = threading.Thread(target=lambda: seen.append(nice()))

    def embed() -> None:
        seen.append(nice())
        with_others.start()
        with_others.join()

    before, loading = nice(), list[int]()
    vault.warming = lambda: loading.append(nice())
    vault.embedding = embed
    loop = EmbeddingLoop(vault)
    loop.start()
    assert wait_until(lambda: len(seen) == 2)
    loop.stop()
    assert loop.join(WAIT_S)
    assert (loading[0], seen, nice()) == (before, [10, 10], before)


@pytest.mark.parametrize(
    ("took_s", "rests_s"), [(0.0, 0.0), (0.04, 0.6), (0.4, 4.1), (1.0, 3.5), (2.0, 3.0), (600.0, 3.0)]
)
def test_after_a_short_round_the_next_may_come_soon_and_after_a_long_one_in_time(took_s: float, rests_s: float) -> None:
    """F24, I08."""
    from clawvault.daemon.embedding_loop import rest_s

    assert rest_s(took_s) == pytest.approx(rests_s)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({}, 'The daemon knows no "None".'),
        ({"op": "erase"}, 'The daemon knows no "erase".'),
        ({"op": "search"}, 'A search needs "request".'),
        ({"op": "why", "path": "a.md"}, 'A why needs "request".'),
        ({"op": "why", "path": 3, "request": {"query": "x"}}, 'The request needs a text "path".'),
        ({"op": "sync", "timeout_s": True}, '"timeout_s" must be seconds from 0 to 86400.'),
        ({"op": "sync", "timeout_s": float("nan")}, '"timeout_s" must be seconds from 0 to 86400.'),
    ],
)
def test_a_malformed_question_is_refused_with_its_reason(
    start: Start, vault: FakeVault, root: Path, request_: dict[str, object], message: str
) -> None:
    error = answering(start(), vault, root).answer(request_)["error"]
    assert isinstance(error, dict)
    assert (error["message"], error["exit_code"]) == (message, 2)


def test_a_note_is_asked_about_through_why(start: Start, vault: FakeVault, root: Path) -> None:
    answers = answering(start(), vault, root)
    asked = {"query": "x", "limit": 3, "mode": "fts"}
    assert answers.answer({"op": "why", "path": "a.md", "request": asked}) == {
        "ok": True,
        "why": {"path": "a.md", "query": "x", "limit": 3, "mode": "fts"},
    }


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOTCONN, errno.ESTALE, errno.EACCES])
def test_a_disk_that_does_not_answer_ends_nothing_and_prunes_nothing(
    start: Start, root: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """F03, B045: it is neither there nor gone."""
    service = start(gone_s=0.0)
    real = os.stat

    def fail(path: os.PathLike[str], **options: Any) -> os.stat_result:
        if path == root:
            raise OSError(number, os.strerror(number))
        return real(path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(lookout.os, "stat", fail)
        assert wait_until(lambda: service.tally.brake == AWAY)
        assert service.tally.ended == ""
    assert wait_until(lambda: service.tally.brake == "")


def test_everything_is_compared_when_the_brake_comes_off(start: Start, vault: FakeVault, root: Path) -> None:
    """I10: what was seen missing meanwhile is looked at again."""
    vault.report.brake = "9 of 9 notes are gone at once"
    service = start()
    assert service.tally.brake
    vault.report.brake = ""
    sweeps = vault.sweeps
    (root / "a.md").write_text("new")
    assert vault.wait_for(lambda seen: seen.sweeps > sweeps)
    assert wait_until(lambda: service.tally.last_sweep_reason == "deletions are applied again")
