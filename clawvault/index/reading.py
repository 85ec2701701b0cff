"""The index as a process reads it: one connection, and what compares its vectors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clawvault.index.connection import identify
from clawvault.index.generations import count_pending, find_generation
from clawvault.index.records import Generation
from clawvault.index.store import Store
from clawvault.index.vectors.opening import choose_backend, make_backend

if TYPE_CHECKING:
    from clawvault.index.vectors.backends import VectorBackend
    from clawvault.index.vectors.mirrored import MirroredBackend


class Reading:
    """One read connection with what compares its vectors; used by one thread at a time.

    Args:
        path: The index file.
        vector_backend: The setting.
    """

    def __init__(self, path: Path, vector_backend: str) -> None:
        self._path = path
        self._identity = identify(path)
        self.store = Store(path, writer=False)
        self._wanted = vector_backend
        self.backend_name, self.problem = choose_backend(self.store, vector_backend)
        self._backend: VectorBackend | None = None
        # Counting goes through all chunks: once for each state of the index.
        self._counted: tuple[int, int, int] | None = None

    @property
    def backend(self) -> VectorBackend | None:
        """Return what compares vectors, made when first asked for; ``None`` when it is off."""
        if self._backend is None:
            self._backend = make_backend(self.backend_name, self._wanted)
        return self._backend

    @property
    def is_replaced(self) -> bool:
        """Say whether the files were taken away or replaced since they were opened (I16, F44)."""
        return self._identity != identify(self._path)

    def warm_up(self) -> None:
        """Have the vectors in memory before the first question; a process that asks once must not."""
        generation = find_generation(self.store, "active")
        if generation is not None and self.backend is not None and (mirrored := self._find_mirrored()) is not None:
            mirrored.warm_up(self.store, generation)

    def count_pending(self, generation: Generation) -> int:
        """Return how many chunks of a generation wait for a vector."""
        if (mirrored := self._find_mirrored()) is not None:
            known = mirrored.count_pending(self.store, generation)
            if known is not None:
                return known
        version = self.store.version()
        if self._counted is None or self._counted[:2] != (version, generation.id):
            self._counted = version, generation.id, count_pending(self.store, generation)
        return self._counted[2]

    def has_vectors(self, generation: Generation) -> bool:
        """Say whether there is anything to compare."""
        found = self.store.connection.execute(
            "SELECT 1 FROM vectors WHERE space_id = ? LIMIT 1", (generation.space_id,)
        )
        return found.get is not None

    def close(self) -> None:
        """Let go of the files and of what was kept in memory."""
        if (mirrored := self._find_mirrored()) is not None:
            mirrored.close()
        self.store.close()

    def _find_mirrored(self) -> MirroredBackend | None:
        """Return what was made if it keeps vectors in memory."""
        if self._backend is None:
            return None
        from clawvault.index.vectors.mirrored import MirroredBackend

        return self._backend if isinstance(self._backend, MirroredBackend) else None
