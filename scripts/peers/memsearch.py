"""memsearch: hybrid search on Milvus Lite, with a watcher that only keeps the index up to date."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from environment import TORCH

from peers.long_lived import LineServer, LongLived
from peers.protocol import N_HITS, Room, find_python

VERSION = "0.4.23"
SERVE = """
import asyncio, os, sys
from memsearch import MemSearch
_, notes, model, uri, most = sys.argv
found = MemSearch([notes], embedding_provider="local", embedding_model=model, milvus_uri=uri)
def paths_of(question):
    hits = asyncio.run(found.search(question, top_k=int(most)))
    return [os.path.relpath(hit["source"], os.path.realpath(notes)) for hit in hits]
"""


class Memsearch:
    """See ``Peer``."""

    name = f"memsearch {VERSION}"

    def __init__(self, room: Room, pythons: Sequence[str]) -> None:
        self.room = room
        self.pythons = pythons
        self.remarks = ["warm: its Python API; watching: memsearch watch, which answers no questions"]
        self.uri = room.folder / "milvus.db"
        self._options = ("--provider", "local", "--model", str(room.model), "--milvus-uri", str(self.uri))

    def install(self) -> None:
        """See ``Peer.install``."""
        python, _ = find_python((3, 10), self.pythons)
        self.room.install(python, [TORCH, f"memsearch[local]=={VERSION}"])

    def index(self) -> float:
        """See ``Peer.index``."""
        return self.room.run(self.room.program("memsearch"), "index", str(self.room.notes), *self._options)[0]

    def search(self, question: str) -> tuple[float, list[str]]:
        """See ``Peer.search``."""
        command = (self.room.program("memsearch"), "search", "-k", str(N_HITS), "-j", *self._options, "--", question)
        took, said = self.room.run(*command)
        return took, [self.room.relative(hit["source"]) for hit in json.loads(said)]

    def serve(self) -> LongLived:
        """See ``Peer.serve``."""
        arguments = [str(self.room.notes), str(self.room.model), str(self.uri), str(N_HITS)]
        return LineServer(self.room.program("python"), SERVE, arguments, self.room.environment, self.room.folder)

    def watch(self) -> LongLived | None:
        """See ``Peer.watch``."""
        command = [self.room.program("memsearch"), "watch", str(self.room.notes), *self._options]
        return LongLived(command, self.room.environment, self.room.folder)

    def database(self) -> list[Path]:
        """See ``Peer.database``."""
        return sorted(self.room.folder.glob("milvus.db*"))
