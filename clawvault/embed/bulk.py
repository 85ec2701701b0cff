"""When many texts wait, have the model library embed them where it is the faster one; until it is there, go on without.

On processors that multiply tiles of bfloat16 the library embeds three times as fast as the quick form of a model. It
takes seconds to start and half a gigabyte of memory, so it runs in a process of its own, and only while there is work.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from clawvault.config import EmbeddingSettings
from clawvault.embed.model_folder import ModelFolder
from clawvault.embed.parts import Spans
from clawvault.embed.precision import has_fast_bfloat16, read_cpu_flags
from clawvault.embed.protocol import FloatArray

if TYPE_CHECKING:
    from clawvault.embed.library_process import LibraryProcess

# What the quick form embeds in the eight seconds that the library takes to start: whoever waits until the work has cost
# as much as a start spends at most twice what was needed, however many texts are still to come.
START_AFTER = 200
# Texts with a longer pause between them are single edits, for which the quick form is quick enough.
PAUSE_S = 5.0

log = logging.getLogger("clawvault.embed.bulk")
Parts = tuple[FloatArray, list[FloatArray]]
QuickForm = Callable[[Sequence[str], Sequence[Spans]], Parts]


@runtime_checkable
class BulkEmbedder(Protocol):
    """An embedder that may have started a process for many texts."""

    def end_bulk(self) -> None:
        """End that process; it is started anew when it is needed."""


class BulkWork:
    """Embed texts of one model by its quick form, or in the process of the library while many come in a row.

    A process that cannot start, dies or hangs is not tried again.

    Args:
        folder: The model on disk.
        key: Its embedding space.
        model: Its name for people.
        settings: ``bulk`` says whether the library is wanted.
        clock: Seconds that only go forward.
    """

    def __init__(
        self,
        folder: ModelFolder,
        key: str,
        model: str,
        settings: EmbeddingSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opening = {"folder": str(folder.path), "model": model, "settings": asdict(settings), "key": key}
        self._clock = clock
        self._is_off = settings.bulk == "quick"
        self._is_forced = settings.bulk == "library"
        self._n_in_row = 0
        self._paused_at = clock()
        self._busy = threading.Lock()
        self.process: LibraryProcess | None = None

    def embed(self, texts: Sequence[str], spans: Sequence[Spans], quick: QuickForm) -> Parts:
        """Embed as ``PartsEmbedder`` does.

        Args:
            texts: n texts.
            spans: Pieces of each.
            quick: Embeds what the library does not.

        Raises:
            EmbedderError: The model failed on a text.
        """
        # Nobody waits for the process while another thread asks it.
        if self._is_off or not self._busy.acquire(blocking=False):
            return quick(texts, spans)
        try:
            is_in_row = self._clock() - self._paused_at <= PAUSE_S
            self._n_in_row = len(texts) + (self._n_in_row if is_in_row else 0)
            found = self._ask(texts, spans) if self._n_in_row >= START_AFTER else None
            return found or quick(texts, spans)
        finally:
            self._paused_at = self._clock()
            self._busy.release()

    def end(self) -> None:
        """End the process, if there is one."""
        process, self.process = self.process, None
        if process is not None:
            process.end()

    def _ask(self, texts: Sequence[str], spans: Sequence[Spans]) -> Parts | None:
        if not self._is_forced and not has_fast_bfloat16(read_cpu_flags()):
            self._is_off = True
            return None
        from clawvault.embed.library_process import LibraryFaultError, LibraryProcess

        try:
            if self.process is None or self.process.is_at_rest:
                self.process = LibraryProcess(self._opening)
            return self.process.ask(texts, spans)
        except (LibraryFaultError, OSError) as error:
            self._is_off = True
            self.end()
            log.warning("embedding goes on without the model library: %s", error)
            return None
