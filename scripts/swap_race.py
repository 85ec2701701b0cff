"""Swap folders and notes of a vault for links that lead outside, while it is indexed, asked, read and written.

    python scripts/swap_race.py --seconds 60

Two threads swap a folder, a chain of links, the vault itself, a note and two files that agents are given, each for a
link to a canary outside. Meanwhile a real ``clawvault watch`` and this process index the vault, each with a state
folder of its own, and tools of agents search, read and write. Exit code 1 when a byte of the canary got into an index,
a log, a note, an undo copy or an answer, or when anything outside was changed (T02).
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import json
import os
import random
import secrets
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw
from live_vault import LiveVault

import clawvault
from clawvault.agent.tool import Desk
from clawvault.agent.toolbox import Toolbox
from clawvault.errors import ClawvaultError
from clawvault.index.packing import inflate

EXCHANGE = 2  # RENAME_EXCHANGE of Linux
HERE = -100  # AT_FDCWD
WORD = "harbour"
FOLDER, CHAIN, NOTE, MEMORY, SOUL, HARD, LINKED = (
    "projects",
    "deep/er",
    "note.md",
    "MEMORY.md",
    "SOUL.md",
    "shared.md",
    "linked.md",
)
PLAN = "plan.md"


class Canary:
    """A folder outside the vault: every text and one name in it hold words that are nowhere else."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.words = tuple(f"{kind}{secrets.token_hex(8)}" for kind in ("canarytext", "canaryname"))
        text = f"# Outside\n\nThe {WORD} master says {self.words[0]} to everyone.\n"
        folder.mkdir()
        # Most names are those of notes inside, so that no reader is stopped by a name that is not there.
        for name in (PLAN, NOTE, MEMORY, SOUL, f"{self.words[1]}.md"):
            (folder / name).write_text(text, encoding="utf-8")
        # A second name of this file is in the vault, where it is read as any note and may not be written through.
        (folder / HARD).write_text(f"# Shared\n\nThe {WORD} is shared.\n", encoding="utf-8")
        self.before = self.seen()

    def seen(self) -> dict[str, bytes]:
        """Return everything in the folder, by name."""
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes() if path.is_file() else b""
            for path in sorted(self.folder.rglob("*"))
        }

    def count_in(self, data: bytes) -> int:
        """Return how often its words are in some bytes."""
        folded = data.lower()
        return sum(folded.count(word.encode()) for word in self.words)


class Swap:
    """A thing of the vault, and a link that takes its place."""

    def __init__(self, place: Path, spare: Path, target: Path) -> None:
        self.place, self.spare = place, spare
        self.is_link = False
        spare.symlink_to(target, target_is_directory=target.is_dir())

    def swap(self) -> None:
        """Put the other one in place: in one step where the system can, else with a moment without any."""
        if not exchange(self.place, self.spare):
            aside = self.spare.with_name(f"{self.spare.name}.aside")
            self.place.rename(aside)
            self.spare.rename(self.place)
            aside.rename(self.spare)
        self.is_link = not self.is_link

    def settle(self, *, is_link: bool) -> None:
        """Leave the link, or the thing itself, in place."""
        if self.is_link != is_link:
            self.swap()


