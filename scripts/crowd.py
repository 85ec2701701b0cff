#!/usr/bin/env python3
"""Let a daemon, MCP servers and command lines use one vault at once, and count what was lost or refused (F24).

    python scripts/crowd.py [--seconds 20] [--notes 10000] [--rate 16.7] [--work DIR] [--flat-out]

Each server appends and searches through its tools; each loop runs one ``clawvault`` process after another: append,
search, status, and once in four rounds dream, each loop from another place in that order. Together they append
``--rate`` lines a second, 10,000 in ten minutes unless asked otherwise, and nobody does more than that rate needs. With
``--flat-out`` nobody pauses, but for the limit that tools have. The time runs when every server has answered once.

Every second line goes to one note that all share, the others to a note of each one's own. Every second search asks for
the line that was acknowledged just before, the others for one of the notes that were there.

The vault is made once in the ``--work`` folder, by the generator of measure_speed.py, and copied for each run. Its
vectors are invented, in the space of the packaged model, which embeds what is appended.

Exit code 1 when a line that was acknowledged is missing or repeated, when it was not found at once, when anything was
refused, or with ``--most-p99`` when a search took longer.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from speed.workshop import MadeVault, Workshop, generator_key
from speed.zipf_notes import name_of

from clawvault.evaluate.metrics import percentile

SHARED = "crowd.md"
# Tools may be called four times a second for long; an agent writes more often than a person types commands.
TOOL_CALLS_PER_S = 3.9
APPENDS_TO_A_SEARCH = 9
COMMANDS = (*4 * ("append", "search", "status"), "dream")
FIRST_NAME = 1_000_000
NAMES_EACH = 100_000
TOOL, PROCESS = "memory_search, a tool call", "clawvault search, a whole process"


@dataclass(slots=True)
class Tally:
    """What everybody did; may be added to from any thread."""

    seconds: float
    began: float = 0.0
    until: float = 0.0
    ended: float = 0.0
    appended: list[tuple[str, str]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    took_s: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    degraded: Counter[str] = field(default_factory=Counter)

    def begin(self) -> None:
        """Let the time run."""
        self.began = time.monotonic()
        self.until = self.began + self.seconds

    def is_over(self) -> bool:
        """Say whether the time is up."""
        return time.monotonic() >= self.until


class Member:
    """One of the crowd: what it appends and asks next.

    Args:
        vault: Copied for this run.
        number: Its own.
        kind: ``server`` or ``loop``.
        period_s: Seconds from one of its rounds to the next; 0 does not wait.
        tally: Of everybody.
    """

    def __init__(self, vault: MadeVault, number: int, kind: str, period_s: float, tally: Tally) -> None:
        self.vault = vault
        self.tally = tally
        self.chance = random.Random(number)
        self._own = f"crowd/{kind}{number}.md"
        (vault.root / "crowd").mkdir(exist_ok=True)
        (vault.root / self._own).write_text(f"# What {kind} {number} saw\n", encoding="utf-8")
        self._names = (name_of(FIRST_NAME + number * NAMES_EACH + place) for place in range(NAMES_EACH))
        self._n_lines = self._n_questions = self._n_rounds = 0
        self._period_s = period_s
        self._offset_s = self.chance.random() * period_s
        self._newest = ""

    def pause_s(self) -> float:
        """Return the seconds until the next round; one that is late comes at once."""
        due = self.tally.began + self._offset_s + self._n_rounds * self._period_s
        self._n_rounds += 1
        return max(0.0, min(due, self.tally.until) - time.monotonic())

    def next_line(self) -> tuple[str, str]:
        """Return a note and a line for it, which holds a name that nothing else holds."""
        self._n_lines += 1
        return (SHARED, self._own)[self._n_lines % 2], f"- The heron {next(self._names)} stands in the river."

    def next_question(self) -> tuple[str, str]:
        """Return a question, and the name that must be in the answer."""
        self._n_questions += 1
        if self._n_questions % 2 and self._newest:
            return f"the heron {self._newest}", self._newest
        note = self.vault.pick(self.chance.randrange(len(self.vault.notes)))
        return note.question, note.name

    def note_append(self, path: str, line: str, took_s: float) -> None:
        """Take down a line that was acknowledged."""
        self.tally.appended.append((path, line))
        self._newest = line.split()[3]
        self.tally.took_s["append"].append(took_s)

    def note_answer(self, kind: str, name: str, answer: dict[str, Any], took_s: float) -> None:
        """Take down an answer."""
        self.tally.took_s[kind].append(took_s)
        self.tally.degraded.update(answer["degraded"])
        if not any(name in hit["text"] for hit in answer["hits"]):
            self.tally.unseen.append(f"{name} {answer['degraded']}")


def run_loop(member: Member, everybody_is_there: threading.Barrier) -> None:
    """Run commands in turn until the time is over."""
    commands = cycle(COMMANDS)
    # People do not walk in step.
    for _ in range(member.chance.randrange(len(COMMANDS))):
        next(commands)
    everybody_is_there.wait()
    for word in commands:
        time.sleep(member.pause_s())
        if member.tally.is_over():
            return
        run_command(member, word)


def run_command(member: Member, word: str) -> None:
    """Run one command in a process of its own."""
    path, line = member.next_line() if word == "append" else ("", "")
    question, name = member.next_question() if word == "search" else ("", "")
    more = {"append": [path, line], "search": ["--json", question], "status": ["--json"], "dream": []}[word]
    began = time.monotonic()
    done = subprocess.run(
        member.vault.command(word, *more),
        capture_output=True,
        encoding="utf-8",
        check=False,
        stdin=subprocess.DEVNULL,
        env=member.vault.environment,
    )
    took_s = time.monotonic() - began
    if done.returncode:
        member.tally.refused.append(f"{word} ended with {done.returncode}: {done.stderr.strip()[:200]}")
    elif word == "append":
        member.note_append(path, line, took_s)
    elif word == "search":
        member.note_answer(PROCESS, name, json.loads(done.stdout), took_s)
    else:
        member.tally.took_s[word].append(took_s)


async def run_server(member: Member, everybody_is_there: threading.Barrier) -> None:
    """Talk to one MCP server until the time is over."""
    command = member.vault.command("mcp")
    server = StdioServerParameters(command=command[0], args=command[1:], env=member.vault.environment)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        # A server opens its vault once, at its first question, and not once in twenty seconds.
        await session.call_tool("memory_search", {"query": member.vault.notes[0].question})
        await anyio.to_thread.run_sync(everybody_is_there.wait)
        while not member.tally.is_over():
            for turn in range(APPENDS_TO_A_SEARCH + 1):
                await anyio.sleep(member.pause_s())
                if member.tally.is_over():
                    return
                await call_tool(member, session, is_append=turn < APPENDS_TO_A_SEARCH)


async def call_tool(member: Member, session: ClientSession, *, is_append: bool) -> None:
    """Call one tool."""
    path, line = member.next_line() if is_append else ("", "")
    question, name = ("", "") if is_append else member.next_question()
    tool = "memory_append" if is_append else "memory_search"
    began = time.monotonic()
    result: Any = await session.call_tool(tool, {"path": path, "content": line} if is_append else {"query": question})
    took_s = time.monotonic() - began
    values = result.model_dump(by_alias=True)
    if values.get("isError"):
        member.tally.refused.append(f"{tool}: {json.dumps(values.get('content'))[:200]}")
    elif is_append:
        member.note_append(path, line, took_s)
    else:
        member.note_answer(TOOL, name, values["structuredContent"], took_s)


def copied(work: Path, count: int, folder: Path) -> MadeVault:
    """Return a copy of the kept vault of so many notes with its index, brought up to date."""
    kept = Workshop(work, short=False, sizes=(count,)).indexed(count)
    shutil.copytree(kept.root, folder / "vault")
    # In the folder of that name are the facts that tools remembered; nobody has thousands of notes of them.
    (folder / "vault" / "topics").rename(folder / "vault" / "areas")
    vault = MadeVault(folder, [replace(one, path=one.path.replace("topics/", "areas/")) for one in kept.notes])
    shutil.copytree(kept.state, vault.state, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.sock"))
    (vault.root / SHARED).write_text("# What everybody saw\n", encoding="utf-8")
    subprocess.run(vault.command("index"), check=True, capture_output=True, env=vault.environment)
    return vault


def gather(vault: MadeVault, args: argparse.Namespace, tally: Tally) -> Iterator[threading.Thread]:
    """Give a thread for each of the crowd; the time runs when all are there."""
    there = threading.Barrier(args.servers + args.loops, action=tally.begin)
    n_appends = APPENDS_TO_A_SEARCH / (APPENDS_TO_A_SEARCH + 1)
    # Servers append what they may, but no more than five lines of six.
    tool_calls_per_s = min(TOOL_CALLS_PER_S, 5 / 6 * args.rate / max(1, args.servers) / n_appends)
    left_per_s = args.rate - args.servers * tool_calls_per_s * n_appends
    period_s = args.loops / left_per_s * COMMANDS.count("append") / len(COMMANDS)
    for number in range(args.servers):
        # More often than the limit of tools nobody may call.
        one = Member(vault, number, "server", 1 / (TOOL_CALLS_PER_S if args.flat_out else tool_calls_per_s), tally)
        yield threading.Thread(target=anyio.run, args=(run_server, one, there))
    for number in range(args.servers, args.servers + args.loops):
        one = Member(vault, number, "loop", 0.0 if args.flat_out else period_s, tally)
        yield threading.Thread(target=partial(run_loop, one, there))


def report(tally: Tally, args: argparse.Namespace, vault: MadeVault, cpu_s: float) -> int:
    """Print what was counted; return the exit code."""
    took_s = tally.ended - tally.began
    wanted = "as fast as may be" if args.flat_out else f"{args.rate:.1f} a second wanted"
    texts = {path: (vault.root / path).read_text(encoding="utf-8") for path in {path for path, _ in tally.appended}}
    there = Counter((path, line) for path, text in texts.items() for line in text.splitlines())
    lost = [line for line in tally.appended if not there[line]]
    repeated = [line for line in tally.appended if there[line] > 1]
    print(
        f"acknowledged {len(tally.appended)} lines in {took_s:.1f} s, {len(tally.appended) / took_s:.1f} a second,",
        wanted,
    )
    print(f"lost {len(lost)}, repeated {len(repeated)}, refused {len(tally.refused)}, {_locked(tally)} for a lock")
    print(f"not in the answer that had to hold it {len(tally.unseen)}")
    for problem in [*dict.fromkeys(tally.refused), *tally.unseen][:10]:
        print(f"  {problem}")
    for problem, count in tally.degraded.most_common(5):
        print(f"  {count} answers said: {problem}")
    for name, seconds in sorted(tally.took_s.items()):
        shares = ", ".join(f"p{share * 100:.0f} {percentile(seconds, share) * 1000:.0f}" for share in (0.5, 0.95, 0.99))
        print(f"{name}: {len(seconds)} times, {shares}, longest {max(seconds) * 1000:.0f} ms")
    if cpu_s:
        print(f"processor time of all processes, their starts too, {cpu_s:.1f} s, {cpu_s / took_s:.2f} cores")
    slow = [kind for kind in (TOOL, PROCESS) if percentile(tally.took_s[kind] or [0.0], 0.99) * 1000 > args.most_p99]
    return int(bool(lost or repeated or tally.refused or tally.unseen or slow))


def _locked(tally: Tally) -> int:
    return sum("lock" in problem.lower() or "busy" in problem.lower() for problem in tally.refused)


def children_s() -> float:
    """Return the processor time of all processes that were started and have ended; 0 where nobody knows."""
    try:
        import resource
    except ImportError:
        return 0.0
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--loops", type=int, default=8)
    parser.add_argument("--rate", type=float, default=10_000 / 600, help="lines appended a second, by all together")
    parser.add_argument("--flat-out", action="store_true", help="nobody pauses")
    parser.add_argument("--most-p99", type=float, default=float("inf"), help="milliseconds that searches may take")
    parser.add_argument("--work", type=Path, help="where the vault is made and kept; else a temporary folder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cv-") as folder:
        work = Path(folder, "work") if args.work is None else args.work.absolute() / generator_key()
        work.mkdir(parents=True, exist_ok=True)
        vault = copied(work, args.notes, Path(folder, "c"))
        print(f"{args.notes} invented notes with invented vectors, 1 daemon, {args.servers} MCP servers,", end=" ")
        print(f"{args.loops} loops of commands, {os.cpu_count()} cores")
        before_s = children_s()
        tally = Tally(args.seconds)
        everybody = list(gather(vault, args, tally))
        vault.start_warm()
        try:
            for one in everybody:
                one.start()
            for one in everybody:
                one.join()
            tally.ended = time.monotonic()
        finally:
            vault.stop()
        return report(tally, args, vault, children_s() - before_s)


if __name__ == "__main__":
    sys.exit(main())
