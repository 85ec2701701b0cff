"""Many texts go to a process of their own, and whatever becomes of it they are embedded once, in order."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from clawvault.config import EmbeddingSettings
from clawvault.embed import bulk, library_process
from clawvault.embed.bulk import BulkWork
from clawvault.embed.model_folder import ModelFolder
from clawvault.embed.parts import Spans
from clawvault.embed.precision import TILES
from clawvault.embed.prefixes import Prefixes
from clawvault.embed.protocol import FloatArray
from clawvault.errors import EmbedderError

# Speaks as the worker does, without a model: a vector is the length of its text, twice that for each piece.
STAND_IN = """
import os, sys, threading
import numpy as np
from clawvault.embed.frames import read_frame, write_frame
requests, answers = sys.stdin.buffer, sys.stdout.buffer
opening, _ = read_frame(requests)
write_frame(answers, {"key": opening["key"].replace("other", "mine")})
while True:
    texts, spans = (lambda asked: (asked["texts"], asked["spans"]))(read_frame(requests)[0])
    if "die" in texts:
        os._exit(3)
    if "hang" in texts:
        threading.Event().wait()
    if "short" in texts:
        write_frame(answers, {"dims": 1, "pieces": [0]}, np.zeros(0))
    elif "bad" in texts:
        write_frame(answers, {"error": ["The text is bad.", "Leave it out."]})
    else:
        numbers = [len(text) for text in texts] + [2 * len(t) for t, cuts in zip(texts, spans) for _ in cuts]
        write_frame(answers, {"dims": 1, "pieces": [len(cuts) for cuts in spans]}, np.array(numbers))
"""
QUICK = -1.0


class Clock:
    """Tell the time it was set to."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Work:
    """Embed through ``BulkWork`` and say who did it."""

    def __init__(self, work: BulkWork) -> None:
        self.work = work
        self.n_quick = 0

    def embed(self, *texts: str, pieces: int = 0) -> list[float]:
        vectors, parts = self.work.embed(texts, [[(0, 1)] * pieces] * len(texts), self._quick)
        assert len(parts) == len(texts)
        return [float(number) for number in np.concatenate([vectors, *parts])[:, 0]]

    def _quick(self, texts: Sequence[str], spans: Sequence[Spans]) -> tuple[FloatArray, list[FloatArray]]:
        self.n_quick += len(texts)
        return np.full((len(texts), 1), QUICK, dtype=np.float32), [np.zeros((0, 1), dtype=np.float32) for _ in texts]

    def start(self) -> Work:
        """Embed one text and wait until the process is there."""
        assert self.embed("first") == [QUICK]
        assert self.work.process is not None
        assert self.work.process.ready.wait(60)
        return self


Make = Callable[..., Work]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Make]:
    """Make work that begins with the first text."""
    monkeypatch.setattr(library_process, "ARGUMENTS", ("-c", STAND_IN))
    monkeypatch.setattr(bulk, "START_AFTER", 1)
    made: list[BulkWork] = []
    folder = ModelFolder(tmp_path, 1, 8, Prefixes(), "")

    def make_work(setting: str = "library", key: str = "mine", clock: Clock | None = None) -> Work:
        made.append(BulkWork(folder, key, "model", EmbeddingSettings(bulk=setting), clock=clock or Clock()))
        return Work(made[-1])

    yield make_work
    for work in made:
        work.end()


def test_the_quick_form_goes_on_until_the_process_is_there(make: Make) -> None:
    work = make().start()
    assert work.embed("aa", "b") == [2, 1]
    assert work.n_quick == 1


def test_texts_and_their_pieces_come_back_in_order(make: Make) -> None:
    assert make().start().embed("aaa", "b", "\ud800猫", "", pieces=2) == [3, 1, 2, 0, 6, 6, 2, 2, 4, 4, 0, 0]


def test_single_edits_start_no_process(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "START_AFTER", 3)
    clock = Clock()
    work = make(clock=clock)
    for _ in range(9):
        work.embed("a", "b")
        clock.now_s += bulk.PAUSE_S + 1
    assert work.work.process is None
    work.embed("a", "b")
    work.embed("c")
    assert work.work.process is not None


