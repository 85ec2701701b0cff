"""Promotion while it is killed, while a person writes, and on two machines at once."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from dreaming import Clock, Dreaming

from clawvault.dream.machines.machine import list_machines
from clawvault.dream.nightly.nights import Nightly
from clawvault.dream.promotion.promoting import promote

SCRIPT = Path(__file__).parents[2] / "scripts" / "torn_promotions.py"
NOTE = "memory/2026-03-03.md"
FACTS = [
    f"Machine w{n}x runs the {name} job for the team." for n, name in enumerate(("night", "mail", "image", "bill"))
]


@pytest.fixture
def vault(tmp_path: Path) -> Dreaming:
    made = Dreaming(tmp_path / "vault", tmp_path / "state", flags={"dream.apply": True})
    made.put(NOTE, "".join(f"- {fact}\n" for fact in FACTS))
    return made


def test_fifty_kills_leave_the_old_note_or_the_new() -> None:
    """F02, I02, I35: a thousand with ``scripts/torn_promotions.py``."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--kills", "50"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("50 kills: ")
    assert " new" in done.stdout
    assert " old" in done.stdout


class Editor:
    """Somebody who adds a line every few milliseconds, as an editor does that keeps nothing open."""

    def __init__(self, path: Path, pause_s: float) -> None:
        self.path = path
        self.pause_s = pause_s
        self.lines: list[str] = []
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.write)

    def write(self) -> None:
        while not self.stopping.wait(self.pause_s):
            line = f"typed line {len(self.lines)}\n"
            with self.path.open("a", newline="") as stream:
                stream.write(line)
            self.lines.append(line)

    def __enter__(self) -> Editor:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self.thread.join()


@pytest.fixture
def editor(vault: Dreaming) -> Iterator[Editor]:
    vault.put("MEMORY.md", "# Memory\n")
    with Editor(vault.root / "MEMORY.md", 0.01) as made:
        yield made


def test_who_writes_is_left_alone_for_a_hundred_tries(vault: Dreaming, editor: Editor) -> None:
    """F25: each one waits, and leaves its proposal."""
    vault.now = datetime.now(UTC)
    vault.make_memorable(NOTE, FACTS[0])
    vault.rest("MEMORY.md", age_s=1.0)
    waiting = [vault.dreamer().apply().waiting for _ in range(100)]
    editor.stopping.set()
    editor.thread.join()
    assert all(waiting)
    assert vault.text("MEMORY.md") == "# Memory\n" + "".join(editor.lines)
    assert FACTS[0] in vault.text("memory/.dreams/proposal.json")


def test_no_line_is_lost_where_somebody_begins_to_write_in_that_moment(vault: Dreaming, editor: Editor) -> None:
    """F25, I02: the quiet was seen before; the writer holds what nobody can foresee."""
    vault.make_memorable(NOTE, *FACTS)
    dreamer = vault.dreamer()
    chosen = dreamer.look().passing
    sources = dreamer._sources()
    for item in chosen:
        promote(dreamer.means, [item], lambda trace: sources.locate(trace, everywhere=False), frozenset())
    editor.stopping.set()
    editor.thread.join()
    text = vault.text("MEMORY.md")
    assert [line for line in editor.lines if line not in text] == []
    assert [text.count(fact) for fact in FACTS] == [1, 1, 1, 1]


class Pair:
    """Two machines with a copy each, and a sync that carries each change to the other a while later."""

    def __init__(self, folder: Path) -> None:
        self.machines = [
            Dreaming(folder / name / "vault", folder / f"{name}-state", flags={"dream.apply": True})
            for name in ("one", "two")
        ]
        self.before: dict[str, bytes] = {}
        self.conflicts: list[str] = []

    def put(self, path: str, text: str) -> None:
        for machine in self.machines:
            machine.put(path, text)

    def sync(self) -> None:
        """Bring both to the same; a file that both changed since is a conflict."""
        found = [machine.files() for machine in self.machines]
        for path in sorted({*found[0], *found[1]}):
            changed = [files.get(path) != self.before.get(path) for files in found]
            if all(changed) and found[0].get(path) != found[1].get(path):
                self.conflicts.append(path)
            newer = 0 if changed[0] else 1
            other = self.machines[1 - newer]
            target = other.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.machines[newer].root / path, target)
        self.before = self.machines[0].files()


def test_two_machines_make_no_conflict_copy_and_one_of_them_writes(tmp_path: Path) -> None:
    """F26, B145, L24: both dream in the same minute, and hear of each other only afterwards."""
    pair = Pair(tmp_path)
    pair.put(NOTE, "".join(f"- {fact}\n" for fact in FACTS))
    pair.sync()
    for machine in pair.machines:
        machine.make_memorable(NOTE, *FACTS[:2])
    promoted = [0, 0]
    for night in range(10):
        for number, machine in enumerate(pair.machines):
            machine.now += timedelta(days=1)
            machine.recall(NOTE, FACTS[night % 4], f"question {night} of {number}")
            promoted[number] += Nightly(machine.dreamer(), Clock()).run().promoted
        pair.sync()
    assert pair.conflicts == []
    assert sorted(promoted)[0] == 0
    assert sorted(promoted)[1] >= 2
    assert len(list_machines(pair.machines[0].root)) == 2
    assert pair.machines[0].files() == pair.machines[1].files()
