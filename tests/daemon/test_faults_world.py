"""What goes wrong around the daemon: its vault, its lock, its process, its model and its index, for real."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import apsw
import pytest
from daemon_fakes import WAIT_S, wait_until, write_notes
from fakes import HashEmbedder
from real_daemon import Bench

from clawvault.config import Config, load_config
from clawvault.daemon import running
from clawvault.daemon.lock import WriterLock
from clawvault.daemon.lookout import NEW_SETTINGS
from clawvault.daemon.running import Daemon, run_daemon
from clawvault.daemon.transport import ask, socket_path
from clawvault.embed.protocol import FloatArray
from clawvault.errors import ConfigError, LockedError
from clawvault.index.indexer import Indexer


def test_a_root_that_is_removed_and_remade_is_watched_again_and_nothing_is_pruned(bench: Bench) -> None:
    """B045, F12, F19: an empty folder over a vault of a thousand notes."""
    write_notes(bench.root, 300)
    with bench.running():
        away = bench.root.rename(bench.root.with_name("away"))
        bench.root.mkdir()
        assert wait_until(lambda: bench.status()["daemon"]["rearmed"] == 1)
        assert wait_until(lambda: bench.status()["daemon"]["brake"] != "")
        assert bench.status()["notes"] == 300
        answer = bench.search("word7")
        assert [hit["path"] for hit in answer["hits"]] == ["note7.md"]
        assert answer["stale"] is True
        bench.root.rmdir()
        away.rename(bench.root)
        assert wait_until(lambda: bench.status()["daemon"]["brake"] == "")
        (bench.root / "back.md").write_text("backword\n")
        assert bench.finds("backword", ["back.md"])
        assert bench.status()["notes"] == 301
        assert bench.is_equal_to_fresh()


def test_a_vault_that_is_away_for_a_while_is_kept_and_still_answers(bench: Bench) -> None:
    """B045, F19."""
    write_notes(bench.root, 30)
    with bench.running():
        bench.root.rename(bench.root.with_name("away"))
        assert wait_until(lambda: bench.status()["daemon"]["brake"] == "the vault folder is gone")
        answer = bench.search("word7")
        assert answer["stale"] is True
        assert "changed notes may be missing: the vault folder is gone" in answer["degraded"]
        assert bench.status()["notes"] == 30
        bench.root.with_name("away").rename(bench.root)
        assert wait_until(lambda: bench.status()["daemon"]["brake"] == "")


def test_a_removed_marker_stops_pruning(bench: Bench) -> None:
    """B045, F19, I10."""
    bench.env["CLAWVAULT_WATCH_DELETION_DELAY_S"] = "0.2"
    write_notes(bench.root, 30)
    with bench.running():
        (bench.root / ".clawvault").rmdir()
        (bench.root / "note1.md").unlink()
        ask(bench.state, {"op": "sync", "full": True}, WAIT_S)
        assert wait_until(lambda: bench.status()["daemon"]["brake"] != "")
        assert bench.status()["notes"] == 30


def test_a_mass_deletion_waits_for_a_person(bench: Bench) -> None:
    """F19, I10: 60 % of the notes are removed."""
    bench.env["CLAWVAULT_WATCH_DELETION_DELAY_S"] = "0.2"
    write_notes(bench.root, 20, prefix="kept")
    (bench.root / "folder").mkdir()
    write_notes(bench.root / "folder", 30)
    with bench.running():
        (bench.root / "folder").rename(bench.folder / "elsewhere")
        assert wait_until(lambda: "gone at once" in bench.status()["daemon"]["brake"])
        assert bench.status()["notes"] == 50
        assert bench.paths("word7") == ["kept7.md"]
        assert bench.paths("word25") == []
        confirmed = ask(bench.state, {"op": "sync", "accept_deletions": True}, WAIT_S)
        assert confirmed == {"ok": True, "synced": True, "problem": "", "again": False, "brake": ""}
        assert bench.status()["notes"] == 20
        assert bench.is_equal_to_fresh()


def test_a_root_nobody_may_read_is_no_deletion(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """F19, B043: the permission is taken from the root."""
    write_notes(bench.root, 30)
    with bench.running() as daemon:
        real_scandir = os.scandir

        def refuse(path: object) -> object:
            if os.fspath(path) == str(bench.root):  # type: ignore[call-overload]
                raise PermissionError(13, "Permission denied")
            return real_scandir(path)  # type: ignore[call-overload]

        monkeypatch.setattr(os, "scandir", refuse)
        daemon.service.request_sync(WAIT_S, full=True)
        assert bench.status()["notes"] == 30
        monkeypatch.undo()


def test_a_daemon_whose_vault_is_gone_for_good_ends_itself(bench: Bench) -> None:
    """B123."""
    daemon = Daemon(bench.root, load_config(bench.root, environment=bench.env), bench.env, gone_s=0.5)
    daemon.start()
    assert daemon.service.wait_until_ready(WAIT_S)
    shutil.rmtree(bench.root)
    assert daemon.service.wait_until_finished(WAIT_S)
    assert daemon.service.tally.ended == "the vault folder is gone"
    assert daemon.stop(WAIT_S)


def test_a_daemon_whose_state_folder_is_removed_says_so_and_makes_it_again(bench: Bench) -> None:
    """B123, F44: it takes a new lock, since with the lock file gone another process could write as well."""
    write_notes(bench.root, 5)
    state = bench.state
    with bench.process() as process:
        shutil.rmtree(state)
        assert process.stdout is not None
        assert process.stdout.readline() == "The state folder or the lock in it was removed; beginning again.\n"
        assert wait_until(lambda: (ask(state, {"op": "ping"}, WAIT_S) or {}).get("ready"))
        assert bench.paths("word3") == ["note3.md"]
        with pytest.raises(LockedError):
            WriterLock(state, kind="index").acquire()


def test_a_daemon_that_lost_its_lock_to_another_names_it_and_ends(bench: Bench) -> None:
    """B123: two writers must never be."""
    state = bench.state
    with bench.process() as process:
        (state / "writer.lock").unlink()
        with WriterLock(state, kind="daemon"):
            assert process.wait(WAIT_S) == 8
        assert process.stdout is not None
        assert "holds its lock" in process.stdout.read()


def test_a_daemon_that_ends_by_itself_says_why(bench: Bench) -> None:
    with bench.process(
        preamble="from clawvault.daemon import running; running.Daemon.__init__.__kwdefaults__['gone_s'] = 0.5"
    ) as process:
        shutil.rmtree(bench.root)
        assert process.wait(WAIT_S) == 1
        assert process.stdout is not None
        assert process.stdout.read() == (
            'Ended: the vault folder is gone. Run "clawvault watch" again when it is back.\n'
        )


def test_a_second_daemon_on_the_same_vault_is_refused(bench: Bench) -> None:
    """B017, I18."""
    config = load_config(bench.root, environment=bench.env)
    with bench.running():
        with pytest.raises(LockedError, match="daemon"):
            Daemon(bench.root, config, bench.env)
        daemon = bench.status()["daemon"]
        assert daemon["watches"] == 2
        assert daemon["watches_limit"] > 2


def test_of_ten_starts_at_once_exactly_one_works_and_a_killed_one_is_followed(bench: Bench) -> None:
    """F23: takeover needs no help, and nobody is killed."""
    write_notes(bench.root, 20)
    processes = [bench.spawn() for _ in range(10)]
    lines = [process.stdout.readline() for process in processes if process.stdout is not None]
    working = [process for process, line in zip(processes, lines, strict=True) if line == "ready\n"]
    refused = [process.wait(WAIT_S) for process in processes if process not in working]
    assert len(working) == 1
    assert refused == [8] * 9
    assert working[0].poll() is None
    working[0].kill()
    for process in processes:
        process.communicate()
    with bench.process():
        assert bench.paths("word7") == ["note7.md"]


def test_a_daemon_killed_again_and_again_while_indexing_starts_without_help(bench: Bench) -> None:
    """F01, B097, short form: ten kills."""
    write_notes(bench.root, 400)
    before = bench.vault_hash()
    for kill in range(10):
        process = bench.spawn()
        index = bench.state / "index.sqlite3"
        assert wait_until(index.exists)
        threading.Event().wait(0.03 * kill)
        process.kill()
        process.communicate()
    with bench.process():
        assert bench.has_notes(400)
        assert bench.is_equal_to_fresh()
    assert bench.vault_hash() == before


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 0), (signal.SIGHUP, 0), (signal.SIGINT, 130)], ids=["term", "hup", "int"]
)
def test_a_signal_ends_the_daemon_in_order(bench: Bench, number: int, code: int) -> None:
    """F36, I30: in order, since there is time enough here."""
    write_notes(bench.root, 20)
    patient = "from clawvault.daemon import running\nrunning.STOP_S = 600.0\n"
    with bench.process(preamble=patient) as process:
        process.send_signal(number)
        assert process.wait(WAIT_S) == code
        assert not socket_path(bench.state).exists()
        assert "stopped: asked to" in (bench.state / "daemon.log").read_text()


STUCK = """
import threading
from clawvault.index.indexer import Indexer
real = Indexer.sweep
def sweep(self, **options):
    report = real(self, **options)
    threading.Event().wait(600) if (self.root / "hang.md").exists() else None
    return report
