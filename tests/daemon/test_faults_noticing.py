"""Events that are lost, late or cannot be had, and time that jumps, against a real index (B001 to B019, F10 to F14)."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from daemon_fakes import WAIT_S, wait_until, write_notes
from real_daemon import Bench

from clawvault.daemon.clock import elapsed_s
from clawvault.daemon.kernel_queue import KernelQueue
from clawvault.daemon.running import Daemon

QUEUE_LIMIT = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())


def fill_kernel_queue(root: Path) -> None:
    """Make more events than the queue holds; neighbours differ, since the kernel joins equal ones."""
    first, second = root / "noise.md", root / "noise.txt"
    first.touch()
    second.touch()
    for _ in range(QUEUE_LIMIT // 2 + 100):
        os.utime(first)
        os.utime(second)


def stopped(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGSTOP)
    stat = Path(f"/proc/{process.pid}/stat")
    assert wait_until(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T")


def test_five_overflows_in_a_row_lose_no_note(bench: Bench) -> None:
    """B001, F11: each time the events of all new notes are dropped by the kernel."""
    (bench.root / "noise.md").write_text("noise\n")
    with bench.process() as process:
        for round_ in range(5):
            stopped(process)
            fill_kernel_queue(bench.root)
            write_notes(bench.root, 100, prefix=f"round{round_}n")
            process.send_signal(signal.SIGCONT)
            assert wait_until(lambda seen=round_ + 1: bench.status()["daemon"]["overflows"] == seen)
        assert bench.has_notes(501)
        daemon = bench.status()["daemon"]
        assert (daemon["overflows"], daemon["watching"], daemon["stuck"]) == (5, "events", "")
        assert bench.is_equal_to_fresh()
        (bench.root / "after.md").write_text("afterword\n")
        assert bench.finds("afterword", ["after.md"])


def test_five_thousand_notes_made_while_the_process_is_stopped_are_all_found(bench: Bench) -> None:
    """B001, F11, short form: without a search, which would look at the disk itself."""
    with bench.process() as process:
        stopped(process)
        write_notes(bench.root, 5000)
        (bench.root / "noise.md").write_text("noise\n")
        fill_kernel_queue(bench.root)
        process.send_signal(signal.SIGCONT)
        assert bench.has_notes(5001)
        assert bench.status()["daemon"]["overflows"] == 1


@pytest.fixture
def deaf(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Bench, Daemon]]:
    """A daemon that gets no event at all and sweeps about once a second."""
    bench.env["CLAWVAULT_WATCH_SWEEP_S"] = "1"
    write_notes(bench.root, 20)
    with bench.running() as daemon:
        monkeypatch.setattr(daemon.mailbox, "look_at", lambda *_: None)
        monkeypatch.setattr(daemon.mailbox, "look_everywhere", lambda _: None)
        yield bench, daemon


def test_an_edit_whose_event_was_lost_is_found_by_the_next_sweep_and_counted(deaf: tuple[Bench, Daemon]) -> None:
    """B003, F10, I07."""
    bench, daemon = deaf
    (bench.root / "note3.md").write_text("# Changed\n\nlostword\n")
    assert wait_until(lambda: bench.status()["daemon"]["missed_by_watcher"] == 1)
    assert wait_until(lambda: daemon.service.watcher.facts().rearmed >= 1)
    assert bench.paths("lostword") == ["note3.md"]
    assert bench.is_equal_to_fresh()


def test_a_search_notices_an_edit_whose_event_was_lost(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """F10: the stat sweep before an answer needs no event."""
    write_notes(bench.root, 20)
    with bench.running() as daemon:
        monkeypatch.setattr(daemon.mailbox, "look_at", lambda *_: None)
        (bench.root / "note3.md").write_text("# Changed\n\nlostword\n")
        assert bench.finds("lostword", ["note3.md"])


def test_doubled_and_disordered_hints_change_nothing(bench: Bench) -> None:
    """F10, B033: a hint is only a place to look."""
    write_notes(bench.root, 20)
    with bench.running() as daemon:
        before = bench.indexed()
        for number in reversed(range(20)):
            daemon.mailbox.look_at(f"note{number}.md", f"note{number}.md", f"never{number}.md")
        daemon.mailbox.look_at("../outside.md", "", "a/../note1.md", "note\x001.md")
        assert daemon.service.request_sync(WAIT_S) == ""
        assert bench.indexed() == before


def test_an_edit_made_while_the_machine_slept_is_found_after_wake(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B019, F14: the clock jumps by eight hours and no event comes."""
    asleep_s = [0.0]
    write_notes(bench.root, 20)
    with bench.running(clock=lambda: elapsed_s() + asleep_s[0]) as daemon:
        monkeypatch.setattr(daemon.mailbox, "look_at", lambda *_: None)
        (bench.root / "note3.md").write_text("# Changed\n\nsleepword\n")
        asleep_s[0] = 8 * 3600
        assert wait_until(lambda: daemon.service.tally.last_sweep_reason.startswith("awake after 288"))
        assert daemon.service.watcher.facts().rearmed == 1
        assert bench.paths("sleepword") == ["note3.md"]