def exchange(one: Path, other: Path) -> bool:
    """Exchange two names in one step; ``False`` where the system cannot."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if sys.platform == "linux" else None
    return rename is not None and rename(HERE, os.fsencode(one), HERE, os.fsencode(other), EXCHANGE) == 0


class Race:
    """One vault, two ways to index it, and what was seen."""

    def __init__(self, place: Path, seed: int) -> None:
        self.seed = seed
        self.canary = Canary(place / "outside")
        self.live = LiveVault(place)
        self.root = self.live.root
        self._fill()
        away = place / "away"
        away.mkdir()
        outside = self.canary.folder
        (away / "hop").symlink_to(outside)
        self.folders = [
            Swap(self.root / FOLDER, away / "folder", outside),
            Swap(self.root / CHAIN, away / "chain", away / "hop"),
            Swap(self.root, away / "root", outside),
        ]
        self.files = [Swap(self.root / name, away / name, outside / name) for name in (NOTE, MEMORY, SOUL)]
        self.counts: Counter[str] = Counter()
        self.leaks: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.ended = threading.Event()
        self.turn = threading.Lock()
        self.environment = {**self.live.environment, "CLAWVAULT_STATE_DIR": str(place / "own-state")}
        self.vault = clawvault.open_vault(self.root, environment=self.environment)
        # A clock that runs fast: how often tools may be called is not what is measured here.
        seconds = itertools.count(0, 1000)
        self.tools = Toolbox(Desk(lambda: self.vault), clock=lambda: float(next(seconds)))

    def _fill(self) -> None:
        for folder in (FOLDER, CHAIN):
            (self.root / folder).mkdir(parents=True)
            for name in (PLAN, NOTE):
                (self.root / folder / name).write_text(f"# Inside\n\nThe {WORD} plan of {folder}.\n", encoding="utf-8")
        for name in (NOTE, MEMORY, SOUL):
            (self.root / name).write_text(f"# Inside\n\n- The {WORD} note {name}.\n", encoding="utf-8")
        os.link(self.canary.folder / HARD, self.root / LINKED)
        (self.root / "everything").symlink_to(self.canary.folder.parent)

    def run(self, seconds: float) -> None:
        """Swap and work for so many seconds, then look once with the links and once with the notes in place."""
        self.live.start()
        self.live.wait_until_ready()
        works = (self._index, self._ask_daemon, self._search, self._read, self._write, self._write)
        threads = [threading.Thread(target=self._swap, args=(swaps,)) for swaps in (self.folders, self.files)]
        threads += [threading.Thread(target=self._work, args=(work, number)) for number, work in enumerate(works)]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        self.ended.set()
        for thread in threads:
            thread.join()
        for is_link in (True, False):
            for swap in (*self.folders[:2], *self.files):
                swap.settle(is_link=is_link)
            self._look()
        self.vault.close()
        self.live.stop()

    def _look(self) -> None:
        """Ask and read everything once more while nothing moves, and look through every file that was written."""
        chance = random.Random(self.seed)
        for work in (self._index, self._ask_daemon, self._search, *[self._read] * 20):
            work(chance)
        self.live.ask("sync", full=True, timeout_s=30.0)
        for place in (self.live.state, self.vault.state, self.root, self.live.folder / "watch.log"):
            for path, found in scan(place, self.canary):
                self.leaks[path] += found

    def _swap(self, swaps: list[Swap]) -> None:
        chance = random.Random(self.seed + len(swaps) + 100)
        while not self.ended.is_set():
            # The vault itself goes rarely, since nothing works without it.
            swap = chance.choice(swaps)
            if swap.place == self.root and chance.random() < 0.9:
                continue
            pause_s = chance.choice((0.0, 0.0001, 0.001, 0.01))
            # While the vault is away, a name in it would be one outside.
            with self.turn:
                swap.swap()
                self.counts["swaps"] += 1
                if swap.place == self.root:
                    time.sleep(pause_s)
                    swap.swap()
            time.sleep(pause_s)

    def _work(self, work: Callable[[random.Random], None], number: int) -> None:
        chance = random.Random(self.seed + number)
        while not self.ended.is_set():
            try:
                work(chance)
            except (ClawvaultError, OSError) as error:
                # A vault that is away is refused with a sentence; that no canary is in it is checked all the same.
                self._check("an error", str(error))
                self.counts["refused"] += 1

    def _index(self, chance: random.Random) -> None:
        self.vault.index(rebuild=chance.random() < 0.2, verify=chance.random() < 0.5, accept_deletions=True)
        self.counts["rounds"] += 1

    def _ask_daemon(self, _: random.Random) -> None:
        answer = self.live.ask("search", request={"query": WORD, "limit": 50})
        if answer is not None:
            self.counts["reads"] += 1
            self._check("an answer of the daemon", answer)

    def _search(self, _: random.Random) -> None:
        self.counts["reads"] += 1
        self._check("an answer of a search", self.vault.search(WORD, limit=50).to_dict())

    def _read(self, chance: random.Random) -> None:
        path = chance.choice((f"{FOLDER}/{PLAN}", f"{CHAIN}/{PLAN}", NOTE, MEMORY, SOUL, f"everything/outside/{PLAN}"))
        name, arguments = chance.choice(
            (
                ("memory_read", {"path": path}),
                ("memory_get", {"path": path, "line_start": 1, "line_end": 3}),
                ("memory_tree", {}),
                ("memory_context", {}),
                ("memory_search", {"query": WORD}),
            )
        )
        self._call(name, arguments, "reads")

    def _write(self, chance: random.Random) -> None:
        path = chance.choice((f"{FOLDER}/{PLAN}", f"{CHAIN}/{PLAN}", f"{FOLDER}/made.md", NOTE, MEMORY, LINKED))
        text = f"- The {WORD} line {chance.randrange(1000)}.\n"
        name, arguments = chance.choice(
            (
                ("memory_append", {"path": path, "content": text}),
                ("memory_patch", {"path": path, "old": "The ", "new": "The ", "replace_all": True}),
                ("memory_patch", {"path": path, "old": f"{WORD} line", "new": f"{WORD}  line", "replace_all": True}),
                ("memory_write", {"path": f"{path[:-3]}-{chance.randrange(20)}.md", "content": text}),
                ("memory_remember", {"text": f"The {WORD} has {chance.randrange(100_000)} ships"}),
                ("memory_forget", {"text": text.strip("- \n")}),
            )
        )
        self._call(name, arguments, "writes")

    def _call(self, name: str, arguments: dict[str, Any], kind: str) -> None:
        answer = self.tools.call(name, arguments)
        self.counts["refused" if answer.get("is_error") else kind] += 1
        if "a fault of clawvault" in str(answer.get("error")):
            self.counts["faults"] += 1
            self.faults[str(answer["error"])] += 1
        self._check(f"an answer of {name}", answer)

    def _check(self, where: str, answer: object) -> None:
        said = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False, default=str)
        self.leaks[where] += self.canary.count_in(said.encode("utf-8", "backslashreplace"))


def scan(place: Path, canary: Canary) -> Iterator[tuple[str, int]]:
    """Yield every file at a place, links not followed, with how often it holds the canary, packed texts unpacked."""
    paths = [place] if place.is_file() else [Path(top) / name for top, _, names in os.walk(place) for name in names]
    for path in paths:
        if path.is_symlink() or not path.is_file():
            continue
        # A file may be renamed while it is looked for.
        with suppress(FileNotFoundError):
            data = path.read_bytes()
            name = path.relative_to(place.parent).as_posix()
            yield name, canary.count_in(data) + canary.count_in(name.encode())
            if data.startswith(b"SQLite format 3"):
                yield name, sum(canary.count_in(value) for value in values_of(path, canary))


def values_of(path: Path, canary: Canary) -> Iterator[bytes]:
    """Yield every value of a database, and the words of the canary where its keywords know them."""
    with closing(apsw.Connection(os.fspath(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        tables = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        for table, sql in tables:
            if "USING fts5" in (sql or ""):
                for word in canary.words:
                    found = connection.execute(f'SELECT count(*) FROM "{table}" WHERE "{table}" MATCH ?', (word,))  # noqa: S608
                    yield word.encode() * int(str(next(found)[0]))
            elif "VIRTUAL" not in (sql or ""):
                for row in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608
                    yield from map(as_bytes, row)


def as_bytes(value: object) -> bytes:
    """Return a value as bytes, and what is in it where it can be unpacked."""
    if isinstance(value, bytes):
        try:
            return value + inflate(value)
        except zlib.error:
            return value
    return str(value).encode("utf-8", "backslashreplace")


def main() -> int:
    """Run the race and say what it found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cv") as place:
        race = Race(Path(place), options.seed)
        try:
            race.run(options.seconds)
        finally:
            race.ended.set()
            race.live.stop()
        changed = race.canary.seen() != race.canary.before
        n_scanned = len([name for name in race.leaks if not name.startswith("an ")])
    counts, leaks = race.counts, +race.leaks
    print(", ".join(f"{counts[name]} {name}" for name in ("rounds", "swaps", "reads", "writes", "refused", "faults")))
    print(f"{n_scanned} files looked through; the canary outside was {'CHANGED' if changed else 'not changed'}")
    for said, n_said in sorted(race.faults.items()):
        print(f"{n_said} times: {said}")
    for where, n_found in sorted(leaks.items()):
        print(f"canary found {n_found} times in {where}")
    print(f"{leaks.total()} times the canary in all")
    return int(bool(leaks) or changed)


if __name__ == "__main__":
    sys.exit(main())