Indexer.sweep = sweep
"""


def test_a_stuck_worker_does_not_keep_the_process_from_ending(bench: Bench) -> None:
    """F36, I30: the worker would be stuck for longer than this waits."""
    with bench.process(preamble=STUCK) as process:
        (bench.root / "hang.md").write_text("x")
        assert wait_until(lambda: bench.status()["daemon"]["doing"] in {"reading notes", "comparing everything"})
        process.send_signal(signal.SIGTERM)
        assert process.wait(WAIT_S) == 0
    with bench.process():
        assert bench.has_notes(1)


def test_a_second_interrupt_ends_a_stuck_daemon_at_once(bench: Bench) -> None:
    """F36: here, one alone would be waited for."""
    patient = f"{STUCK}\nfrom clawvault.daemon import running\nrunning.STOP_S = 600.0\n"
    with bench.process(preamble=patient) as process:
        (bench.root / "hang.md").write_text("x")
        assert wait_until(lambda: bench.status()["daemon"]["doing"] in {"reading notes", "comparing everything"})
        log = bench.state / "daemon.log"
        process.send_signal(signal.SIGINT)
        # The second must come after the first was taken, or the system makes them one.
        assert wait_until(lambda: not socket_path(bench.state).exists()), log.read_text()
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT_S) == 130


def test_a_removed_socket_comes_back(bench: Bench) -> None:
    """Some systems empty /tmp by age, where sockets with long paths are."""
    with bench.process():
        socket_path(bench.state).unlink()
        assert wait_until(lambda: ask(bench.state, {"op": "ping"}, WAIT_S) is not None)


def test_no_process_is_left_over(bench: Bench) -> None:
    """I30."""
    with bench.process() as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.terminate()
        process.wait(WAIT_S)
    assert children == []


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_every_file_of_a_running_daemon_is_its_owners_alone(bench: Bench, umask: int) -> None:
    """T09, T10, I41, B155: the log, the socket, the index and its side files."""
    write_notes(bench.root, 20)
    with bench.process(umask=umask):
        assert bench.paths("word7") == ["note7.md"]
        modes = {path.name: path.stat().st_mode & 0o777 for path in bench.state.iterdir()}
        modes["socket"] = socket_path(bench.state).stat().st_mode & 0o777
        folders = {folder.stat().st_mode & 0o777 for folder in (bench.state, socket_path(bench.state).parent)}
    assert folders == {0o700}
    assert {"daemon.log", "index.sqlite3", "index.sqlite3-wal", "writer.lock"} <= modes.keys()
    assert set(modes.values()) == {0o600}


def test_the_log_holds_no_word_of_notes_or_questions_and_no_absolute_path(bench: Bench) -> None:
    """T08, I43."""
    (bench.root / "a.md").write_text("# canarytitle\n\ncanarytext\n")
    with bench.running() as daemon:
        bench.paths("canaryquestion")
        (bench.root / "a.md").write_text("# canarytitle\n\ncanarytext again\n")
        assert bench.finds("again", ["a.md"])
        ask(bench.state, {"op": "search", "request": {"query": "canaryquestion", "mode": "canarymode"}}, WAIT_S)
        daemon.service.watcher.rearm()
    text = (bench.state / "daemon.log").read_text()
    assert "ready, watching by events" in text
    assert "canary" not in text
    assert str(bench.root) not in text


def test_changed_settings_are_taken_without_a_restart_by_hand(bench: Bench) -> None:
    """B109: another model, chunk size or folder to ignore, chosen while the daemon runs."""
    write_notes(bench.root, 5)
    settings = bench.root / ".clawvault" / "config.toml"
    with bench.process():
        log = bench.state / "daemon.log"
        settings.write_text("[index\n")
        assert wait_until(lambda: "settings not taken" in log.read_text())
        assert bench.status()["notes"] == 5
        settings.write_text('[index]\nextensions = ["md", "txt"]\n')
        (bench.root / "plain.txt").write_text("plainword\n")
        assert wait_until(lambda: log.read_text().count("started, process") == 2)
        assert wait_until(lambda: ask(bench.state, {"op": "ping"}, WAIT_S) is not None)
        assert bench.finds("plainword", ["plain.txt"])


def test_a_model_that_is_still_loading_does_not_keep_new_settings_from_being_taken(bench: Bench) -> None:
    """B109: the daemon waits for the thread that loads it, and starts anew instead of ending."""
    write_notes(bench.root, 5)
    loaded = bench.folder / "loaded"
    preamble = f"""
