"""Sixty days of one person: what was a matter of a week fades, what keeps being useful stays (OC-02)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bench_vault import BenchVault
from dreaming import Clock, Dreaming

from clawvault.dream.nightly.nights import Nightly
from clawvault.dream.recall.recall_log import RecallLog
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import SearchResult

MONDAY = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
BUG = "The worker was killed for want of memory while it resized pictures."
LIKING = "The team prefers TypeScript with strict mode for every new service."
FIX = "The worker no longer runs out of memory since pictures are resized in batches."
DEPLOY = "Quarterly deploy: freeze the queue, migrate the schema, then warm the cache."
OTHERS = ("gardens", "bicycles", "bread", "trains", "music", "rivers", "clouds", "paper", "glass", "chairs")
# A bug is asked for while it hurts; a liking whenever something new begins.
ASKED = {
    0: ("why was the worker killed", "worker memory resized pictures"),
    4: ("is the worker still killed for want of memory",),
    9: ("which language does the team prefer for a new service",),
    16: ("TypeScript strict mode for a new service", "what does the team prefer for every service"),
    23: ("does the team prefer strict mode", "new service in TypeScript"),
}


class Life:
    """A vault with an index, lived in for a while."""

    def __init__(self, folder: Path) -> None:
        self.bench = BenchVault(folder)
        self.dreaming = Dreaming(self.bench.root, self.bench.vault.state, now=MONDAY, flags={"dream.apply": True})
        # Words are worth something only where most notes do not have them.
        for number, subject in enumerate(OTHERS):
            self.bench.write(f"subjects/{number}.md", f"# {subject}\n\nSome lines about {subject} and nothing else.\n")

    def write(self, text: str) -> None:
        self.dreaming.put(f"memory/{self.dreaming.day.isoformat()}.md", f"# Day\n\n- {text}\n- Lunch was late again.\n")

    def ask(self, query: str, *, limit: int = 6) -> SearchResult:
        self.bench.sync()
        request = SearchRequest(query=query, asked_by="agent", limit=limit)
        result = self.bench.vault.opened.search(request, today=self.dreaming.day)
        dreamer = self.dreaming.dreamer()
        RecallLog(self.dreaming.state, dreamer.means.config.recall, lambda: self.dreaming.day).record(request, result)
        return result

    def sleep(self) -> None:
        """Pass a night, at whose end the daemon dreams."""
        self.dreaming.now += timedelta(hours=9)
        Nightly(self.dreaming.dreamer(), Clock()).run()
        self.dreaming.now += timedelta(hours=15)

    def memory(self) -> str:
        path = self.bench.root / "MEMORY.md"
        return path.read_text() if path.exists() else ""


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    made = Life(tmp_path)
    yield made
    made.bench.vault.close()


def test_after_sixty_days_the_liking_is_known_and_the_bug_is_not(life: Life) -> None:
    """OC-02..04: neither drowns in stale notes, nor do likings vanish after a month."""
    written = {0: BUG, 2: LIKING, 4: FIX}
    for day in range(60):
        for text in [written[day]] if day in written else []:
            life.write(text)
        for query in ASKED.get(day, ()):
            life.ask(query)
        life.sleep()
    assert life.memory().count(LIKING) == 1
    assert BUG not in life.memory()
    assert FIX not in life.memory()
    best = life.ask("which language for a new service does the team prefer").hits[0]
    assert LIKING in best.text
    assert best.decay == 1.0
    faded = next(hit for hit in life.ask("worker killed memory pictures").hits if BUG in hit.text)
    assert faded.decay <= 0.5


def test_a_note_that_is_needed_once_a_quarter_stays(life: Life) -> None:
    """OC-63, L2c: found in January and in April; in July it is there undimmed."""
    life.dreaming.now = datetime(2026, 1, 15, 18, 0, tzinfo=UTC)
    life.write(DEPLOY)
    life.ask("deploy freeze the queue migrate the schema warm the cache")
    life.dreaming.now = datetime(2026, 4, 15, 18, 0, tzinfo=UTC)
    found = life.ask("quarterly deploy: migrate the schema, warm the cache")
    assert DEPLOY in found.hits[0].text
    life.dreaming.dreamer().find_objection()
    life.sleep()
    assert life.memory().count(DEPLOY) == 1
    life.dreaming.now = datetime(2026, 7, 15, 18, 0, tzinfo=UTC)
    best = life.ask("how was the quarterly deploy done").hits[0]
    assert DEPLOY in best.text
    assert best.decay == 1.0


def test_what_was_found_once_a_quarter_by_the_same_words_alone_waits(life: Life) -> None:
    """OC-55: the same question lifts nothing, however long apart."""
    for moment in (datetime(2026, 1, 15, 18, 0, tzinfo=UTC), datetime(2026, 4, 15, 18, 0, tzinfo=UTC)):
        life.dreaming.now = moment
        (life.bench.root / "memory").mkdir(exist_ok=True)
        life.dreaming.put("memory/2026-01-15.md", f"- {DEPLOY}\n")
        life.ask("quarterly deploy freeze the queue")
    (item,) = life.dreaming.dreamer().look().candidates
    assert item.reasons == ("queries",)