def test_without_inotify_instances_edits_are_found_within_the_poll_interval(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B015, F13: one warning, polling, and status says so."""

    def refuse(_: type[KernelQueue]) -> int:
        raise OSError(errno.EMFILE, "inotify instance limit reached")

    monkeypatch.setattr(KernelQueue, "_create_inotify_fd", classmethod(refuse))
    bench.env["CLAWVAULT_WATCH_POLL_S"] = "0.3"
    write_notes(bench.root, 428)
    with bench.running():
        daemon = bench.status()["daemon"]
        assert daemon["watching"] == "polling"
        assert daemon["reason"] == "events do not work here: inotify instance limit reached"
        (bench.root / "new.md").write_text("pollword\n")
        assert bench.has_notes(429)
    log = (bench.state / "daemon.log").read_text()
    assert log.count("inotify instance limit reached") == 1


def test_with_few_descriptors_edits_are_still_found(bench: Bench) -> None:
    """F13: 64 descriptors for the whole process."""
    write_notes(bench.root, 50)
    code = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
    with bench.process(preamble=code):
        (bench.root / "new.md").write_text("newword\n")
        assert bench.finds("newword", ["new.md"])
        assert bench.status()["daemon"]["last_error"] == ""


def test_notes_that_existed_before_the_start_are_found_when_it_is_ready(bench: Bench) -> None:
    """B023."""
    write_notes(bench.root, 50)
    with bench.running():
        assert bench.status()["notes"] == 50


def test_a_state_folder_inside_the_vault_keeps_nobody_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B005: the index, its log and its socket change all the time, and only the edit is hinted at."""
    bench = Bench(tmp_path, CLAWVAULT_STATE_DIR=str(tmp_path / "vault" / ".clawvault" / "state"))
    write_notes(bench.root, 5)
    with bench.running() as daemon:
        hints: list[str] = []
        look_at, look_everywhere = daemon.mailbox.look_at, daemon.mailbox.look_everywhere
        monkeypatch.setattr(daemon.mailbox, "look_at", lambda *paths: (hints.extend(paths), look_at(*paths)))
        monkeypatch.setattr(daemon.mailbox, "look_everywhere", lambda why: (hints.append(why), look_everywhere(why)))
        (bench.root / "note1.md").write_text("editword\n")
        assert bench.finds("editword", ["note1.md"])
        for _ in range(20):
            assert bench.paths("editword") == ["note1.md"]
        (bench.root / "note2.md").write_text("lastword\n")
        assert wait_until(lambda: "note2.md" in hints)
        assert set(hints) == {"note1.md", "note2.md"}
        assert bench.status()["notes"] == 5


def test_an_idle_vault_is_not_written_for(bench: Bench) -> None:
    """I13, F35, short form: state files and their times stay as they are."""
    write_notes(bench.root, 50)
    with bench.running() as daemon:
        assert daemon.service.request_sync(WAIT_S, full=True) == ""
        before = {path.name: path.stat().st_mtime_ns for path in bench.state.iterdir()}
        quiet_from = elapsed_s()
        assert wait_until(lambda: elapsed_s() - quiet_from > 2.5)
        assert {path.name: path.stat().st_mtime_ns for path in bench.state.iterdir()} == before


def test_a_name_that_is_not_utf_8_keeps_no_other_note_waiting(bench: Bench) -> None:
    """B035, F20."""
    with bench.running():
        Path(os.fsdecode(os.fsencode(bench.root) + b"/caf\xe9.md")).write_text("x")
        (bench.root / "good.md").write_text("goodword\n")
        assert bench.finds("goodword", ["good.md"])
        assert wait_until(lambda: [skip["reason"] for skip in bench.status()["skipped"]] == ["not-utf8-name"])


def test_objects_that_are_no_files_keep_no_note_waiting(bench: Bench) -> None:
    """F20: made while the daemon watches."""
    with bench.running():
        os.mkfifo(bench.root / "pipe.md")
        (bench.root / "folder.md").mkdir()
        (bench.root / "loop.md").symlink_to("loop.md")
        (bench.root / "good.md").write_text("goodword\n")
        assert bench.finds("goodword", ["good.md"])
        assert bench.status()["notes"] == 1


def test_changed_ignore_rules_take_notes_out_and_back(bench: Bench) -> None:
    bench.env["CLAWVAULT_WATCH_DELETION_DELAY_S"] = "0.3"
    (bench.root / "private").mkdir()
    (bench.root / "private" / "a.md").write_text("hiddenword\n")
    (bench.root / "b.md").write_text("b\n")
    with bench.running():
        assert bench.paths("hiddenword") == ["private/a.md"]
        (bench.root / ".clawvaultignore").write_text("private/\n")
        assert bench.has_notes(1)
        (bench.root / ".clawvaultignore").unlink()
        assert bench.has_notes(2)
