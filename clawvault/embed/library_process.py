"""The model library in a process of its own: start it, ask it, end it."""

from __future__ import annotations

import atexit
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any, cast

import numpy as np

from clawvault.embed.frames import read_frame, write_frame
from clawvault.embed.parts import Spans
from clawvault.embed.protocol import FloatArray
from clawvault.errors import EmbedderError

# The longest that an answer takes: a machine that is busy with other work, and a large model on a slow processor.
HANG_S = 60.0
TEXT_S = 2.0
# Windows tells nobody of Ctrl-C while a thread waits for longer.
SLICE_S = 0.2
# What runs in a vault must not import modules of the notes' folder.
COMMAND = ("-P", "-m", "clawvault.embed.worker")


class LibraryFaultError(Exception):
    """The process ended, or does not answer as it should."""


class LibraryProcess:
    """A process that runs ``clawvault.embed.worker``. One thread at a time may ask.

    Args:
        opening: Which model it is to load.
        key: Embedding space its vectors must be of.
        idle_s: It is ended after so many seconds without a question.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(self, opening: Mapping[str, Any], key: str, *, idle_s: float) -> None:
        if not sys.executable or getattr(sys, "frozen", False):
            raise OSError("there is no Python to start")
        self.process = subprocess.Popen(
            [sys.executable, *COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            **_apart(),
        )
        self.fault = ""
        self._is_let_go = False
        # Set once the model is loaded; set once the process is gone, whatever the reason.
        self.ready, self.ended = threading.Event(), threading.Event()
        self._requests: queue.SimpleQueue[Mapping[str, Any] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[dict[str, Any], FloatArray] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._talk, args=(opening, key, idle_s), name="library", daemon=True)
        self._thread.start()
        atexit.register(self.end)

    def ask(self, texts: Sequence[str], spans: Sequence[Spans]) -> tuple[FloatArray, list[FloatArray]]:
        """Embed as ``PartsEmbedder`` does.

        Raises:
            EmbedderError: The model failed on a text.
            LibraryFaultError: There is no answer.
        """
        self._requests.put({"texts": list(texts), "spans": [list(cuts) for cuts in spans]})
        try:
            answer = self._wait(HANG_S + TEXT_S * len(texts))
        except BaseException:
            # Its answer would be taken for that of the next question.
            self.end()
            raise
        if answer is None:
            raise LibraryFaultError(self.fault)
        header, numbers = answer
        if "error" in header:
            raise EmbedderError(*header["error"])
        counts = header["pieces"]
        if len(counts) != len(texts) or numbers.size != header["dims"] * (len(texts) + sum(counts)):
            raise LibraryFaultError("its answer has the wrong length")
        whole, *pieces = np.split(numbers.reshape(-1, header["dims"]), np.cumsum([len(texts), *counts])[:-1])
        return whole, pieces

    def end(self) -> None:
        """End the process at once."""
        self._is_let_go = True
        atexit.unregister(self.end)
        self.process.kill()
        self._requests.put(None)
        self._thread.join(1.0)

    def _wait(self, bound_s: float) -> tuple[dict[str, Any], FloatArray] | None:
        deadline = time.monotonic() + bound_s
        while True:
            try:
                return self._answers.get(timeout=SLICE_S)
            except queue.Empty:
                if time.monotonic() > deadline:
                    raise LibraryFaultError(f"it has not answered for {bound_s:.0f} s") from None

    def _talk(self, opening: Mapping[str, Any], key: str, idle_s: float) -> None:
        """Pass questions and answers on: a pipe may block, and whoever asks must stay free to give up."""
        requests, answers = cast(IO[bytes], self.process.stdin), cast(IO[bytes], self.process.stdout)
        try:
            write_frame(requests, opening)
            header, _ = read_frame(answers)
            if header.get("key") != key:
                raise ValueError(header.get("error", ["its model is another one"])[0])
            self.ready.set()
            while (request := self._requests.get(timeout=idle_s)) is not None:
                write_frame(requests, request)
                self._answers.put(read_frame(answers))
        except queue.Empty:
            pass
        except (OSError, ValueError, EOFError) as error:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(1.0)
            if not self._is_let_go:
                self.fault = f"{error} (exit code {self.process.returncode})"
        finally:
            self.process.kill()
            self.process.wait()
            with suppress(OSError):
                requests.close()
            answers.close()
            atexit.unregister(self.end)
            self.ended.set()
            self._answers.put(None)


def _apart() -> dict[str, Any]:
    """Return what keeps Ctrl-C of a terminal, and a window of its own, from a process."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"process_group": 0}
