"""What a comparison with nothing changed costs: reads, calls and writes are counted, not seconds (I13, F35, F43)."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType

import pytest
from bench_vault import BenchVault
from fakes import HashEmbedder

from clawvault.config import ChunkSettings, Config
from clawvault.index import indexer, lengths, looking, units
from clawvault.index.chunking import chunk_note
from clawvault.index.indexer import SyncReport
from clawvault.vault import glance
from clawvault.vault.ignoring import IgnoreRules
from clawvault.vault.listing import Listing
from clawvault.vault.markdown import parse_note

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


@pytest.mark.usefixtures("sure")
def test_an_edit_of_a_known_note_costs_the_same_in_any_vault(tmp_path: Path) -> None:
    """F43: under a daemon nothing but the edited note is looked at."""
    steps: list[int] = []
    for count in (20, 200):
        bench = BenchVault(tmp_path / str(count))
        filled(bench, count)
        bench.session().indexer.sweep()
        bench.write("area 0/topic 0/note 0.md", "# Note 0\n\nA kingfisher.\n")
        sweep = bench.session().indexer.sweep
        steps.append(len(calls_of(partial(sweep, only={"area 0/topic 0/note 0.md"}))))
        assert bench.paths("kingfisher", mode="fts") == ["area 0/topic 0/note 0.md"]
        bench.vault.close()
    assert steps[1] <= steps[0] + 10


@pytest.mark.usefixtures("sure")
@pytest.mark.parametrize(
    ("act", "named"),
    [
        (lambda root: (root / "new.md").write_text("a kingfisher"), "new.md"),
        (lambda root: (root / "area 0/topic 0/note 0.md").unlink(), "area 0/topic 0/note 0.md"),
        (lambda root: (root / "area 0").rename(root / "moved"), "area 0"),
        (lambda root: (root / ".clawvaultignore").write_text("area 0/\n"), "area 0/topic 0/note 0.md"),
    ],
)
def test_what_is_more_than_an_edit_is_compared_with_everything(
    bench: BenchVault, act: Callable[[Path], object], named: str
) -> None:
    """I07, I10: moves, deletions and what is left out are told from all notes."""
    filled(bench, 30)
    session = bench.session()
    act(bench.root)
    assert "list_notes" in calls_of(lambda: session.indexer.sweep(only={named}))


def test_an_edit_while_deletions_are_held_back_keeps_the_brake(bench: BenchVault) -> None:
    """I10: the reason why notes are kept does not go away with the next edit."""
    filled(bench, 30)
    session = bench.session()
    (bench.root / "area 0").rename(bench.root.parent / "away")
    (bench.root / "area 1").rename(bench.root.parent / "away too")
    assert session.indexer.sweep().brake != ""
    bench.write("area 2/topic 2/note 2.md", "A kingfisher.\n")
    assert session.indexer.sweep(only={"area 2/topic 2/note 2.md"}).brake != ""


def test_an_edit_with_pending_chunks_says_so(bench: BenchVault) -> None:
    """The daemon embeds what an edit brought."""
    filled(bench, 10)
    bench.write("area 0/topic 0/note 0.md", "# Note 0\n\nA kingfisher.\n")
    assert bench.session().indexer.sweep(only={"area 0/topic 0/note 0.md"}).pending_chunks == 1


def test_no_garbage_is_looked_for_while_disk_and_index_are_compared(
    bench: BenchVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comparison of twice as many notes takes twice as long, not more."""
    seen: list[bool] = []
    listing = indexer.list_notes

    def watched(root: Path, rules: IgnoreRules, config: Config) -> Listing:
        seen.append(gc.isenabled())
        return listing(root, rules, config)

    monkeypatch.setattr(indexer, "list_notes", watched)
    bench.write("a.md", "a heron\n")
    bench.sync()
    assert (set(seen), gc.isenabled()) == ({False}, True)


def test_who_turned_the_collection_of_garbage_off_finds_it_off_after_a_sweep(bench: BenchVault) -> None:
    bench.write("a.md", "a heron\n")
    gc.disable()
    try:
        bench.sync()
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[BenchVault]:
    """A vault whose model reads 60 words, with its index gone and its vectors kept."""
    bench = BenchVault(tmp_path / "limited", HashEmbedder(max_tokens=60))
    bench.write("long.md", "The heron stands in the river and waits.\n" * 60)
    for i in range(40):
        bench.write(f"{i}.md", f"# Note {i}\n\nThe heron {i} stands in the river.\n")
    bench.sync()
    bench.vault.close()
    bench.index_path.unlink()
    yield bench
    bench.vault.close()