import pathlib, time
from clawvault.daemon import running
from clawvault.daemon.indexed_vault import IndexedVault
running.STOP_S = 0.05
def warm_up(vault):
    while not pathlib.Path({str(loaded)!r}).exists():
        time.sleep(0.01)
IndexedVault.warm_up = warm_up
"""
    with bench.process(preamble=preamble) as process:
        log = bench.state / "daemon.log"
        (bench.root / ".clawvault" / "config.toml").write_text('[index]\nextensions = ["md", "txt"]\n')
        assert wait_until(lambda: "ending: the settings changed" in log.read_text())
        assert wait_until(lambda: ask(bench.state, {"op": "ping"}, WAIT_S) is None)
        loaded.touch()
        assert wait_until(lambda: log.read_text().count("started, process") == 2)
        assert process.poll() is None
        assert wait_until(lambda: ask(bench.state, {"op": "ping"}, WAIT_S) is not None)


def test_words_of_a_new_note_are_found_while_the_model_hangs(bench: Bench, model: HashEmbedder) -> None:
    """F29, I08: embedding holds no lock that reading a note needs."""
    write_notes(bench.root, 5)
    gate, entered = threading.Event(), threading.Event()
    real = model.embed_passages

    def hang(texts: Sequence[str]) -> FloatArray:
        entered.set()
        assert gate.wait(WAIT_S)
        return real(texts)

    model.embed_passages = hang  # type: ignore[method-assign]
    with bench.running():
        assert entered.wait(WAIT_S)
        (bench.root / "new.md").write_text("newword\n")
        assert bench.finds("newword", ["new.md"])
        assert bench.status()["pending"] == 6
        gate.set()
        assert wait_until(lambda: bench.status()["pending"] == 0)


def test_a_moved_folder_and_a_line_at_the_top_embed_nothing_but_what_changed(bench: Bench, model: HashEmbedder) -> None:
    """I12, F18, B105."""
    (bench.root / "projects").mkdir()
    write_notes(bench.root / "projects", 30)
    with bench.running():
        assert wait_until(lambda: bench.status()["pending"] == 0 and model.n_embedded == 30)
        (bench.root / "projects").rename(bench.root / "archive")
        assert bench.finds("word29", ["archive/note29.md"])
        note = bench.root / "archive" / "note3.md"
        note.write_text("topline\n\n" + note.read_text())
        assert bench.finds("topline", ["archive/note3.md"])
        assert wait_until(lambda: bench.status()["pending"] == 0)
        assert model.n_embedded == 31


def test_nothing_is_embedded_twice_after_a_restart(bench: Bench, model: HashEmbedder) -> None:
    """B105."""
    write_notes(bench.root, 30)
    for _ in range(2):
        with bench.running():
            assert wait_until(lambda: bench.status()["pending"] == 0 and bench.status()["vectors"] == 30)
    assert model.n_embedded == 30


def test_a_model_that_fails_leaves_words_findable_and_recovers(
    bench: Bench, model: HashEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F29."""
    monkeypatch.setattr("clawvault.daemon.embedding_loop.RETRY_FIRST_S", 0.2)
    model.fault = "The model is broken."
    write_notes(bench.root, 5)
    with bench.running():
        assert wait_until(lambda: bench.status()["daemon"]["embedding_problem"] == "The model is broken.")
        answer = bench.search("word3", mode="hybrid")
        assert [hit["path"] for hit in answer["hits"]] == ["note3.md"]
        assert any("The model is broken." in reason for reason in answer["degraded"])
        model.fault = ""
        assert wait_until(lambda: bench.status()["pending"] == 0)


