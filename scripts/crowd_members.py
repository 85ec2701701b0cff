"""Who is in the crowd of ``crowd.py``, what each does, and what each takes down about it."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import cycle
from multiprocessing.synchronize import Barrier
from typing import Any

import anyio
import anyio.to_thread
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from speed.workshop import MadeVault
from speed.zipf_notes import name_of

SHARED = "crowd.md"
APPENDS_TO_A_SEARCH = 9
COMMANDS = (*4 * ("append", "search", "status"), "dream")
FIRST_NAME = 1_000_000
NAMES_EACH = 100_000
TOOL, PROCESS = "memory_search, a tool call", "clawvault search, a whole process"
_PLACE: list[Barrier] = []


def meet_at(place: Barrier) -> None:
    """Say where this process waits for everybody."""
    _PLACE[:] = [place]


def meet() -> None:
    """Wait until everybody is there.

    Raises:
        BrokenBarrierError: Somebody did not come.
    """
    _PLACE[0].wait()


@dataclass(slots=True)
class Tally:
    """What one of the crowd did, or all of them together.

    Args:
        began: Monotonic seconds at which the time began to run, the same clock in each process.
        ended: When it was over.
    """

    began: float = 0.0
    ended: float = 0.0
    appended: list[tuple[str, str]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    took_s: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    degraded: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Add what another one did."""
        self.began = min(self.began or other.began, other.began)
        self.ended = max(self.ended, other.ended)
        self.appended += other.appended
        self.refused += other.refused
        self.unseen += other.unseen
        self.degraded.update(other.degraded)
        for kind, seconds in other.took_s.items():
            self.took_s[kind] += seconds


class Member:
    """One of the crowd: what it appends and asks next.

    Args:
        vault: Copied for this run.
        number: Its own.
        kind: ``server`` or ``loop``.
        period_s: Seconds from one of its rounds to the next; 0 does not wait.
        seconds: How long it goes on.
    """

    def __init__(self, vault: MadeVault, number: int, kind: str, period_s: float, seconds: float) -> None:
        self.vault = vault
        self.tally = Tally()
        self.chance = random.Random(number)
        self._own = f"crowd/{kind}{number}.md"
        (vault.root / "crowd").mkdir(exist_ok=True)
        (vault.root / self._own).write_text(f"# What {kind} {number} saw\n", encoding="utf-8")
        self._first_name = FIRST_NAME + number * NAMES_EACH
        self._n_lines = self._n_questions = self._n_rounds = 0
        self._seconds = seconds
        self._period_s = period_s
        self._offset_s = self.chance.random() * period_s
        self._newest = ""

    def begin(self) -> None:
        """Let the time run."""
        self.tally.began = time.monotonic()
        self.tally.ended = self.tally.began + self._seconds

    def is_over(self) -> bool:
        """Say whether the time is up."""
        return time.monotonic() >= self.tally.ended

    def pause_s(self) -> float:
        """Return the seconds until the next round; one that is late comes at once."""
        due = self.tally.began + self._offset_s + self._n_rounds * self._period_s
        self._n_rounds += 1
        return max(0.0, min(due, self.tally.ended) - time.monotonic())

    def next_line(self) -> tuple[str, str]:
        """Return a note and a line for it, which holds a name that nothing else holds."""
        self._n_lines += 1
        name = name_of(self._first_name + self._n_lines)
        return (SHARED, self._own)[self._n_lines % 2], f"- The heron {name} stands in the river."

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


def run_loop(member: Member) -> Tally:
    """Run commands in turn until the time is over, in a process of its own: no two people share a shell."""
    commands = cycle(COMMANDS)
    # People do not walk in step.
    for _ in range(member.chance.randrange(len(COMMANDS))):
        next(commands)
    meet()
    member.begin()
    for word in commands:
        time.sleep(member.pause_s())
        if member.is_over():
            break
        run_command(member, word)
    return member.tally


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


async def run_server(member: Member) -> Tally:
    """Talk to one MCP server until the time is over."""
    command = member.vault.command("mcp")
    server = StdioServerParameters(command=command[0], args=command[1:], env=member.vault.environment)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        # A server opens its vault once, at its first question, and not once in twenty seconds.
        await session.call_tool("memory_search", {"query": member.vault.notes[0].question})
        await anyio.to_thread.run_sync(meet)
        member.begin()
        for turn in cycle(range(APPENDS_TO_A_SEARCH + 1)):
            await anyio.sleep(member.pause_s())
            if member.is_over():
                break
            await call_tool(member, session, is_append=turn < APPENDS_TO_A_SEARCH)
    return member.tally


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
