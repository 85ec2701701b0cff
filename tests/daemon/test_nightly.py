"""The thread that dreams, and what is counted of the daemon's answers."""

from __future__ import annotations

import threading
from pathlib import Path

from daemon_fakes import WAIT_S, wait_until
from real_daemon import Bench

from clawvault.config import load_config
from clawvault.daemon.nightly import NightlyLoop
from clawvault.daemon.transport import ask
from clawvault.dream.nightly.night_log import read_nights
from clawvault.dream.nightly.nights import make_nightly
from clawvault.dream.recall.recall_log import RecallLog
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import SearchResult
from clawvault.vault.local_time import local_now


class Dreams:
    """Due once; ``fault`` is raised in its place."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault = fault
        self.looks = 0
        self.runs = 0
        self.changed = threading.Event()

    def record(self, request: SearchRequest, result: SearchResult) -> None:
        """Count nothing."""

    def is_due(self) -> bool:
        self.looks += 1
        return self.runs == 0

    def run(self) -> object:
        self.runs += 1
        self.changed.set()
        if self.fault:
            raise self.fault
        return None

    def status(self) -> dict[str, object]:
        return {"runs": self.runs}


def test_what_is_due_is_run_and_the_loop_ends_when_told() -> None:
    dreams = Dreams()
    loop = NightlyLoop(dreams, look_s=0.001)
    loop.start()
    assert dreams.changed.wait(WAIT_S)
    loop.stop()
    assert loop.join(WAIT_S)
    assert dreams.runs == 1


def test_a_fault_ends_nothing() -> None:
    """F03: the daemon goes on, and so does the loop."""
    dreams = Dreams(RuntimeError("no"))
    loop = NightlyLoop(dreams, look_s=0.001)
    loop.start()
    assert wait_until(lambda: dreams.looks > 3)
    loop.stop()
    assert loop.join(WAIT_S)


def test_a_loop_that_never_began_has_ended() -> None:
    assert NightlyLoop(Dreams()).join(0.0)


def test_the_daemon_counts_what_it_answers_and_tells_of_its_nights(tmp_path: Path) -> None:
    """OC-34: an agent asks through the daemon; an evaluation does not count."""
    bench = Bench(tmp_path)
    config = load_config(bench.root, environment=bench.env)
    note = f"memory/{local_now(config).date().isoformat()}.md"
    (bench.root / "memory").mkdir()
    (bench.root / note).write_text("- The staging database listens on port 5433.\n")
    with bench.running(dreaming=make_nightly) as daemon:
        for asker in ("agent", "evaluation"):
            request = {"query": f"database port {asker}", "mode": "fts", "asked_by": asker, "sync": True}
            assert ask(daemon.state, {"op": "search", "request": request}, WAIT_S)["ok"]  # type: ignore[index]
        status = ask(daemon.state, {"op": "status"}, WAIT_S)
    assert status is not None
    assert status["status"]["dream"]["last_run"] is None
    log = RecallLog(daemon.state, config.recall, lambda: local_now(config).date())
    assert [(recall.path, recall.asked_by) for recall in log.read().recalls] == [(note, "agent")]


def test_a_night_of_the_daemon_is_a_preview_by_default(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    state = bench.state
    night = make_nightly(bench.root, load_config(bench.root, environment=bench.env), state).run()
    assert (night.finished, night.applied) == (True, False)
    assert [known.day for known in read_nights(state)] == [night.day]
    assert not (bench.root / "MEMORY.md").exists()
