"""The index file: private, openable by other tools, distrustful of damage (I16, I20, I41, T17, F06, F07)."""

from __future__ import annotations

import os
import random
import stat
import subprocess
import sys
import threading
from pathlib import Path

import apsw
import pytest
from bench_vault import BenchVault

from clawvault.errors import IndexFaultError
from clawvault.index.connection import DamagedIndexError, connect, load_vector_extension, read_text
from clawvault.index.damage import check_integrity, set_aside
from clawvault.index.packing import pack_text


def filled(bench: BenchVault) -> Path:
    for i in range(40):
        bench.write(f"{i}.md", f"# Note {i}\n\nThe heron number {i} stands in the river. " * 12)
    bench.sync()
    bench.vault.close()
    return bench.index_path


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_the_index_and_its_log_are_for_their_owner_alone(tmp_path: Path, umask: int) -> None:
    """I41, T10, B155."""
    before = os.umask(umask)
    try:
        bench = BenchVault(tmp_path)
        bench.write("a.md", "text\n")
        bench.sync()
        store = bench.store()
        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in bench.index_path.parent.iterdir() if p.is_file()}
        store.close()
        bench.vault.close()
    finally:
        os.umask(before)
    assert set(modes.values()) == {0o600}
    assert "index.sqlite3-wal" in modes
    assert stat.S_IMODE(bench.index_path.parent.stat().st_mode) == 0o700


def test_a_plain_sqlite_tool_can_read_the_index(bench: BenchVault) -> None:
    """CS-13: no extension is needed to look inside."""
    path = filled(bench)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    assert connection.execute("SELECT count(*) FROM notes").get == 40
    assert connection.execute("SELECT count(*) FROM lexicon WHERE lexicon MATCH 'heron'").get == 40
    connection.close()
    connection = apsw.Connection(str(path.with_name("embeddings.sqlite3")), flags=apsw.SQLITE_OPEN_READONLY)
    assert connection.execute("SELECT length(vector) FROM vectors LIMIT 1").get == 256
    connection.close()


def test_a_zeroed_header_is_set_aside_and_the_index_built_again(bench: BenchVault) -> None:
    path = filled(bench)
    with path.open("r+b") as file:
        file.write(b"\0" * 100)
    assert bench.sync().added == 40
    assert len(list(path.parent.glob("index.sqlite3.damaged-*"))) == 1
    assert len(bench.paths("heron")) == 10


def test_an_index_of_another_version_is_built_again(bench: BenchVault) -> None:
    """F31: never half migrated."""
    path = filled(bench)
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 999)
    connection.close()
    assert bench.sync().added == 40


def test_a_reader_waits_for_tables_that_another_process_is_about_to_make(tmp_path: Path) -> None:
    """B117: an index in the making is no damaged one."""
    path = tmp_path / "index.sqlite3"
    path.touch()
    (tmp_path / "embeddings.sqlite3").touch()
    making = threading.Timer(0.2, lambda: connect(path, writer=True).close())
    making.start()
    reader = connect(path, writer=False)
    making.join()
    assert reader.execute("SELECT count(*) FROM chunks").get == 0
    reader.close()


