#!/usr/bin/env python3
"""Measure how soon an edit is findable by keyword under ``clawvault watch``, for six ways of saving a note.

    scripts/measure_freshness.py [--notes 2000] [--edits 200] [--provider none] [--watch-only] [--seed 1]

A vault of invented notes is made in a temporary folder and a real ``clawvault watch`` is started over it. Each edit
adds a word no note held before, by one of six ways in turn: in place; temp and rename; vim style (probe file 4913, note
renamed to a backup, new file, backup deleted); truncate, and write 100 ms later; append; delete and create. The clock
starts when the last system call of the edit has returned and stops when the word is found in that note. The next edit
comes after that, and after a pause of random length.

Two measurements are made, each of all edits:

- "asked": the daemon is asked over its socket, in keyword mode, every 10 ms. A question makes the daemon look at the
  disk before it answers, so this is what a person sees who saves and searches at once.
- "watched": nobody asks. The index file is read, without writing, every 5 ms, so this is the watcher's own noticing:
  event, settling time, reading, writing. ``--watch-only`` makes this one alone.

Prints for each way and for all: edits, p50, p95, p99 and longest in seconds, and how many were not found within 10 s.
Exits with 1 when there were any.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import chain
from pathlib import Path

from invented_notes import invent_sentence
from live_vault import LiveVault

from clawvault.evaluate.metrics import percentile
from clawvault.index.connection import INDEX_NAME
from clawvault.index.store import Store

LIMIT_S = 10.0
ASK_S = 0.01
LOOK_S = 0.005
SLOW_SAVE_S = 0.1

IsFound = Callable[[str, str], bool]


def in_place(note: Path, text: str) -> None:
    note.write_text(text, encoding="utf-8")


def temp_and_rename(note: Path, text: str) -> None:
    temporary = note.with_name(f"{note.name}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(note)


def vim_style(note: Path, text: str) -> None:
    probe = note.with_name("4913")
    probe.touch()
    probe.unlink()
    backup = note.with_name(f"{note.name}~")
    note.rename(backup)
    note.write_text(text, encoding="utf-8")
    backup.unlink()


def truncate_then_write(note: Path, text: str) -> None:
    with note.open("w", encoding="utf-8") as stream:
        time.sleep(SLOW_SAVE_S)
        stream.write(text)


def append(note: Path, text: str) -> None:
    before = note.stat().st_size
    with note.open("ab") as stream:
        stream.write(text.encode()[before:])


def delete_and_create(note: Path, text: str) -> None:
    note.unlink()
    note.write_text(text, encoding="utf-8")


WAYS = (in_place, temp_and_rename, vim_style, truncate_then_write, append, delete_and_create)


def asking(live: LiveVault) -> IsFound:
    """Return a check that asks the daemon and insists on the word in the text of a hit."""

    def is_found(path: str, word: str) -> bool:
        answer = live.ask("search", request={"query": word, "mode": "fts"})
        if answer is None or not answer["ok"]:
            raise SystemExit(f"The daemon gave no answer: {answer}")
        return any(hit["path"] == path and word in hit["text"] for hit in answer["result"]["hits"])

    return is_found


def watching(live: LiveVault) -> IsFound:
    """Return a check that reads the index file and has no part in the daemon's work."""
    store = Store(live.state / INDEX_NAME, writer=False)
    sql = """SELECT count(*) FROM lexicon JOIN chunks c ON c.id = lexicon.rowid JOIN notes n ON n.id = c.note_id
             WHERE lexicon MATCH ? AND n.path = ?"""
    return lambda path, word: bool(store.connection.execute(sql, (word, path)).get)


def measure_edit(edit: Callable[[], None], is_found: Callable[[], bool], interval_s: float) -> float | None:
    """Return the seconds from the end of an edit until it is found, or ``None`` after ten."""
    edit()
    began = time.perf_counter()
    while not is_found():
        if time.perf_counter() - began > LIMIT_S:
            return None
        time.sleep(interval_s)
    return time.perf_counter() - began


def measure(
    live: LiveVault, texts: dict[str, str], chance: random.Random, count: int, prefix: str, is_found: IsFound
) -> dict[str, list[float | None]]:
    times: defaultdict[str, list[float | None]] = defaultdict(list)
    for number in range(count):
        way = WAYS[number % len(WAYS)]
        path, word = chance.choice(sorted(texts)), f"{prefix}{number}word"
        texts[path] += f"\n{invent_sentence(chance)} The {word} is new.\n"
        note, text = live.root / path, texts[path]
        interval_s = ASK_S if prefix == "asked" else LOOK_S
        times[way.__name__].append(
            measure_edit(lambda: way(note, text), lambda: is_found(path, word), interval_s)  # noqa: B023 - called at once
        )
        time.sleep(chance.uniform(0.05, 0.45))
    return times


def report(title: str, times: dict[str, list[float | None]]) -> int:
    """Print one table; return how many edits were not found."""
    print(f"\n{title}")
    print(f"{'way':<20} {'edits':>6} {'p50':>7} {'p95':>7} {'p99':>7} {'max':>7} {'not found':>10}")
    lost = 0
    for way, row in {**times, "all": list(chain.from_iterable(times.values()))}.items():
        found = [value for value in row if value is not None]
        lost = len(row) - len(found)
        figures = (percentile(found or [float("nan")], share) for share in (0.5, 0.95, 0.99, 1.0))
        print(f"{way:<20} {len(row):>6} {' '.join(f'{figure:>7.3f}' for figure in figures)} {lost:>10}", flush=True)
    return lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, default=2000)
    parser.add_argument("--edits", type=int, default=200, help="for each of the two measurements")
    parser.add_argument("--provider", default="none", help="as in the setting embedding.provider")
    parser.add_argument("--watch-only", action="store_true", help="leave out the measurement that asks the daemon")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    folder = Path(tempfile.mkdtemp(prefix="cv-"))
    live = LiveVault(folder, CLAWVAULT_EMBEDDING_PROVIDER=args.provider)
    try:
        texts = live.seed(chance, args.notes)
        live.start()
        ready_s, quiet_s = live.wait_until_ready(), live.wait_until_quiet()
        print(f"{args.notes} notes, provider {args.provider}, seed {args.seed}")
        print(f"ready after {ready_s:.1f} s, everything embedded {quiet_s:.1f} s later", flush=True)
        lost = report("watched", measure(live, texts, chance, args.edits, "watched", watching(live)))
        if not args.watch_only:
            lost += report("asked", measure(live, texts, chance, args.edits, "asked", asking(live)))
        changed = sum((live.root / path).read_text(encoding="utf-8") != text for path, text in texts.items())
        print(f"\nnotes changed by anything but the edits: {changed}")
    finally:
        live.stop()
        shutil.rmtree(folder)
    return int(bool(lost or changed))


if __name__ == "__main__":
    raise SystemExit(main())
