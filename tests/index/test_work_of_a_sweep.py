"""What a comparison with nothing changed costs: reads, calls and writes are counted, not seconds (I13, F35, F43)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from bench_vault import BenchVault

from clawvault.index import indexer

READS = frozenset({"read_note", "build_note", "open_inside"})


def filled(bench: BenchVault, count: int) -> None:
    for i in range(count):
        bench.write(f"area {i % 3}/topic {i % 7}/note {i}.md", f"# Note {i}\n\nThe heron stands in the river.\n")
    bench.sync()


def calls_of(act: Callable[[], object]) -> list[str]:
    """Return the names of all functions of Python that are called."""
    names: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        names.extend([frame.f_code.co_name] if event == "call" else [])

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return names


def files_of(bench: BenchVault) -> dict[str, tuple[int, int]]:
    return {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in bench.index_path.parent.iterdir()}


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a note that was written just now count as settled."""
    monkeypatch.setattr(indexer, "RACY_NS", 0)


@pytest.mark.usefixtures("sure")
def test_a_sweep_of_an_unchanged_vault_reads_no_note(bench: BenchVault) -> None:
    filled(bench, 60)
    session = bench.session()
    assert READS.isdisjoint(calls_of(session.indexer.sweep))


@pytest.mark.usefixtures("sure")
def test_twice_as_many_notes_take_twice_as_many_steps(tmp_path: Path) -> None:
    """F43: no step is quadratic; a note costs a few calls."""
    steps: list[int] = []
    for count in (100, 200):
        bench = BenchVault(tmp_path / str(count))
        filled(bench, count)
        steps.append(len(calls_of(bench.session().indexer.sweep)))
        bench.vault.close()
    assert steps[1] <= 2.0 * steps[0]
    assert steps[1] - steps[0] <= 100 * 20


@pytest.mark.usefixtures("sure")
def test_sweeps_of_an_unchanged_vault_write_nothing(bench: BenchVault) -> None:
    """I13: not a byte, whatever was left out and however often."""
    bench.write("too large.md", "x" * 100)
    bench.write(".clawvaultignore", "left out.md\n")
    bench.write("left out.md", "text\n")
    (bench.root / "link.md").symlink_to("left out.md")
    bench.write("latin.md", b"caf\xe9\n")
    filled(bench, 20)
    session = bench.session()
    session.indexer.sweep()
    changes, files = session.store.connection.total_changes(), files_of(bench)
    for _ in range(3):
        session.indexer.sweep()
        session.indexer.sweep(only={"area 1"})
        session.queue.embed_some()
        session.queue.finish_generation()
    assert session.store.connection.total_changes() == changes
    assert files_of(bench) == files


@pytest.mark.usefixtures("sure")
def test_a_note_touched_without_a_change_is_written_once(bench: BenchVault) -> None:
    filled(bench, 5)
    session = bench.session()
    os.utime(bench.root / "area 0/topic 0/note 0.md")
    session.indexer.sweep()
    changes = session.store.connection.total_changes()
    session.indexer.sweep()
    assert session.store.connection.total_changes() == changes
