"""This project, as it is in this checkout."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from speed.processes import program

from peers.long_lived import LineServer, LongLived
from peers.protocol import N_HITS, Room

SERVE = """
import sys, clawvault
_, notes, most = sys.argv
vault = clawvault.open_vault(notes)
def paths_of(question):
    return [hit.path for hit in vault.search(question, limit=int(most)).hits]
"""


class Clawvault:
    """See ``Peer``."""

    name = "clawvault"

    def __init__(self, room: Room, _: Sequence[str]) -> None:
        self.room = room
        self.remarks = ["warm: its Python API; watching: clawvault watch, which answers the searches of new processes"]
        (room.notes / ".clawvault").mkdir(exist_ok=True)
        self.state = room.folder / "state"
        room.environment["CLAWVAULT_STATE_DIR"] = str(self.state)

    def install(self) -> None:
        """See ``Peer.install``; this checkout is what runs this script."""

    def _command(self, *arguments: str) -> list[str]:
        return [*program(), "--vault", str(self.room.notes), *arguments]

    def index(self) -> float:
        """See ``Peer.index``."""
        return self.room.run(*self._command("index"))[0]

    def search(self, question: str) -> tuple[float, list[str]]:
        """See ``Peer.search``."""
        took, said = self.room.run(*self._command("search", "-n", str(N_HITS), "--json", "--", question))
        return took, [hit["path"] for hit in json.loads(said)["hits"]]

    def serve(self) -> LongLived:
        """See ``Peer.serve``."""
        arguments = [str(self.room.notes), str(N_HITS)]
        return LineServer(sys.executable, SERVE, arguments, self.room.environment, self.room.folder)

    def watch(self) -> LongLived | None:
        """See ``Peer.watch``."""
        return LongLived(self._command("watch"), self.room.environment, self.room.folder)

    def database(self) -> list[Path]:
        """See ``Peer.database``."""
        return sorted(self.state.rglob("*.sqlite3*"))
