"""basic-memory: an MCP server with its own watcher; keywords always, vectors where its SQLite can load them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from speed.processes import SCRIPTS

from peers.long_lived import LongLived, McpServer
from peers.protocol import N_HITS, Room, find_python

VERSION = "0.24.1"


class BasicMemory:
    """See ``Peer``."""

    name = f"basic-memory {VERSION}"

    def __init__(self, room: Room, pythons: Sequence[str]) -> None:
        self.room = room
        self.pythons = pythons
        self.has_vectors = False
        self.remarks = ["warm and watching: basic-memory mcp"]
        self.server: subprocess.Popen[bytes] | None = None
        self.config = room.folder / "config"
        room.environment |= {
            "BASIC_MEMORY_CONFIG_DIR": str(self.config),
            "BASIC_MEMORY_HOME": str(room.notes),
            "BASIC_MEMORY_AUTO_UPDATE": "false",
        }

    def install(self) -> None:
        """See ``Peer.install``."""
        python, self.has_vectors = find_python((3, 12), self.pythons)
        self.room.install(python, [f"basic-memory=={VERSION}"])
        if self.has_vectors:
            self._serve_model()
        else:
            self.room.environment["BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED"] = "false"
            self.remarks.append("keywords alone: no Python here that it runs on can load sqlite-vec")

    def _serve_model(self) -> None:
        """Start a server of the common model, since its own would have to be downloaded."""
        command = [sys.executable, "-m", "peers.embedding_server"]
        self.server = subprocess.Popen(command, cwd=SCRIPTS, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        port = b"" if self.server.stdout is None else self.server.stdout.readline().strip()
        prefix = "BASIC_MEMORY_SEMANTIC_EMBEDDING_"
        self.room.environment |= {
            f"{prefix}PROVIDER": "openai",
            f"{prefix}MODEL": "all-MiniLM-L6-v2",
            f"{prefix}API_BASE": f"http://127.0.0.1:{port.decode()}/v1",
            f"{prefix}API_KEY": "none",
            f"{prefix}DIMENSIONS": "384",
        }
        self.remarks.append("the model is in a server of its own, already loaded, not in its memory or start")

    def index(self) -> float:
        """See ``Peer.index``."""
        return self.room.run(self.room.program("basic-memory"), "reindex")[0]

    def search(self, question: str) -> tuple[float, list[str]]:
        """See ``Peer.search``."""
        how = ["--hybrid"] if self.has_vectors else []
        command = [
            self.room.program("basic-memory"),
            "tool",
            "search-notes",
            *how,
            "--json",
            "--page-size",
            str(N_HITS),
        ]
        took, said = self.room.run(*command, "--", question)
        return took, read_hits(said)

    def serve(self) -> LongLived:
        """See ``Peer.serve``."""
        return McpServer(
            [self.room.program("basic-memory"), "mcp"],
            self.room.environment,
            self.room.folder,
            call=self._call,
            read=read_hits,
        )

    def _call(self, question: str) -> tuple[str, dict[str, Any]]:
        how = {"search_type": "hybrid"} if self.has_vectors else {}
        return "search_notes", {"query": question, "page_size": N_HITS, "output_format": "json", **how}

    def watch(self) -> LongLived | None:
        """See ``Peer.watch``."""
        return None

    def database(self) -> list[Path]:
        """See ``Peer.database``."""
        return sorted(self.config.glob("memory.db*"))

    def close(self) -> None:
        """End the server of the model."""
        if self.server is not None:
            self.server.terminate()
            self.server.wait()


def read_hits(said: str) -> list[str]:
    """Return the paths of a search; none when the program says, in prose, that it found nothing."""
    if not said.lstrip().startswith("{"):
        return []
    return [hit["file_path"] for hit in json.loads(said)["results"]]
