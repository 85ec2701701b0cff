"""Kill a process while it promotes, at every call to the system, and count notes that are neither old nor new.

    python scripts/torn_promotions.py --kills 1000

Each kill is a process of its own that ends itself with SIGKILL before, after or in the middle of its n-th call. Then
the promotion is made again: the line must be there once, and nothing of the first try be left. Exit code 1 when
MEMORY.md was torn, a note of the person was touched, or the next run did not come to the same end (F02, I02, I35).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from torn_writes import MOMENTS, be_child, kill_at, report, spread

from clawvault.config import load_config
from clawvault.dream.dreamer import Dreamer
from clawvault.dream.promotion.ledger import read_ledger
from clawvault.keeping.keeper import Keeper
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import Hit, SearchResult

NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)
FACT = "The staging database listens on port 5433."
DAILY = "memory/2026-03-04.md"
DAILY_TEXT = f"# Day\n\n- {FACT}\n".encode()
# The heading, the marks and the line of a first promotion, and the line alone of a later one.
MEMORIES = {
    "first": b"# Memory\r\n\r\nBy hand.\r\n",
    "later": b"# Memory\n\n<!-- clawvault:promoted:begin -->\n- by hand\n<!-- clawvault:promoted:end -->\n"
    + b"x" * 9000,
    "full": b"# Memory\n" + b"x" * 9980,
    "none": b"",
}


def dreamer(folder: Path, now: datetime) -> Dreamer:
    """Return the promotion of the vault of one kill, at a fixed time."""
    config = load_config(folder / "vault", environment={}, flags={"dream.writer": ""})
    return Dreamer(Keeper(folder / "vault", config, folder / "state", now=lambda: now).means)


def promote(folder: Path) -> None:
    """Make the one promotion that is cut short."""
    dreamer(folder, NOW).apply()


def prepare(folder: Path, scenario: str) -> None:
    """Make a vault in which one statement deserves to stay."""
    (folder / "state").mkdir(mode=0o700)
    (folder / "vault" / ".clawvault").mkdir(parents=True)
    (folder / "vault" / "memory").mkdir()
    (folder / "vault" / DAILY).write_bytes(DAILY_TEXT)
    if MEMORIES[scenario]:
        memory = folder / "vault" / "MEMORY.md"
        memory.write_bytes(MEMORIES[scenario])
        os.utime(memory, (NOW.timestamp() - 3600,) * 2)
    for back in range(4, 0, -1):
        day = NOW - timedelta(days=back - 1)
        hit = Hit(
            rank=1,
            path=DAILY,
            line_start=3,
            line_end=3,
            heading=(),
            text=f"- {FACT}",
            snippet=FACT,
            score=1.0,
            cosine=0.9,
            text_score=None,
            fts_rank=None,
            vector_rank=1,
            date=DAILY[-13:-3],
            evergreen=False,
            decay=1.0,
            vault="v",
        )
        query = f"staging database port {back}"
        dreamer(folder, day).log.record(
            SearchRequest(query=query), SearchResult(query=query, mode="hybrid", hits=(hit,))
        )


def outcome(folder: Path) -> dict[str, bytes]:
    """Return the notes of the vault."""
    found = (path for path in (folder / "vault").rglob("*.md") if path.is_file())
    return {path.relative_to(folder / "vault").as_posix(): path.read_bytes() for path in found}


def rehearse(scenario: str) -> tuple[dict[str, bytes], int]:
    """Return the notes after an undisturbed promotion, and how many calls it makes."""
    with tempfile.TemporaryDirectory() as place:
        prepare(Path(place), scenario)
        done = subprocess.run(
            [sys.executable, __file__, "--child", place, "0", "none"], capture_output=True, text=True, check=True
        )
        return outcome(Path(place)), int(done.stdout)


def verdict(folder: Path, scenario: str, new: dict[str, bytes]) -> str:
    """Return what MEMORY.md is after a kill, ``old`` or ``new``, or what is wrong."""
    found = outcome(folder)
    memory = found.get("MEMORY.md", b"")
    if found[DAILY] != DAILY_TEXT:
        return "a note of the person was touched"
    said = "new" if memory == new["MEMORY.md"] else "old" if memory == MEMORIES[scenario] else "torn"
    # Old enough that the lock of the dead may be taken, and on the same day.
    dreamer(folder, NOW + timedelta(minutes=5)).apply()
    again = outcome(folder)
    kept = {path: data for path, data in again.items() if path != "DREAMS.md"}
    if kept != {path: data for path, data in new.items() if path != "DREAMS.md"}:
        return "the next run came to another end"
    if len(read_ledger(folder / "vault").entries) > 1:
        return "promoted twice"
    return said


def kill_all(kills: int) -> Iterator[tuple[str, str]]:
    """Make every kill in a vault of its own; yield what it left, and where it struck."""
    rehearsed = {scenario: rehearse(scenario) for scenario in MEMORIES}
    every = [
        (scenario, fatal, moment)
        for scenario, (_, n_calls) in rehearsed.items()
        for fatal in range(1, n_calls + 1)
        for moment in MOMENTS
    ]
    for scenario, fatal, moment in spread(every, kills):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            prepare(folder, scenario)
            kill_at(fatal, moment, partial(promote, folder), __file__, place)
            yield verdict(folder, scenario, rehearsed[scenario][0]), f"{scenario}, {moment} call {fatal}"


def main() -> int:
    """Run the kills and say what they left."""
    if sys.argv[1:2] == ["--child"]:
        _, _, place, fatal, moment = sys.argv
        return be_child(fatal, moment, partial(promote, Path(place)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    return report(kill_all(parser.parse_args().kills))


if __name__ == "__main__":
    sys.exit(main())
