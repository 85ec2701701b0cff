#!/usr/bin/env python3
"""Let a daemon, MCP servers and command lines use one vault at once, and count what was lost or refused (F24).

    python scripts/crowd.py [--seconds 20] [--servers 4] [--loops 8]

Each server appends and searches through its tools, each loop runs one ``clawvault`` command after another: append,
search, status, dream. At the end every line that was acknowledged must stand in its note once. Exit code 1 when one is
missing or repeated, or when anything was refused because something was locked.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

COMMAND = [sys.executable, "-m", "clawvault"]


@dataclass(slots=True)
class Tally:
    """What everybody did; may be added to from any thread."""

    until: float
    appended: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    searches_s: list[float] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)

    def is_over(self) -> bool:
        """Say whether the time is up."""
        return time.monotonic() >= self.until


def run_loop(vault: Path, name: str, tally: Tally) -> None:
    """Run commands in turn until the time is over."""
    number = 0
    while not tally.is_over():
        line = f"heron {name} {number}"
        for words in (["append", "crowd.md", line], ["search", "heron", "--json"], ["status", "--json"], ["dream"]):
            began = time.monotonic()
            done = subprocess.run(
                [*COMMAND, "--vault", str(vault), *words], capture_output=True, encoding="utf-8", check=False
            )
            tally.done[words[0]] += 1
            if done.returncode:
                tally.refused.append(f"{words[0]} ended with {done.returncode}: {done.stderr.strip()[:200]}")
            elif words[0] == "append":
                tally.appended.append(line)
            elif words[0] == "search":
                tally.searches_s.append(time.monotonic() - began)
        number += 1


async def run_server(vault: Path, name: str, tally: Tally) -> None:
    """Talk to one MCP server until the time is over."""
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "--vault", str(vault), "mcp"], env=dict(os.environ)
    )
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        number = 0
        while not tally.is_over():
            line = f"cormorant {name} {number}"
            for tool, arguments in (
                ("memory_append", {"path": "crowd.md", "content": line}),
                ("memory_search", {"query": "cormorant"}),
            ):
                result: Any = await session.call_tool(tool, arguments)
                values = result.model_dump(by_alias=True)
                tally.done[tool] += 1
                if values.get("isError"):
                    tally.refused.append(f"{tool}: {json.dumps(values.get('content'))[:200]}")
                elif tool == "memory_append":
                    tally.appended.append(line)
            number += 1
            # Tools are limited to four calls a second.
            await anyio.sleep(0.5)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--loops", type=int, default=8)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder, "vault")
        os.environ["CLAWVAULT_STATE_DIR"] = str(Path(folder, "state"))
        subprocess.run([*COMMAND, "init", str(vault), "--language", "en"], check=True, capture_output=True)
        for number in range(300):
            (vault / f"note{number}.md").write_text(f"# Note {number}\n\nA heron stands in river {number}.\n")
        subprocess.run([*COMMAND, "--vault", str(vault), "index"], check=True, capture_output=True)
        daemon = subprocess.Popen([*COMMAND, "--vault", str(vault), "watch"], stderr=subprocess.DEVNULL)
        try:
            time.sleep(3)
            tally = Tally(time.monotonic() + args.seconds)
            everybody = [
                *(threading.Thread(target=run_loop, args=(vault, f"loop{i}", tally)) for i in range(args.loops)),
                *(
                    threading.Thread(target=anyio.run, args=(run_server, vault, f"server{i}", tally))
                    for i in range(args.servers)
                ),
            ]
            for one in everybody:
                one.start()
            for one in everybody:
                one.join()
        finally:
            daemon.terminate()
            daemon.wait()
        return report(tally, (vault / "crowd.md").read_text(encoding="utf-8"))


def report(tally: Tally, text: str) -> int:
    """Print what was counted; return the exit code."""
    there = Counter(line.removeprefix("- ").strip() for line in text.splitlines() if line.strip())
    lost = [line for line in tally.appended if there[line] != 1]
    ordered = sorted(tally.searches_s)
    print(f"calls: {dict(sorted(tally.done.items()))}")
    print(f"lines acknowledged {len(tally.appended)}, missing or repeated {len(lost)}")
    print(f"refused {len(tally.refused)}")
    for problem in dict.fromkeys(tally.refused):
        print(f"  {problem}")
    if ordered:
        print(
            f"clawvault search, whole process: median {ordered[len(ordered) // 2]:.3f} s, longest {ordered[-1]:.3f} s"
        )
    return int(bool(lost or tally.refused))


if __name__ == "__main__":
    sys.exit(main())
