"""Processes that stay: asked over their pipes, and weighed with everything they started."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

STOP_S = 10.0


class LongLived:
    """A process that runs until ``stop``; what it says and nobody reads goes to a file.

    Args:
        command: What to start.
        environment: All of its environment.
        folder: Where it works and where its log goes.
        answers: Whether its standard output is read; one that nobody reads would stop it when it is full.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], folder: Path, *, answers: bool = False
    ) -> None:
        self.log = (folder / "long-lived.log").open("ab")
        output = subprocess.PIPE if answers else self.log
        self.process = subprocess.Popen(
            command, env=dict(environment), cwd=folder, stdin=subprocess.PIPE, stdout=output, stderr=self.log
        )

    def ask(self, question: str) -> list[str]:
        """Return the paths of the first hits.

        Raises:
            LookupError: The process cannot be asked, or gave no answer.
        """
        raise LookupError(f"this process takes no questions: {question}")

    def timed(self, question: str) -> tuple[float, list[str]]:
        """Ask, and return the seconds too."""
        began = time.perf_counter()
        paths = self.ask(question)
        return time.perf_counter() - began, paths

    def resident_bytes(self) -> int | None:
        """Return the memory of the process and of all it started; ``None`` where ``ps`` is missing."""
        try:
            shown = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,rss="], capture_output=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return None
        rows = [tuple(map(int, line.split())) for line in shown.decode().splitlines()]
        family, grown = {self.process.pid}, True
        while grown:
            children = {pid for pid, parent, _ in rows if parent in family}
            grown = not children <= family
            family |= children
        return sum(rss for pid, _, rss in rows if pid in family) * 1024

    def stop(self) -> None:
        """End it, by force when it does not."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.terminate()
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.log.close()

    def exchange(self, line: dict[str, Any]) -> dict[str, Any]:
        """Send one JSON line and return the next JSON line that answers it."""
        self.send(line)
        if self.process.stdout is None:
            raise LookupError("no pipe")
        while True:
            said = self.process.stdout.readline()
            if not said:
                raise LookupError(f"the process ended with {self.process.wait()}")
            if not said.startswith(b"{"):
                # Progress of a library on the wrong stream.
                continue
            answer: dict[str, Any] = json.loads(said)
            if answer.get("id") == line.get("id"):
                return answer

    def send(self, line: dict[str, Any]) -> None:
        """Send one JSON line."""
        if self.process.stdin is None:
            raise LookupError("no pipe")
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()


class LineServer(LongLived):
    """A Python process that reads ``{"question"}`` and answers ``{"paths"}``, a JSON object a line.

    The code it runs defines ``paths_of(question)``.
    """

    LOOP = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], "paths": paths_of(asked["question"])}), flush=True)
"""

    def __init__(
        self, python: str, code: str, arguments: Sequence[str], environment: Mapping[str, str], folder: Path
    ) -> None:
        super().__init__([python, "-c", code + self.LOOP, *arguments], environment, folder, answers=True)
        self._number = 0

    def ask(self, question: str) -> list[str]:
        """See ``LongLived.ask``."""
        self._number += 1
        paths: list[str] = self.exchange({"id": self._number, "question": question})["paths"]
        return paths


class McpServer(LongLived):
    """A server of the Model Context Protocol on its standard input.

    Args:
        call: Makes of a question the name of a tool and its arguments.
        read: Makes of what the tool returned, as text, the paths of the hits.
    """

    VERSION = "2025-06-18"

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        *,
        call: Callable[[str], tuple[str, dict[str, Any]]],
        read: Callable[[str], list[str]],
    ) -> None:
        super().__init__(command, environment, folder, answers=True)
        self._call, self._read, self._number = call, read, 0
        client = {"name": "compare-peers", "version": "1"}
        self._request("initialize", protocolVersion=self.VERSION, capabilities={}, clientInfo=client)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, question: str) -> list[str]:
        """See ``LongLived.ask``."""
        name, arguments = self._call(question)
        result = self._request("tools/call", name=name, arguments=arguments)
        texts = [part["text"] for part in result["content"] if part["type"] == "text"]
        if result.get("isError"):
            raise LookupError(" ".join(texts)[:300])
        return self._read("\n".join(texts))

    def _request(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        answer = self.exchange({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters})
        if "error" in answer:
            raise LookupError(str(answer["error"])[:300])
        result: dict[str, Any] = answer["result"]
        return result
