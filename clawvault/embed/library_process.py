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

from clawvault.embed.frames import Frame, read_frame, write_frame
from clawvault.embed.parts import Spans
from clawvault.embed.protocol import FloatArray
from clawvault.errors import EmbedderError

# Beyond these it hangs; a busy machine needs several times what a quiet one does, a large model seconds for each text.
START_S = 120.0
ANSWER_S = 60.0
TEXT_S = 2.0
# Without a question for so long it is ended, since it holds half a gigabyte.
IDLE_S = 30.0
# On Windows no Ctrl-C is noticed during a wait, so none is longer.
SLICE_S = 0.2
# Without -P a note's folder could hold a module of a name that is imported.
ARGUMENTS = ("-P", "-m", "clawvault.embed.worker")


class LibraryFaultError(Exception):
    """The process ended, or does not answer as it should."""


class LibraryProcess:
    """A process that runs ``clawvault.embed.worker``. One thread at a time may ask.

    Args:
        opening: Which model it is to load, and the ``key`` of its embedding space.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(self, opening: Mapping[str, Any]) -> None:
        if not sys.executable or getattr(sys, "frozen", False):
            raise OSError("there is no Python to start")
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [sys.executable, *ARGUMENTS], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, **_apart()
        )
        # Set once the model is loaded; set once the process is gone, with ``fault`` if that was not asked for.
        self.ready, self.gone = threading.Event(), threading.Event()
        self.fault = ""
        self._is_let_go = False
        self._start_until = time.monotonic() + START_S
        self._requests: queue.SimpleQueue[Mapping[str, Any] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._talk, args=(opening,), name="library", daemon=True)
        self._thread.start()
        atexit.register(self.end)

    @property
    def is_at_rest(self) -> bool:
        """Say whether it ended for want of questions."""
        return self.gone.is_set() and not self.fault

    def ask(self, texts: Sequence[str], spans: Sequence[Spans]) -> tuple[FloatArray, list[FloatArray]] | None:
        """Embed as ``PartsEmbedder`` does.

        Returns:
            ``None`` while the model is being loaded, and where it was ended meanwhile.

        Raises:
            EmbedderError: The model failed on a text.
            LibraryFaultError: There will be no answer.
        """
        if not self.ready.is_set() and not self.gone.is_set():
            if time.monotonic() > self._start_until:
                raise LibraryFaultError(f"it has not started within {START_S:.0f} s")
            return None
        self._requests.put({"texts": list(texts), "spans": [list(cuts) for cuts in spans]})
        try:
            answer = self._wait(ANSWER_S + TEXT_S * len(texts))
        except BaseException:
            # Its answer would be taken for that of the next question.
            self.end()
            raise
        if answer is not None:
            return _unpack(*answer, len(texts))
        if self.fault:
            raise LibraryFaultError(self.fault)
        return None

    def end(self) -> None:
        """End the process at once."""
        self._is_let_go = True
        self.process.kill()
        self._requests.put(None)
        self._thread.join(1.0)

    def _wait(self, longest_s: float) -> Frame | None:
        until = time.monotonic() + longest_s
        while time.monotonic() <= until:
            with suppress(queue.Empty):
                return self._answers.get(timeout=SLICE_S)
        raise LibraryFaultError(f"it has not answered for {longest_s:.0f} s")

    def _talk(self, opening: Mapping[str, Any]) -> None:
        """Pass questions and answers on: a pipe may block, and whoever asks must stay free to give up."""
        requests, answers = cast(IO[bytes], self.process.stdin), cast(IO[bytes], self.process.stdout)
        try:
            write_frame(requests, opening)
            header, _ = read_frame(answers)
            if header.get("key") != opening["key"]:
                raise ValueError(header.get("error", ["its model is another one"])[0])
            self.ready.set()
            while (request := self._requests.get(timeout=IDLE_S)) is not None:
                write_frame(requests, request)
                self._answers.put(read_frame(answers))
        except queue.Empty:
            pass
        except (OSError, ValueError, EOFError) as error:
            self.fault = "" if self._is_let_go else str(error)
        finally:
            self.process.kill()
            self.process.wait()
            with suppress(OSError):
                requests.close()
            answers.close()
            atexit.unregister(self.end)
            self.gone.set()
            self._answers.put(None)


def _unpack(header: dict[str, Any], numbers: FloatArray, n_texts: int) -> tuple[FloatArray, list[FloatArray]]:
    if "error" in header:
        raise EmbedderError(*header["error"])
    counts = [n_texts, *header["pieces"]]
    if len(counts) != n_texts + 1 or numbers.size != header["dims"] * sum(counts):
        raise LibraryFaultError("its answer has the wrong length")
    whole, *pieces = np.split(numbers.reshape(-1, header["dims"]), np.cumsum(counts)[:-1])
    return whole, pieces


def _apart() -> dict[str, Any]:
    """Return what keeps Ctrl-C of a terminal, and a window of its own, from a process."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"process_group": 0}
