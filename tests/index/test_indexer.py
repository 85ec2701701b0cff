"""Making the index equal to the vault: what is read, embedded and written, and what is not."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from bench_vault import BenchVault

from clawvault.index import indexer

LONG_AGO = 1_700_000_000


def age(path: Path) -> None:
    os.utime(path, (LONG_AGO, LONG_AGO))


def sections(n: int) -> str:
    return "".join(f"## Section {i}\n\n{f'Fact number {i} about subject {i}. ' * 16}\n\n" for i in range(n))


def test_every_note_becomes_findable(bench: BenchVault) -> None:
    bench.write("a.md", "# Database\n\nThe port is 5432.\n")
    bench.write("deep/b.md", "Coffee at nine.\n")
    report = bench.sync()
    assert (report.added, report.written, report.embedded_texts, report.pending_chunks) == (2, 2, 2, 0)
    assert bench.paths("port", mode="fts") == ["a.md"]


def test_an_unchanged_vault_costs_no_hash_no_embedding_and_no_write(bench: BenchVault) -> None:
    """I13."""
    age(bench.write("a.md", "text\n"))
    bench.sync()
    time.sleep(0.05)
    bench.sync()
    version = bench.store().connection.pragma("data_version")
    report = bench.sync()
    assert (report.hashed, report.written, report.embedded_texts) == (0, 0, 0)
    assert bench.store().connection.pragma("data_version") == version


def test_a_touched_note_costs_one_hash_and_nothing_else(bench: BenchVault) -> None:
    path = bench.write("a.md", "text\n")
    bench.sync()
    age(path)
    report = bench.sync()
    assert (report.hashed, report.written, report.embedded_texts) == (1, 0, 0)


def test_a_moved_note_costs_no_embedding(bench: BenchVault) -> None:
    """I12."""
    bench.write("a.md", "The harbour opens at six.\n")
    bench.sync()
    (bench.root / "sub").mkdir()
    (bench.root / "a.md").rename(bench.root / "sub/b.md")
    report = bench.sync()
    assert (report.moved, report.removed, report.embedded_texts) == (1, 0, 0)
    assert bench.note_paths() == ["sub/b.md"]


def test_swapped_names_cost_no_embedding(bench: BenchVault) -> None:
    """F18."""
    bench.write("a.md", "Alpha.\n")
    bench.write("b.md", "Beta.\n")
    bench.sync()
    (bench.root / "a.md").rename(bench.root / "t")
    (bench.root / "b.md").rename(bench.root / "a.md")
    (bench.root / "t").rename(bench.root / "b.md")
    assert bench.sync().embedded_texts == 0
    assert bench.paths("alpha", mode="fts") == ["b.md"]


def test_a_line_at_the_top_embeds_only_the_chunk_it_changed(bench: BenchVault) -> None:
    bench.write("a.md", sections(30))
    bench.sync()
    bench.write("a.md", "A new first line.\n\n" + sections(30))
    assert bench.sync().embedded_texts == 1


def test_equal_texts_are_embedded_once(bench: BenchVault) -> None:
    bench.write("a.md", "The same words.\n")
    bench.write("b.md", "The same words.\n")
    assert bench.sync().embedded_texts == 1


def test_a_note_changed_back_finds_its_vectors_again(bench: BenchVault) -> None:
    bench.write("a.md", "First version.\n")
    bench.sync()
    bench.write("a.md", "Second version!\n")
    bench.sync()
    bench.write("a.md", "First version.\n")
    assert bench.sync().embedded_texts == 0


def test_a_shorter_note_leaves_no_chunk_behind(bench: BenchVault) -> None:
    """B071."""
    bench.write("a.md", sections(10))
    bench.sync()
    bench.write("a.md", sections(3))
    bench.sync()
    assert bench.rows("SELECT count(*) FROM chunks") == [(3,)]
    assert bench.rows("SELECT count(*) FROM lexicon") == [(3,)]


def test_deleted_notes_leave_chunks_and_keyword_rows(bench: BenchVault) -> None:
    """B107."""
    for i in range(20):
        bench.write(f"{i}.md", f"Note {i} about foxes.\n")
    bench.sync()
    for i in range(8):
        (bench.root / f"{i}.md").unlink()
    assert bench.sync().removed == 8
    assert bench.rows("SELECT count(*) FROM chunks") == [(12,)]
    assert bench.rows("SELECT count(*) FROM lexicon") == [(12,)]


def test_an_edit_that_keeps_size_and_mtime_is_found(bench: BenchVault) -> None:
    """B025, F16: ctime tells."""
    path = bench.write("a.md", "aaaa\n")
    age(path)
    bench.sync()
    path.write_bytes(b"bbbb\n")
    age(path)
    assert bench.sync().changed == 1


def test_a_check_by_content_finds_what_no_stat_shows(bench: BenchVault) -> None:
    age(bench.write("a.md", "aaaa\n"))
    time.sleep(0.05)
    bench.sync()
    session = bench.session()
    with session.store.transaction() as connection:
        connection.execute("UPDATE notes SET sha256 = x'00'")
    bench.vault.opened.close_writing()
    assert bench.sync().changed == 0
    assert bench.sync(verify=True).changed == 1


def test_a_note_emptied_a_moment_ago_keeps_its_text(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """B009, I06: an editor that truncates first must not make the note vanish."""
    monkeypatch.setattr(indexer, "EMPTY_BELIEF_S", 3600.0)
    bench.write("a.md", "The kettle is blue.\n")
    bench.sync()
    bench.write("a.md", "")
    assert bench.sync().deferred == ("a.md",)
    assert bench.rows("SELECT count(*) FROM chunks") == [(1,)]


def test_a_note_that_stays_empty_is_believed(bench: BenchVault) -> None:
    bench.write("a.md", "The kettle is blue.\n")
    bench.sync()
    age(bench.write("a.md", ""))
    bench.sync()
    assert bench.rows("SELECT char_start, char_end FROM chunks") == [(0, 0)]
    assert bench.note_paths() == ["a.md"]


def test_a_deletion_waits_for_its_delay(bench: BenchVault) -> None:
    """I10, B007."""
    bench.write("a.md", "text\n")
    bench.sync()
    (bench.root / "a.md").unlink()
    indexer = bench.session().indexer
    assert indexer.sweep(deletion_delay_s=60).deferred == ("a.md",)
    assert indexer.sweep(deletion_delay_s=0).removed == 1


def test_more_than_half_gone_is_kept_until_a_person_agrees(bench: BenchVault) -> None:
    """B045, F19."""
    for i in range(10):
        bench.write(f"{i}.md", f"Note {i}.\n")
    bench.sync()
    for i in range(6):
        (bench.root / f"{i}.md").unlink()
    assert bench.sync().brake == "6 of 10 notes are gone at once"
    assert len(bench.note_paths()) == 10
    assert bench.sync(accept_deletions=True).removed == 6
    assert len(bench.note_paths()) == 4


def test_a_moved_folder_with_most_notes_is_no_mass_deletion(bench: BenchVault) -> None:
    """F18, I10, I12: two of the notes are copies of each other."""
    for i in range(250):
        bench.write(f"a/{i}.md", f"Note {i // 2 if i < 2 else i}.\n")
    bench.sync()
    (bench.root / "a").rename(bench.root / "b")
    report = bench.sync()
    assert (report.brake, report.moved, report.added, report.removed, report.embedded_texts) == ("", 249, 1, 1, 0)
    assert bench.note_paths() == sorted(f"b/{i}.md" for i in range(250))


def test_moved_notes_do_not_count_among_those_gone_at_once(bench: BenchVault) -> None:
    """I10: 4 of 20 are moved, 11 are gone."""
    for i in range(20):
        bench.write(f"{i}.md", f"Note {i}.\n")
    bench.sync()
    (bench.root / "sub").mkdir()
    for i in range(4):
        (bench.root / f"{i}.md").rename(bench.root / "sub" / f"{i}.md")
    for i in range(4, 15):
        (bench.root / f"{i}.md").unlink()
    report = bench.sync()
    assert (report.brake, report.moved) == ("11 of 20 notes are gone at once", 4)
    assert len(bench.note_paths()) == 20


def test_notes_moved_and_edited_at_once_are_no_mass_deletion(bench: BenchVault) -> None:
    """F17, I10: as many notes came as went."""
    for i in range(20):
        bench.write(f"a/{i}.md", f"Note {i}.\n")
    bench.sync()
    (bench.root / "a").rename(bench.root / "b")
    for i in range(20):
        bench.write(f"b/{i}.md", f"New note {i}.\n")
    report = bench.sync()
    assert (report.brake, report.added, report.removed) == ("", 20, 20)


def test_new_notes_do_not_release_the_brake(bench: BenchVault) -> None:
    """I10, F19."""
    for i in range(10):
        bench.write(f"{i}.md", f"Note {i}.\n")
    bench.sync()
    for i in range(6):
        (bench.root / f"{i}.md").unlink()
    indexer = bench.session().indexer
    assert indexer.sweep().brake == "6 of 10 notes are gone at once"
    for i in range(20, 26):
        bench.write(f"{i}.md", f"Note {i}.\n")
    assert indexer.sweep().brake == "6 of 10 notes are gone at once"
    assert indexer.sweep(accept_deletions=True).removed == 6


def test_a_note_that_moves_twice_is_moved_though_only_its_last_paths_are_looked_at(bench: BenchVault) -> None:
    """F18, I12."""
    bench.write("a.md", "Alpha.\n")
    bench.sync()
    (bench.root / "a.md").rename(bench.root / "c.md")
    report = bench.session().indexer.sweep(only=["b.md", "c.md"], deletion_delay_s=60)
    assert (report.moved, report.added) == (1, 0)
    assert bench.note_paths() == ["c.md"]


def test_a_note_that_came_back_is_no_longer_marked_as_missing(bench: BenchVault) -> None:
    for i in range(10):
        bench.write(f"{i}.md", f"Note {i}.\n")
    bench.sync()
    hidden = bench.root.parent / "hidden"
    hidden.mkdir()
    for i in range(6):
        (bench.root / f"{i}.md").rename(hidden / f"{i}.md")
    bench.sync()
    for i in range(6):
        (hidden / f"{i}.md").rename(bench.root / f"{i}.md")
    report = bench.sync()
    assert (report.brake, report.written) == ("", 0)
    assert bench.vault.status()["stale_notes"] == []


def test_an_unreadable_note_keeps_its_rows_and_is_listed(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """I11, B039: the others are indexed all the same."""
    from clawvault.index import indexer as module
    from clawvault.vault.notes import NoteUnreadableError

    bench.write("a.md", "Old words.\n")
    bench.sync()
    bench.write("a.md", "New words!\n")
    bench.write("b.md", "Other words.\n")
    real = module.read_note

    def refuse(root: Path, file: object, **options: int) -> object:
        raise NoteUnreadableError("evicted", reason="deferred", deferred=True)

    monkeypatch.setattr(
        module, "read_note", lambda root, file, **o: (refuse if file.path == "a.md" else real)(root, file, **o)
    )
    report = bench.sync()
    assert (report.added, report.deferred) == (1, ("a.md",))
    assert bench.vault.status()["stale_notes"] == [{"path": "a.md", "reason": "deferred"}]
    assert bench.paths("old", mode="fts") == ["a.md"]


def test_skips_are_remembered_with_their_reason(bench: BenchVault) -> None:
    """B047."""
    bench.write("Plan.md", "x\n")
    bench.write("Plan (conflicted copy 2026-01-12).md", "y\n")
    bench.sync()
    skipped = bench.vault.status()["skipped"]
    assert [(skip["path"], skip["reason"]) for skip in skipped] == [
        ("Plan (conflicted copy 2026-01-12).md", "conflict-copy")
    ]


def test_one_bad_front_matter_costs_only_itself(bench: BenchVault) -> None:
    """B055."""
    bench.write("bad.md", '---\nsource: "A" (paper, list #1)\n---\nBody with zebra.\n')
    bench.write("good.md", "Another zebra.\n")
    bench.sync()
    assert sorted(bench.paths("zebra", mode="fts")) == ["bad.md", "good.md"]
    assert [warning["path"] for warning in bench.vault.status()["warnings"]] == ["bad.md"]


def test_a_guessed_encoding_is_said_and_the_bytes_stay(bench: BenchVault) -> None:
    """B051, I05."""
    path = bench.write("a.md", b"caf\xe9 au lait\n")
    bench.sync()
    assert bench.paths("café", mode="fts") == ["a.md"]
    assert bench.vault.status()["warnings"][0]["warning"].startswith("encoding guessed")
    assert path.read_bytes() == b"caf\xe9 au lait\n"


def test_the_indexer_changes_nothing_in_the_vault(bench: BenchVault) -> None:
    """I01."""
    bench.write("a.md", "one\r\n")
    bench.write("b.md", b"\xff\xfet\x00w\x00o\x00")
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in sorted(bench.root.rglob("*.md"))}
    bench.sync()
    bench.search("two")
    assert {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in sorted(bench.root.rglob("*.md"))} == before


def test_a_note_dated_after_2262_costs_nothing_else(bench: BenchVault) -> None:
    """F15."""
    os.utime(bench.write("late.md", "The heron of the future.\n"), (1e10, 1e10))
    bench.write("ok.md", "The heron of today.\n")
    assert bench.sync().added == 2
    assert sorted(bench.paths("heron", mode="fts")) == ["late.md", "ok.md"]


def test_an_emptied_note_with_a_future_time_is_believed(bench: BenchVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """F15, I06."""
    monkeypatch.setattr(indexer, "EMPTY_BELIEF_S", 0.0)
    bench.write("a.md", "The kettle is blue.\n")
    bench.sync()
    path = bench.write("a.md", "")
    os.utime(path, (time.time() + 86_400,) * 2)
    bench.sync()
    assert bench.rows("SELECT char_start, char_end FROM chunks") == [(0, 0)]


def test_a_folder_that_is_now_ignored_leaves_at_once(bench: BenchVault) -> None:
    for i in range(6):
        bench.write(f"private/{i}.md", f"The heron number {i}.\n")
    bench.write("open.md", "The heron is free.\n")
    bench.sync()
    bench.write(".clawvaultignore", "private/\n")
    report = bench.session().indexer.sweep(deletion_delay_s=60)
    assert (report.removed, report.brake) == (6, "")
    assert bench.paths("heron", mode="fts") == ["open.md"]


def test_a_note_that_a_save_puts_back_during_the_look_is_not_taken_out(
    bench: BenchVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I06: between the two renames of a save the listing misses the note."""
    bench.write("a.md", "The heron is back.\n")
    bench.sync()
    missed = replace(bench.session().indexer.compare()[0], files={})
    monkeypatch.setattr(indexer, "list_notes", lambda *_: missed)
    report = bench.session().indexer.sweep(deletion_delay_s=60)
    assert (report.removed, report.deferred) == (0, ("a.md",))


def test_tags_are_found_whatever_their_case(bench: BenchVault) -> None:
    bench.write("a.md", "---\ntags: [Foo]\n---\nheron\n")
    bench.write("b.md", "heron #Foo\n")
    bench.sync()
    assert sorted(bench.paths("heron", tag="foo")) == ["a.md", "b.md"]
    assert sorted(bench.paths("heron", tag="Foo")) == ["a.md", "b.md"]
