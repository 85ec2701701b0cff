"""What becomes of the files of the index under a running daemon: taken away, or written over, one by one and both."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from daemon_fakes import WAIT_S, wait_until, write_notes
from fakes import HashEmbedder
from real_daemon import Bench

from clawvault.daemon.embedding_loop import EmbeddingLoop


def remove(bench: Bench, *patterns: str) -> None:
    for pattern in patterns:
        for path in bench.state.glob(pattern):
            path.unlink()


def empty_log(path: Path) -> bool:
    """Move everything from the log into the file; say whether nothing has begun to write since."""
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(10_000)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path.with_name(path.name + "-wal").stat().st_size == 0


def write_over(path: Path) -> None:
    # What is still in the log alone would cover the damage.
    assert wait_until(lambda: empty_log(path))
    with path.open("r+b") as stream:
        stream.write(os.urandom(40 * 1024))


def has_vectors(bench: Bench, count: int) -> Callable[[], bool]:
    def look() -> bool:
        status = bench.status()
        return (status["notes"], status["vectors"], status["pending"]) == (count, count, 0)

    return look


def test_a_question_after_the_index_was_removed_is_answered_and_nothing_is_embedded_again(
    bench: Bench, model: HashEmbedder
) -> None:
    """F44: the index can be deleted at any time."""
    write_notes(bench.root, 20)
    with bench.running():
        assert wait_until(has_vectors(bench, 20))
        n_embedded = len(model.embedded)
        remove(bench, "index.sqlite3*")
        assert bench.paths("word7") == ["note7.md"]
        assert wait_until(has_vectors(bench, 20))
        assert len(model.embedded) == n_embedded
        assert bench.search("word7", mode="hybrid")["degraded"] == []
        assert bench.is_equal_to_fresh()


def test_an_index_that_was_removed_comes_back_though_nobody_asks(bench: Bench) -> None:
    write_notes(bench.root, 20)
    with bench.running():
        remove(bench, "index.sqlite3*")
        assert wait_until((bench.state / "index.sqlite3").exists)
        assert bench.has_notes(20)


def test_a_removed_file_beside_its_log_is_begun_anew(bench: Bench) -> None:
    write_notes(bench.root, 20)
    with bench.running():
        remove(bench, "index.sqlite3")
        (bench.root / "new.md").write_text("newword\n")
        assert bench.finds("newword", ["new.md"])
        assert bench.is_equal_to_fresh()


def test_vectors_that_were_removed_are_made_again(bench: Bench, model: HashEmbedder) -> None:
    write_notes(bench.root, 20)
    with bench.running():
        assert wait_until(has_vectors(bench, 20))
        remove(bench, "embeddings.sqlite3*")
        assert bench.paths("word7") == ["note7.md"]
        assert wait_until(has_vectors(bench, 20))


def test_both_files_that_were_removed_are_made_again(bench: Bench, model: HashEmbedder) -> None:
    write_notes(bench.root, 20)
    with bench.running():
        assert wait_until(has_vectors(bench, 20))
        remove(bench, "*.sqlite3*")
        assert bench.paths("word7") == ["note7.md"]
        assert wait_until(has_vectors(bench, 20))


ASK: dict[str, Callable[[Bench], object]] = {
    "status": lambda bench: bench.status(),
    "search": lambda bench: bench.search("word7", mode="hybrid"),
    "edit": lambda bench: (bench.root / "new.md").write_text("newword\n"),
}


@pytest.mark.parametrize("name", ["embeddings.sqlite3", "index.sqlite3"])
@pytest.mark.parametrize("first", list(ASK))
def test_a_file_that_was_written_over_is_set_aside_by_whoever_notices(
    bench: Bench, model: HashEmbedder, name: str, first: str
) -> None:
    """I20: no operation ends in a circle, and vectors come back by themselves."""
    write_notes(bench.root, 20)
    with bench.running() as daemon:
        assert wait_until(has_vectors(bench, 20))
        assert daemon.service.request_sync(WAIT_S, full=True) == ""
        write_over(bench.state / name)
        ASK[first](bench)
        (bench.root / "more.md").write_text("moreword\n")
        assert bench.finds("moreword", ["more.md"])
        assert wait_until(lambda: bench.status()["vectors"] == bench.status()["notes"] > 20)
        assert bench.status()["pending"] == 0
        assert wait_until(lambda: bench.status()["daemon"]["embedding_problem"] == "")
        assert daemon.service.request_sync(WAIT_S, full=True) == ""


def test_an_embedding_loop_that_waits_goes_on_when_it_is_told_to() -> None:
    from daemon_fakes import FakeVault

    from clawvault.errors import EmbedderError

    vault, tries = FakeVault(), list[int]()

    def fail_once() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise EmbedderError("The index is damaged.")

    vault.warming = fail_once
    loop = EmbeddingLoop(vault, retry_s=WAIT_S * 10)
    loop.start()
    assert wait_until(lambda: loop.problem != "")
    loop.try_now()
    assert loop.wait_until_warm(WAIT_S)
    loop.stop()
    assert loop.join(WAIT_S)


def test_a_comparison_of_every_note_finds_damage_that_no_question_meets(bench: Bench, model: HashEmbedder) -> None:
    """I20: what a connection remembers hides what became of the file."""
    write_notes(bench.root, 20)
    with bench.running() as daemon:
        assert wait_until(has_vectors(bench, 20))
        write_over(bench.state / "embeddings.sqlite3")
        assert daemon.service.request_sync(WAIT_S, full=True, verify=True) == ""
        assert wait_until(has_vectors(bench, 20))
    assert len(list(bench.state.glob("embeddings.sqlite3.damaged-*"))) == 1