def test_a_damaged_index_is_set_aside_and_built_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """I20, B097: found while running, repaired without help, notes untouched."""
    write_notes(bench.root, 20)
    real = Indexer.sweep
    faults = [apsw.CorruptError("database disk image is malformed")]

    def sweep(self: Indexer, **options: object) -> object:
        if faults:
            self.store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            with (bench.state / "index.sqlite3").open("r+b") as stream:
                stream.seek(4096)
                stream.write(os.urandom(64 * 1024))
            raise faults.pop()
        return real(self, **options)  # type: ignore[arg-type]

    with bench.running() as daemon:
        before = bench.vault_hash()
        monkeypatch.setattr(Indexer, "sweep", sweep)
        assert daemon.service.request_sync(WAIT_S, full=True) == ""
        assert bench.has_notes(20)
        assert bench.paths("word7") == ["note7.md"]
        assert bench.is_equal_to_fresh()
        assert bench.vault_hash() == before
    assert len(list(bench.state.glob("index.sqlite3.damaged-*"))) == 1


@pytest.mark.parametrize(
    "fault",
    [
        apsw.BusyError("database is locked"),
        apsw.FullError("database or disk is full"),
        apsw.IOError("disk I/O error"),
        apsw.ReadOnlyError("attempt to write a readonly database"),
        OSError(5, "Input/output error"),
        OSError(28, "No space left on device"),
        OSError(24, "Too many open files"),
        MemoryError(),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_a_step_that_fails_is_said_in_status_and_tried_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """F03, F04, F05: no crash, nothing set aside, and it recovers when the fault stops."""
    write_notes(bench.root, 5)
    real = Indexer.sweep
    faults = [fault]

    def sweep(self: Indexer, **options: object) -> object:
        if faults:
            raise faults.pop()
        return real(self, **options)  # type: ignore[arg-type]

    with bench.running():
        monkeypatch.setattr(Indexer, "sweep", sweep)
        (bench.root / "new.md").write_text("newword\n")
        assert wait_until(lambda: bench.status()["daemon"]["last_error"] != "" or not faults)
        assert bench.finds("newword", ["new.md"])
        assert wait_until(lambda: bench.status()["daemon"]["last_error"] == "")
    assert list(bench.state.glob("*.damaged-*")) == []


def test_eight_processes_search_while_notes_change_without_an_error(bench: Bench) -> None:
    """F24, short form."""
    write_notes(bench.root, 200)
    code = (
        "import sys, json\nfrom pathlib import Path\nfrom clawvault.daemon.transport import ask\n"
        "bad = 0\n"
        "for number in range(40):\n"
        "    request = {'query': f'word{number}', 'mode': 'fts', 'group': 'note'}\n"
        "    answer = ask(Path(sys.argv[1]), {'op': 'search', 'request': request}, 180.0)\n"
        "    bad += not answer['ok'] or [hit['path'] for hit in answer['result']['hits']] != [f'note{number}.md']\n"
        "print(json.dumps(bad))\n"
    )
    with bench.process():
        seekers = [
            subprocess.Popen([sys.executable, "-c", code, str(bench.state)], stdout=subprocess.PIPE, text=True)
            for _ in range(8)
        ]
        for number in range(100, 200):
            (bench.root / f"note{number}.md").write_text(f"# changed\n\nedited{number}\n")
        outputs = [seeker.communicate(timeout=2 * WAIT_S)[0] for seeker in seekers]
        assert [json.loads(output) for output in outputs] == [0] * 8
        assert bench.is_equal_to_fresh()


def test_an_answer_is_given_while_the_first_comparison_still_runs(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B023, I25: whoever asks early is told that notes may be missing."""
    monkeypatch.setattr("clawvault.daemon.answering.SYNC_S", 0.05)
    write_notes(bench.root, 20)
    gate, entered = threading.Event(), threading.Event()
    real = Indexer.sweep

    def sweep(self: Indexer, **options: object) -> object:
        entered.set()
        assert gate.wait(WAIT_S)
        return real(self, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Indexer, "sweep", sweep)
    daemon = Daemon(bench.root, load_config(bench.root, environment=bench.env), bench.env)
    daemon.start()
    assert entered.wait(WAIT_S)
    ping = ask(daemon.state, {"op": "ping"}, WAIT_S)
    early = bench.search("word7")
    gate.set()
    assert daemon.service.wait_until_ready(WAIT_S)
    late = bench.search("word7")
    assert daemon.stop(WAIT_S)
    assert ping == {"ok": True, "pid": os.getpid(), "ready": False}
    assert (early["hits"], early["stale"]) == ([], True)
    assert early["degraded"] == [
        "changed notes may be missing: the index is being brought up to date (comparing everything)"
    ]
    assert [hit["path"] for hit in late["hits"]] == ["note7.md"]


def test_notes_that_went_while_nobody_watched_leave_at_the_start(bench: Bench) -> None:
    """F01, B107: over many short lives their rows must not pile up into what looks like a mass deletion."""
    write_notes(bench.root, 20)
    with bench.running():
        assert wait_until(lambda: bench.status()["notes"] == 20)
    for number in range(4):
        (bench.root / f"note{number}.md").unlink()
    with bench.running():
        assert bench.status()["notes"] == 16


def test_a_daemon_waits_for_a_command_that_writes_for_a_moment(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """I18."""
    monkeypatch.setattr(running, "LOCK_WAIT_S", WAIT_S)
    config = load_config(bench.root, environment=bench.env)
    lock = WriterLock(bench.state, kind="index")
    lock.acquire()
    timer = threading.Timer(0.3, lock.release)
    timer.start()
    daemon = Daemon(bench.root, config, bench.env)
    timer.join()
    daemon.start()
    assert daemon.stop(WAIT_S)


def test_settings_that_make_no_sense_leave_the_daemon_at_work(bench: Bench) -> None:
    """B109."""
    write_notes(bench.root, 1)
    with bench.process():
        log = bench.state / "daemon.log"
        (bench.root / ".clawvault" / "config.toml").write_text("memory_file = " + "[" * 3000)
        assert wait_until(lambda: "settings not taken" in log.read_text())
        assert bench.status()["notes"] == 1


def test_new_settings_no_daemon_can_start_with_are_given_up_for_the_old_ones(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B109."""
    old = load_config(bench.root, environment=bench.env)
    bad = load_config(bench.root, environment={**bench.env, "CLAWVAULT_MEMORY_FILE": "other.md"})
    ends = iter([NEW_SETTINGS, ""])
    tried: list[Config] = []

    def make(
        root: Path,
        config: Config,
        environment: object,
        *,
        has_new_settings: Callable[[], bool],
        lock: object,
        dreaming: object,
    ) -> object:
        tried.append(config)
        refused = {bad: ConfigError("no", "x")}.get(config)
        if refused is not None:
            raise refused
        (root / ".clawvault" / "config.toml").write_text("# touched\n")
        has_new_settings()
        tally = SimpleNamespace(ended=next(ends))
        service = SimpleNamespace(tally=tally, wait_until_finished=lambda _: True)
        lock = SimpleNamespace(release=lambda: None)
        return SimpleNamespace(service=service, start=lambda: None, stop=lambda _: True, lock=lock)

    monkeypatch.setattr(running, "Daemon", make)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    assert run_daemon(bench.root, old, bench.env, reload=lambda: bad) == 0
    assert tried == [old, bad, old]
