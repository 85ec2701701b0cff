"""What ``clawvault watch`` tells of the first index; times are given, not taken."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from clawvault.cli.first_index import FirstIndex

# Only a command that hangs takes so long.
LONGEST_S = 240
# ``clawvault watch`` with a model that is made up, and computes nothing before a file is there.
HASHING_WATCH = """
import sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
from fakes import HashEmbedder
from clawvault import opened
from clawvault.cli.main import main
class WaitingEmbedder(HashEmbedder):
    def embed_passages(self, texts):
        while not Path({go!r}).exists():
            time.sleep(0.01)
        return super().embed_passages(texts)
embedder = WaitingEmbedder()
opened.open_embedder = lambda *_: embedder
sys.argv[1:] = ["watch"]
main()
"""


def status(notes: int, pending: int, problem: str = "") -> dict[str, Any]:
    return {"notes": notes, "pending": pending, "daemon": {"embedding_problem": problem}}


class Person:
    """Hears lines, and looks at the daemon when told to."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._now = 0.0
        self._told = FirstIndex(lambda: self._now, self.heard.append)

    def look(self, at: float, found: dict[str, Any], *, ready: bool = True) -> bool:
        self._now = at
        return self._told.take(found, ready=ready)


def test_an_index_that_is_complete_is_not_spoken_of() -> None:
    person = Person()
    assert not person.look(1.0, status(200, 0))
    assert person.heard == []


def test_what_waits_is_said_once_and_when_it_is_done() -> None:
    person = Person()
    assert person.look(1.0, status(200, 364))
    assert person.look(2.0, status(200, 300))
    assert not person.look(30.0, status(200, 0))
    assert person.heard == [
        "200 notes are found by their words; 364 passages wait for a vector.",
        "All passages have a vector.",
    ]


def test_who_waits_long_hears_of_it_once_a_minute() -> None:
    person = Person()
    for second in range(1, 140):
        person.look(float(second), status(200, 1001 - second))
    assert person.heard[1:] == [
        "940 passages wait for a vector, 15:40 left.",
        "880 passages wait for a vector, 14:40 left.",
    ]


def test_a_vault_of_many_notes_is_heard_of_before_all_are_read() -> None:
    person = Person()
    assert person.look(30.0, status(9000, 20_000), ready=False)
    assert person.look(60.0, status(18_000, 40_000), ready=False)
    assert person.heard == ["18000 notes are read so far."]


def test_why_vectors_wait_is_said_once_and_when_they_do_no_more() -> None:
    person = Person()
    for second, problem in enumerate(["", "the server is gone.", "the server is gone.", "", ""]):
        person.look(float(second), status(200, 364, problem))
    assert person.heard[1:] == ["Vectors wait: the server is gone.", "Vectors are made again."]


def test_watching_a_new_vault_says_what_waits_and_when_it_is_done(vault: Path, tmp_path: Path) -> None:
    go = tmp_path / "go"
    code = HASHING_WATCH.format(tests=str(Path(__file__).parents[1]), go=str(go))
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, encoding="utf-8")
    # A daemon that says less than it should is killed, which ends the wait for its line.
    watchdog = threading.Timer(LONGEST_S, process.kill)
    watchdog.start()
    assert process.stderr is not None
    lines = [process.stderr.readline() for _ in range(3)]
    go.touch()
    lines.append(process.stderr.readline())
    process.terminate()
    process.communicate(timeout=LONGEST_S)
    watchdog.cancel()
    assert lines[1:] == [
        "Ready.\n",
        "4 notes are found by their words; 4 passages wait for a vector.\n",
        "All passages have a vector.\n",
    ]