def test_an_index_made_again_asks_the_model_for_nothing(limited: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text has its vector, and of each that was cut it is known how it compares with what the model reads."""
    asked: list[str] = []
    for name in ("count_tokens", "embed_passages"):
        monkeypatch.setattr(limited.embedder, name, lambda texts, name=name: asked.append(name))
    report = limited.vault.index()
    assert (report.added, report.embedded_texts, asked) == (41, 0, [])


def test_an_index_made_again_asks_for_the_lengths_of_few_texts(
    limited: BenchVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that are known are read at once; only texts that were too long are asked for after that."""
    monkeypatch.setattr(lengths, "FEW_TEXTS", 5)
    statements: list[str] = []

    def note(cursor: object, sql: str, bindings: object) -> bool:
        statements.append(sql)
        return True

    session = limited.session()
    session.store.connection.exec_trace = note
    session.indexer.sweep()
    assert sum(sql.startswith("SELECT 1 FROM vectors") for sql in statements) <= 15
    assert sum(sql.startswith("SELECT text_hash FROM vectors") for sql in statements) == 1


def test_each_boundary_of_a_note_is_hashed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stretch is looked at twice, and each of its parts again."""
    text = "".join(f"# Part {i}\n\n" + f"The heron number {i} stands in the river.\n" * 60 for i in range(9))
    hashed: list[int] = []
    hash_at = units._hash_at

    def noted(flat: str, place: int, strength: int) -> bytes:
        hashed.append(place)
        return hash_at(flat, place, strength)

    monkeypatch.setattr(units, "_hash_at", noted)
    chunk_note(text, parse_note(text), ChunkSettings(), count_tokens=lambda texts: [1] * len(texts), max_tokens=0)
    assert len(hashed) > 100
    assert len(hashed) == len(set(hashed))


def make_settled(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> Callable[..., SyncReport]:
    """Return a sweep of a vault that was written long ago, after it found nothing once."""
    monkeypatch.setattr(glance, "UNSETTLED_NS", 0)
    filled(bench, 30)
    session = bench.session()
    for _ in range(2):
        session.indexer.sweep()
    return session.indexer.sweep


@pytest.mark.usefixtures("sure")
def test_a_comparison_after_one_that_found_nothing_is_a_glance(
    bench: BenchVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question to a daemon waits for it: nothing is listed, and no table of notes is read."""
    bench.write("left.tmp.md", "x")
    (bench.root / "link.md").symlink_to("left.tmp.md")
    sweep = make_settled(bench, monkeypatch)
    first = bench.session().indexer.compare()[0].skips
    reports: list[SyncReport] = []
    for _ in range(2):
        calls = calls_of(lambda: reports.append(sweep()))
        assert {"list_notes", "known_notes", "plan_changes"}.isdisjoint(calls)
    assert [report.skipped for report in reports] == [first, first]


@pytest.mark.usefixtures("sure")
@pytest.mark.parametrize(
    "act",
    [
        lambda bench: bench.write("new.md", "a kingfisher"),
        lambda bench: bench.write("area 0/topic 0/note 0.md", "a kingfisher"),
        lambda bench: (bench.root / "area 0/topic 0/note 0.md").unlink(),
        lambda bench: (bench.root / "area 0").rename(bench.root / "moved"),
        lambda bench: bench.write(".clawvaultignore", "area 0/\n"),
        lambda bench: bench.session().store.mark_stale("area 0/topic 0/note 0.md", "unreadable"),
    ],
)
@pytest.mark.parametrize("glances", [0, 1])
def test_whatever_is_touched_after_a_glance_is_compared(
    bench: BenchVault, monkeypatch: pytest.MonkeyPatch, act: Callable[[BenchVault], object], glances: int
) -> None:
    sweep = make_settled(bench, monkeypatch)
    for _ in range(glances):
        sweep()
    act(bench)
    assert "list_notes" in calls_of(sweep)


@pytest.mark.usefixtures("sure")
def test_everything_is_listed_again_once_in_a_while(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every disk keeps the times of folders."""
    sweep = make_settled(bench, monkeypatch)
    monkeypatch.setattr(looking, "FULL_AGAIN_S", 0.0)
    assert "list_notes" in calls_of(sweep)


@pytest.mark.usefixtures("sure")
def test_a_check_by_content_takes_no_glance(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """B025."""
    sweep = make_settled(bench, monkeypatch)
    assert sweep(verify=True).hashed == 30