def test_a_process_that_is_there_is_not_kept_by_single_edits(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    work = make(clock=clock).start()
    monkeypatch.setattr(bulk, "START_AFTER", 3)
    clock.now_s += bulk.PAUSE_S + 1
    assert work.embed("a", "b") == [QUICK, QUICK]
    assert work.embed("c") == [1]


@pytest.mark.parametrize(
    ("setting", "flags", "starts"),
    [
        ("auto", frozenset({"avx2"}), False),
        ("auto", TILES, True),
        ("quick", TILES, False),
        ("library", frozenset(), True),
    ],
)
def test_the_library_is_for_processors_that_are_made_for_it_or_for_who_asks(
    setting: str, flags: frozenset[str], starts: bool, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "read_cpu_flags", lambda: flags)
    work = make(setting)
    assert work.embed("a") == [QUICK]
    assert (work.work.process is not None) is starts


def test_what_is_wrong_with_a_text_is_said_and_the_process_goes_on(make: Make) -> None:
    work = make().start()
    with pytest.raises(EmbedderError, match="The text is bad") as caught:
        work.embed("a", "bad")
    assert caught.value.hint == "Leave it out."
    assert work.embed("aa") == [2]
    assert work.n_quick == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("die", "it ended by itself"),
        ("hang", "it has not answered for 0 s"),
        ("short", "its answer has the wrong length"),
    ],
)
def test_a_process_that_fails_is_left_out_of_the_run_and_loses_nothing(
    text: str, why: str, make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    work = make().start()
    process = work.work.process
    monkeypatch.setattr(library_process, "ANSWER_S", 0.3)
    monkeypatch.setattr(library_process, "TEXT_S", 0.0)
    assert work.embed("a", text) == [QUICK, QUICK]
    assert work.embed("aaa") == [QUICK]
    assert work.n_quick == 4
    assert caplog.messages == [f"embedding goes on without the model library: {why}"]
    assert process is not None
    assert process.gone.wait(10)
    assert work.work.process is None


def test_a_process_that_is_killed_between_two_batches_loses_nothing(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    work = make().start()
    process = work.work.process
    assert process is not None
    process.process.kill()
    assert work.embed("a") == [QUICK]
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("arguments", [("-c", "print('Python, but no worker')"), ("-c", "raise SystemExit(1)")])
def test_a_process_that_is_no_worker_is_left_out(
    arguments: tuple[str, ...], make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(library_process, "ARGUMENTS", arguments)
    work = make()
    assert work.embed("a") == [QUICK]
    process = work.work.process
    assert process is not None
    assert process.gone.wait(60)
    assert [work.embed("b"), work.embed("c")] == [[QUICK], [QUICK]]
    assert len(caplog.messages) == 1


def test_a_process_that_never_starts_is_left_out(
    make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(library_process, "ARGUMENTS", ("-c", "import threading; threading.Event().wait()"))
    monkeypatch.setattr(library_process, "START_S", -1.0)
    work = make()
    assert [work.embed("a"), work.embed("b")] == [[QUICK], [QUICK]]
    assert len(caplog.messages) == 1
    assert work.work.process is None


@pytest.mark.parametrize("executable", ["", os.fspath(Path(__file__).parent / "no-such-python")])
def test_without_a_python_to_start_the_quick_form_does_all(
    executable: str, make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    work = make()
    assert [work.embed("a"), work.embed("b")] == [[QUICK], [QUICK]]
    assert len(caplog.messages) == 1


def test_a_process_with_vectors_of_another_space_is_left_out(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    """L1."""
    work = make(key="other")
    work.embed("a")
    process = work.work.process
    assert process is not None
    assert process.gone.wait(60)
    assert work.embed("b") == [QUICK]
    assert caplog.messages == ["embedding goes on without the model library: its model is another one"]


def test_without_work_the_process_ends_and_the_next_work_starts_another(
    make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(library_process, "IDLE_S", 0.05)
    work = make()
    work.embed("a")
    first = work.work.process
    assert first is not None
    assert first.gone.wait(60)
    monkeypatch.setattr(library_process, "IDLE_S", 60.0)
    work.start()
    assert work.embed("aa") == [2]
    assert caplog.messages == []


def test_an_end_that_was_asked_for_is_no_fault(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    work = make().start()
    process = work.work.process
    work.work.end()
    assert process is not None
    assert process.process.poll() is not None
    assert work.start().embed("aa") == [2]
    assert caplog.messages == []


def test_texts_of_another_thread_do_not_wait_for_the_process(make: Make) -> None:
    work = make().start()
    with work.work._busy:
        assert work.embed("aa") == [QUICK]


def test_whoever_stops_waiting_leaves_no_process_behind(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    work = make().start()
    process = work.work.process

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(library_process.LibraryProcess, "_wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        work.embed("hang")
    assert process is not None
    assert process.gone.wait(10)


@pytest.fixture(autouse=True)
def _warnings(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
