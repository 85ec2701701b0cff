"""Show two conversations of an agent over MCP: one saves a preference, the next, in a new process, finds it (IW-02).

    python scripts/mcp_conversation.py [VAULT]

Without VAULT a new one is made in a temporary folder. Each line that is sent has ">" before it, each that is received
"<". It ends with 1 when the second conversation does not know what the first one saved.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

FACT = "Anna prefers dark mode in every editor"
QUESTION = "What does Anna prefer in her editor?"
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "example", "version": "1"}}
SHOWN_CHARS = 600


class Conversation:
    """One server process, and what is said to it and by it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._sent, self._received = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
        self._last = 0

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that has no answer."""
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False)
        print(">", shortened(line), flush=True)
        self._sent.write(line + "\n")
        self._sent.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its result."""
        self._last += 1
        self.tell({"id": self._last, "method": method, "params": params})
        line = self._received.readline()
        print("<", shortened(line.rstrip()), flush=True)
        result: dict[str, Any] = json.loads(line)["result"]
        return result

    def call(self, name: str, **arguments: object) -> dict[str, Any]:
        """Call a tool and return its answer."""
        result = self.ask("tools/call", {"name": name, "arguments": arguments})
        answer: dict[str, Any] = result["structuredContent"]
        return answer

    def end(self) -> None:
        """Say nothing more."""
        self._sent.close()


@contextmanager
def conversation(vault: Path, title: str) -> Iterator[Conversation]:
    print(f"\n# {title}")
    command = [sys.executable, "-m", "clawvault", "--vault", str(vault), "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        talk = Conversation(process)
        talk.ask("initialize", CLIENT)
        talk.tell({"method": "notifications/initialized"})
        yield talk
        talk.end()
        print(f"# process {process.pid} ended with {process.wait()}")


def converse(vault: Path) -> bool:
    """Hold both conversations; return whether the second knew what the first saved."""
    with conversation(vault, "First conversation: the person says what they like") as talk:
        talk.call("memory_search", query=FACT, limit=1)
        saved = talk.call("memory_remember", text=FACT, category="preferences")
    with conversation(vault, "Second conversation, a new process: it is known") as talk:
        found = talk.call("memory_search", query=QUESTION, limit=1)
    known = any(FACT in hit["text"] and hit["path"] == saved["path"] for hit in found["hits"])
    print(f"\n# {'Found' if known else 'NOT found'} in {saved['path']}: {FACT}")
    return known


def shortened(line: str) -> str:
    return line if len(line) <= SHOWN_CHARS else f"{line[:SHOWN_CHARS]}… ({len(line)} characters)"


def main() -> int:
    if len(sys.argv) > 1:
        return 0 if converse(Path(sys.argv[1])) else 1
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("CLAWVAULT_STATE_DIR", str(Path(folder) / "state"))
        vault = Path(folder) / "notes"
        subprocess.run([sys.executable, "-m", "clawvault", "init", str(vault)], check=True)
        return 0 if converse(vault) else 1


if __name__ == "__main__":
    sys.exit(main())
