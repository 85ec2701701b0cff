"""Kill a process while it writes a note, at every call to the system, and count notes that are neither old nor new.

    python scripts/torn_writes.py --kills 1000

Each kill is a process of its own that ends itself with SIGKILL before, after or in the middle of its n-th call. Exit
code 1 when a note was torn, another note was touched, or the vault could not be written afterwards (F02, I02).
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter as Counts
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from clawvault.vault.writing import NoteWriter

CALLS = (
    *("open", "close", "read", "write", "lseek", "fsync", "fstat", "stat", "lstat", "fchmod"),
    *("mkdir", "listdir", "link", "rename", "replace", "unlink"),
)
MOMENTS = ("before", "middle", "after")
OLD = "# Old\r\n\r\n".encode("utf-16") * 2000
NEW = OLD + "- new line\r\n".encode("utf-16-le") * 3000
SEED = b"another note\n"
# (name of the note, its bytes before): one that is replaced, one that is made, one in a folder that is made.
SCENARIOS: tuple[tuple[str, bytes | None], ...] = (("MEMORY.md", OLD), ("made.md", None), ("a/b/made.md", None))

Item = TypeVar("Item")


def die() -> None:
    """End this process as no cleaning up can follow."""
    if hasattr(signal, "SIGKILL"):
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(9)


class Counter:
    """Counts calls to the system, and ends the process at one of them."""

    def __init__(self, fatal: int = 0, moment: str = "") -> None:
        self.n = 0
        self.fatal = fatal
        self.moment = moment

    def wrap(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return a call that is counted."""

        def call(*args: Any, **kwargs: Any) -> Any:
            self.n += 1
            if self.n != self.fatal:
                return real(*args, **kwargs)
            if self.moment == "middle" and name == "write":
                real(args[0], bytes(args[1])[: len(args[1]) // 2])
            elif self.moment != "before":
                real(*args, **kwargs)
            return die()

        return call

    def install(self) -> None:
        """Put the counter between the writer and the system."""
        for name in CALLS:
            if hasattr(os, name):
                setattr(os, name, self.wrap(name, getattr(os, name)))


def write(folder: Path, name: str) -> None:
    """Do the one write that is cut short."""
    NoteWriter(folder / "vault", folder / "state").change(name, lambda _: NEW, operation="kill")


def prepare(folder: Path, name: str, before: bytes | None) -> None:
    """Make the vault of one kill."""
    (folder / "state").mkdir(parents=True)
    (folder / "vault" / ".clawvault").mkdir(parents=True)
    (folder / "vault" / "other.md").write_bytes(SEED)
    if before is not None:
        (folder / "vault" / name).write_bytes(before)


def count_calls(name: str, before: bytes | None) -> int:
    """Return how many calls one write makes, counted in a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        prepare(Path(place), name, before)
        done = subprocess.run(
            [sys.executable, __file__, "--child", place, name, "0", "none"], capture_output=True, text=True, check=True
        )
    return int(done.stdout)


def kill_at(fatal: int, moment: str, act: Callable[[], object], script: str, *place: str) -> None:
    """Do something in a process that ends at its n-th call.

    Args:
        fatal: The number of the call.
        moment: One of ``MOMENTS``.
        act: What is done, where a process can be forked.
        script: Does the same elsewhere, when it is called with ``--child``.
        place: What the script is told of where to do it.
    """
    if not hasattr(os, "fork"):
        subprocess.run([sys.executable, script, "--child", *place, str(fatal), moment], check=False)
        return
    child = os.fork()
    if child == 0:
        try:
            Counter(fatal, moment).install()
            act()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def be_child(fatal: str, moment: str, act: Callable[[], object]) -> int:
    """Do something under a counter, and print how many calls that took."""
    counter = Counter(int(fatal), moment)
    counter.install()
    act()
    print(counter.n)
    return 0


def report(kills: Iterable[tuple[str, str]]) -> int:
    """Say what kills left, each as a verdict and where it struck; return the exit code."""
    counts: Counts[str] = Counts()
    for said, where in kills:
        counts[said] += 1
        if said not in {"old", "new"}:
            print(f"{said}: {where}")
    print(f"{counts.total()} kills: " + ", ".join(f"{counts[said]} {said}" for said in sorted(counts)))
    return int(bool(set(counts) - {"old", "new"}))


def verdict(folder: Path, name: str, before: bytes | None) -> str:
    """Return what the note is after a kill: ``old``, ``new`` or ``torn``, or what else is wrong."""
    note = folder / "vault" / name
    found = note.read_bytes() if note.exists() else None
    if (folder / "vault" / "other.md").read_bytes() != SEED:
        return "another note touched"
    said = "new" if found == NEW else "old" if found == before else "torn"
    write(folder, name)
    if note.read_bytes() != NEW:
        return "not writable afterwards"
    visible = [path.name for path in note.parent.iterdir() if not path.name.startswith(".") and path.is_file()]
    strays = set(visible) - {note.name, "other.md"}
    return f"left behind: {sorted(strays)}" if strays else said


def plan(kills: int) -> Iterator[tuple[str, bytes | None, int, str]]:
    """Yield every call of every scenario at every moment, again from the front when that is too few."""
    every = [
        (name, before, fatal, moment)
        for name, before in SCENARIOS
        for fatal in range(1, count_calls(name, before) + 1)
        for moment in MOMENTS
    ]
    yield from spread(every, kills)


def spread(every: Sequence[Item], kills: int) -> Iterator[Item]:
    """Yield so many items, few of them from all over the sequence."""
    # A step that shares no factor with their number visits each before any comes again.
    step = next(size for size in itertools.count(max(1, len(every) * 5 // 8)) if math.gcd(size, len(every)) == 1)
    for number in range(kills):
        yield every[number * step % len(every)]


def kill_all(kills: int) -> Iterator[tuple[str, str]]:
    """Make every kill in a vault of its own; yield what it left, and where it struck."""
    for name, before, fatal, moment in plan(kills):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            prepare(folder, name, before)
            kill_at(fatal, moment, partial(write, folder, name), __file__, place, name)
            yield verdict(folder, name, before), f"{name}, {moment} call {fatal}"


def main() -> int:
    """Run the kills and say what they left."""
    if sys.argv[1:2] == ["--child"]:
        _, _, place, name, fatal, moment = sys.argv
        return be_child(fatal, moment, partial(write, Path(place), name))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    return report(kill_all(parser.parse_args().kills))


if __name__ == "__main__":
    sys.exit(main())