def test_an_index_that_nobody_goes_on_making_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B117."""
    monkeypatch.setattr("clawvault.index.connection.MAKING_S", 0.0)
    path = tmp_path / "index.sqlite3"
    path.touch()
    with pytest.raises(IndexFaultError, match="The index is being made") as raised:
        connect(path, writer=False)
    assert not isinstance(raised.value, DamagedIndexError)


def test_a_planted_trigger_is_not_run(bench: BenchVault) -> None:
    """T17."""
    path = filled(bench)
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TRIGGER evil AFTER INSERT ON notes BEGIN DELETE FROM chunks; END")
    connection.close()
    with pytest.raises(DamagedIndexError):
        connect(path, writer=False)
    assert bench.sync().added == 40


def test_a_missing_keyword_row_is_noticed(bench: BenchVault) -> None:
    """B113."""
    path = filled(bench)
    connection = connect(path, writer=True)
    connection.execute("DELETE FROM lexicon WHERE rowid = 3")
    assert check_integrity(connection) == "40 chunks but 39 keyword rows"
    connection.close()


def test_a_missing_keyword_row_is_mended_by_the_next_index_run(bench: BenchVault) -> None:
    path = filled(bench)
    connection = connect(path, writer=True)
    connection.execute("DELETE FROM lexicon WHERE rowid = 3")
    connection.close()
    assert bench.sync().added == 40


def test_a_locked_index_is_not_taken_for_a_damaged_one(bench: BenchVault) -> None:
    """I20."""
    path = filled(bench)
    holder = apsw.Connection(str(path))
    holder.execute("BEGIN IMMEDIATE")
    connection = connect(path, writer=True)
    connection.set_busy_timeout(10)
    with pytest.raises(apsw.BusyError):
        connection.execute("BEGIN IMMEDIATE")
    connection.close()
    holder.execute("ROLLBACK")
    holder.close()
    assert list(path.parent.glob("*.damaged-*")) == []


def test_the_fourth_damage_within_an_hour_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    for _ in range(3):
        path.write_bytes(b"junk")
        set_aside(path)
    path.write_bytes(b"junk")
    with pytest.raises(IndexFaultError, match="3 times within an hour"):
        set_aside(path)


def test_no_further_extension_can_be_loaded(tmp_path: Path) -> None:
    """T18."""
    import sqlite_vec

    connection = connect(tmp_path / "index.sqlite3", writer=True)
    assert load_vector_extension(connection) == ""
    with pytest.raises(apsw.ExtensionLoadingError):
        connection.load_extension(sqlite_vec.loadable_path())
    with pytest.raises(apsw.SQLError):
        connection.execute("SELECT load_extension(?)", (sqlite_vec.loadable_path(),))
    connection.close()


def test_a_text_that_is_not_what_was_written_is_found_and_mended(bench: BenchVault) -> None:
    """I14, F06."""
    path = filled(bench)
    connection = connect(path, writer=True)
    rows = connection.execute("SELECT id, text, text_hash FROM chunks").fetchall()
    changed = [(pack_text(read_text(text, key).replace("heron", "hexon")), chunk) for chunk, text, key in rows]
    connection.executemany("UPDATE chunks SET text = ? WHERE id = ?", changed)
    assert check_integrity(connection) == "40 texts are not what was written"
    connection.close()
    assert bench.vault.search("heron number 7").hits[0].path == "7.md"


def test_who_is_slow_to_mend_does_not_set_a_mended_index_aside(bench: BenchVault) -> None:
    """B117."""
    path = filled(bench)
    path.write_bytes(b"junk" * 5000)
    other = BenchVault(bench.root.parent)
    found = other.vault.opened.index_identity()
    bench.vault.search("heron")
    assert bench.vault.opened.index_identity() != found
    assert len(other.vault.search("heron").hits) == 10
    assert len(list(path.parent.glob("*.damaged-*"))) == 1
    other.vault.close()


HURT = """
import sys
import threading
from clawvault.api import open_vault
from clawvault.errors import ClawvaultError
import apsw
with open_vault(sys.argv[1], embedding__provider="none") as vault:
    try:
        hits = vault.search("heron", mode="fts").hits
        wrong = [hit for hit in hits if "heron" not in hit.text]
        print("wrong" if wrong else "ok")
    except ClawvaultError as error:
        print("said", error.message)
"""


def test_flipped_bytes_never_show_wrong_text_or_end_the_process_by_a_signal(tmp_path: Path) -> None:
    """F06, in short form: damage is harmless, found, or said."""
    bench = BenchVault(tmp_path, embedding__provider="none")
    path = filled(bench)
    whole = path.read_bytes()
    chance = random.Random(6)
    outcomes: set[str] = set()
    for n_bytes in (1, 16, 4096, -1):
        for _ in range(2):
            hurt = bytearray(whole)
            at = chance.randrange(len(hurt))
            hurt = hurt[:at] if n_bytes < 0 else hurt
            for offset in range(max(0, n_bytes)):
                hurt[(at + offset) % len(hurt)] ^= 0xFF
            for suffix in ("-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            for old in path.parent.glob("*.damaged-*"):
                old.unlink()
            path.write_bytes(bytes(hurt))
            done = subprocess.run(
                [sys.executable, "-c", HURT, str(bench.root)],
                env={**os.environ, **bench.environment},
                capture_output=True,
                text=True,
                timeout=240,
                check=False,
            )
            assert done.returncode >= 0, done.stderr
            outcomes.add(done.stdout.split(" ")[0].strip() or done.stderr[-300:])
    assert outcomes <= {"ok", "said"}
