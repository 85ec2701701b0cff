"""Compare in memory from the second question of a process on, and in SQLite until then."""

from __future__ import annotations

import logging
import threading
from contextlib import closing

import apsw

from clawvault.embed.protocol import FloatArray
from clawvault.errors import ClawvaultError
from clawvault.index.records import Filters, Generation
from clawvault.index.store import Store
from clawvault.index.vectors.backends import VectorBackend
from clawvault.index.vectors.mirror import MOST_BYTES, Mirror, key_of

# So many are read in about the time that one question takes anyway.
LOADED_AT_ONCE = 5000

log = logging.getLogger("clawvault.index.vectors")


class MirroredBackend:
    """Answers from memory as soon as the vectors are there, and the slow way meanwhile.

    A process that asks once never reads all vectors into memory: that would take longer than the question. The second
    question says that more will come. Few vectors are then read at once, many by a thread with its own connection,
    and no question waits for it. The same happens when another generation takes over.

    Args:
        slow: Answers until the vectors are in memory; gives its name to both.
        most_bytes: See ``Rows``.
        loaded_at_once: Up to so many vectors are read by the question itself.
        eager: Take the first question for the second.
    """

    def __init__(
        self,
        slow: VectorBackend,
        *,
        most_bytes: int = MOST_BYTES,
        loaded_at_once: int = LOADED_AT_ONCE,
        eager: bool = False,
    ) -> None:
        self.name = slow.name
        self._slow = slow
        self._most_bytes = most_bytes
        self._loaded_at_once = loaded_at_once
        self._mirror: Mirror | None = None
        self._asked = eager
        self._loading: tuple[object, threading.Thread] | None = None
        self._closed = threading.Event()
        self._lock = threading.Lock()

    @property
    def mirror(self) -> Mirror | None:
        """Return the vectors in memory, once they are there."""
        return self._mirror

    def nearest(
        self, store: Store, generation: Generation, query: FloatArray, limit: int, filters: Filters
    ) -> list[tuple[int, float]]:
        """See ``VectorBackend.nearest``."""
        mirror = self.find_mirror(store, generation)
        if mirror is None:
            return self._slow.nearest(store, generation, query, limit, filters)
        try:
            return mirror.nearest(store, query, limit, filters)
        except BaseException:
            # Half of what is new may have been taken in; the next question begins with a whole one.
            self._mirror = None
            raise

    def count_pending(self, store: Store, generation: Generation) -> int | None:
        """Return how many chunks wait for a vector, where memory tells that at once."""
        mirror = self._mirror
        if mirror is None or mirror.key != key_of(generation):
            return None
        try:
            return mirror.count_pending(store)
        except BaseException:
            self._mirror = None
            raise

    def warm_up(self, store: Store, generation: Generation) -> None:
        """Have the vectors in memory before the first question; returns while they may still be loading."""
        self._asked = True
        self.find_mirror(store, generation)

    def find_mirror(self, store: Store, generation: Generation) -> Mirror | None:
        """Return the vectors of a generation in memory; ``None`` while they are not there."""
        key = key_of(generation)
        with self._lock:
            mirror, is_first, self._asked = self._mirror, not self._asked, True
            if mirror is not None and mirror.key == key:
                return mirror
            if is_first or not generation.dims or self._closed.is_set():
                return None
            if int(store.connection.execute("SELECT coalesce(max(id), 0) FROM vectors").get) <= self._loaded_at_once:
                mirror = Mirror(generation, most_bytes=self._most_bytes)
                mirror.load(store)
                self._mirror = mirror
                return mirror
            if self._loading is None or self._loading[0] != key:
                thread = threading.Thread(
                    target=self._load, args=(store, generation), name="clawvault-vectors", daemon=True
                )
                self._loading = key, thread
                thread.start()
        return None

    def wait_until_loaded(self, timeout_s: float) -> bool:
        """Wait for vectors that are being loaded; return whether some are in memory."""
        loading = self._loading
        if loading is not None:
            loading[1].join(timeout_s)
        return self._mirror is not None

    def close(self) -> None:
        """Stop loading, so that no file stays open."""
        self._closed.set()
        if self._loading is not None:
            self._loading[1].join()
        self._mirror = None

    def _load(self, store: Store, generation: Generation) -> None:
        mirror = Mirror(generation, most_bytes=self._most_bytes)
        try:
            with closing(Store(store.path, writer=False)) as own:
                done = mirror.load(own, stop=self._closed.is_set)
        except (ClawvaultError, apsw.Error, MemoryError) as error:
            # The slow way goes on answering, and says what is wrong with the index if it is.
            log.warning("vectors cannot be kept in memory: %s", error)
            return
        mirror.detach()
        with self._lock:
            if done and not self._closed.is_set():
                self._mirror = mirror
