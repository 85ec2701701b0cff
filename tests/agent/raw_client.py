"""A second client of the protocol, written by hand: raw lines, no SDK."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

LONGEST_S = 60.0
INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


class RawClient:
    """Start ``clawvault mcp`` and speak to it line by line.

    ``strays`` are lines on standard output that were no protocol; it must stay empty.
    """

    def __init__(self, root: Path, *arguments: str, code: str | None = None, **environment: str) -> None:
        program = ["-m", "clawvault"] if code is None else ["-c", code]
        self.process = subprocess.Popen(
            [sys.executable, *program, "--vault", str(root), "mcp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUTF8": "1", **environment},
        )
        self.strays: list[bytes] = []
        self.said = b""
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._last = 0
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read, self._read_errors)]
        for reader in self._readers:
            reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            try:
                message = json.loads(line)
                assert message["jsonrpc"] == "2.0"
                self._answers.put(message)
            except (ValueError, KeyError, TypeError, AssertionError):
                self.strays.append(line)
        self._answers.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.said = self.process.stderr.read()

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def begin(self, method: str, params: dict[str, Any] | None = None) -> int:
        """Ask without waiting; return the id of the question."""
        self._last += 1
        self.send({"id": self._last, "method": method, **({} if params is None else {"params": params})})
        return self._last

    def next(self) -> dict[str, Any]:
        """Return the next message from the server."""
        message = self._answers.get(timeout=LONGEST_S)
        assert message is not None, self.said
        return message

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        key = self.begin(method, params)
        answer = self.next()
        assert answer.get("id") == key, answer
        return answer

    def hello(self) -> dict[str, Any]:
        answer = self.ask("initialize", INITIALIZE)
        self.send({"method": "notifications/initialized"})
        return answer

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its structured answer."""
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        structured = answer["result"]["structuredContent"]
        assert json.loads(answer["result"]["content"][0]["text"]) == structured
        assert isinstance(structured, dict)
        return structured

    def hang_up(self) -> int:
        """Say nothing more and wait for the end; return the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.wait()

    def wait(self) -> int:
        code = self.process.wait(timeout=LONGEST_S)
        for reader in self._readers:
            reader.join(timeout=LONGEST_S)
        return code

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=LONGEST_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue
