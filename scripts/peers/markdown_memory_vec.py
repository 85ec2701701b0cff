"""markdown-memory-vec: vectors in SQLite, no keywords and no watcher."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from environment import TORCH

from peers.long_lived import LineServer, LongLived
from peers.protocol import N_HITS, Room, SkippedError, find_python

VERSION = "0.1.0"
SERVE = """
import sys
from memory_vec import MemoryVectorService
_, root, inner, model, most = sys.argv
found = MemoryVectorService(root, model_name=model, memory_subdir=inner)
def paths_of(question):
    return [hit["file_path"] for hit in found.search(question, top_k=int(most))]
"""


class MarkdownMemoryVec:
    """See ``Peer``."""

    name = f"markdown-memory-vec {VERSION}"

    def __init__(self, room: Room, pythons: Sequence[str]) -> None:
        self.room = room
        self.pythons = pythons
        self.remarks = ["warm: its Python API; it has no watcher"]
        # It keeps its database among the notes and names them from the folder above.
        self._where = (str(room.notes.parent), "--memory-subdir", room.notes.name, "--model", str(room.model))

    def install(self) -> None:
        """See ``Peer.install``."""
        python, can_load = find_python((3, 11), self.pythons)
        if not can_load:
            raise SkippedError("no Python here has a sqlite3 that can load sqlite-vec; name one with --python")
        self.room.install(python, [TORCH, f"markdown-memory-vec[vector]=={VERSION}"])

    def index(self) -> float:
        """See ``Peer.index``."""
        return self.room.run(self.room.program("memory-vec"), *self._where, "--incremental")[0]

    def search(self, question: str) -> tuple[float, list[str]]:
        """See ``Peer.search``."""
        command = (self.room.program("memory-vec"), *self._where, "--top-k", str(N_HITS), f"--search={question}")
        took, said = self.room.run(*command)
        return took, [line.removeprefix("File: ") for line in said.splitlines() if line.startswith("File: ")]

    def serve(self) -> LongLived:
        """See ``Peer.serve``."""
        arguments = [self._where[0], self._where[2], str(self.room.model), str(N_HITS)]
        return LineServer(self.room.program("python"), SERVE, arguments, self.room.environment, self.room.folder)

    def watch(self) -> LongLived | None:
        """See ``Peer.watch``."""
        return None

    def database(self) -> list[Path]:
        """See ``Peer.database``."""
        return sorted(self.room.notes.glob("vector_index.db*"))
