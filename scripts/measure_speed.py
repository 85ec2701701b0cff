#!/usr/bin/env python3
"""Measure start, search, indexing, watching and memory against their targets and against floors of the same run.

    scripts/measure_speed.py [--short] [--rows NAME,...] [--sizes 1000,10000,20000] [--json FILE] [--work DIR] [DATA]
    scripts/measure_speed.py --profile cold-search,warm-search,index

Makes its vaults (seeded; the words as frequent as in a language, daily notes and topics, some Chinese). With DATA, a
folder that holds a folder ``til`` of real notes, what is embedded by a real model is taken from there. Rows run one
after another, never beside each other's work. A row with a wrong answer says "failed" and makes the exit code 1; one
that misses its target says "over". Compare ratios between machines, seconds only on one.

The short form takes less than three minutes, the making of its vaults included, and leaves out what says so. A named
``--work`` folder keeps the vaults.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from speed.figures import Row, render_table
from speed.index_rows import measure_first_answer, measure_indexing
from speed.processes import RowError
from speed.profiles import PROFILES, write_profiles
from speed.search_rows import measure_cold_search, measure_daemon_search, measure_word_search
from speed.start_rows import measure_start
from speed.sweep_rows import measure_index_size, measure_sweep
from speed.warm_rows import measure_million, measure_warm_search
from speed.watch_rows import measure_edits, measure_idle
from speed.workshop import Workshop, generator_key

# Of processes that want a core at once; a row of this script alone makes less of it.
BUSY = 1.2
GROUPS: Mapping[str, Callable[[Workshop], Iterable[Row]]] = {
    "start": measure_start,
    "daemon-search": measure_daemon_search,
    "cold-search": measure_cold_search,
    "words": measure_word_search,
    "warm-search": measure_warm_search,
    "million": measure_million,
    "indexing": measure_indexing,
    "first-answer": measure_first_answer,
    "sweep": measure_sweep,
    "size": measure_index_size,
    "edits": measure_edits,
    "idle": measure_idle,
}


def load_per_core() -> float:
    """Return how many processes wanted each core in the last minute; 0 where the system does not tell."""
    loads: tuple[float, ...] = getattr(os, "getloadavg", lambda: (0.0,))()
    return loads[0] / (os.cpu_count() or 1)


def measure(workshop: Workshop, groups: Iterable[str], save: Callable[[list[Row]], None]) -> list[Row]:
    """Measure group after group, showing and saving the rows of each as it ends."""
    rows: list[Row] = []
    for name in groups:
        began, found, load = time.monotonic(), [], load_per_core()
        try:
            # One at a time: what a group measured before it failed is kept.
            for row in GROUPS[name](workshop):
                found.append(row)  # noqa: PERF402
        except (RowError, SystemExit) as error:
            found.append(Row(name, problem=str(error)))
        busy = f", {load:.1f} processes waited for each core before: ratios alone count" if load > BUSY else ""
        print(f"\n{name} ({time.monotonic() - began:.0f} s{busy})\n{render_table(found)}", flush=True)
        rows += found
        save(rows)
    return rows


def to_json(rows: Iterable[Row], workshop: Workshop, took_s: float) -> str:
    """Return everything that was measured, and on what."""
    machine = {
        "system": platform.platform(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load_per_core": round(load_per_core(), 2),
    }
    about = {"machine": machine, "short": workshop.short, "sizes": workshop.sizes, "took_s": round(took_s, 1)}
    return json.dumps({**about, "rows": [row.to_dict() for row in rows]}, indent=1)


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted(int(part) for part in text.split(",")))


def _names(known: Iterable[str]) -> Callable[[str], list[str]]:
    def parse(text: str) -> list[str]:
        names = text.split(",")
        unknown = sorted(set(names) - set(known))
        if unknown:
            raise argparse.ArgumentTypeError(f"not known: {', '.join(unknown)}; there are {', '.join(known)}")
        return names

    return parse


def main() -> int:
    description = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(description=description, epilog=f"Groups of rows: {', '.join(GROUPS)}.")
    parser.add_argument("data", type=Path, nargs="?", help='folder that holds "til"')
    parser.add_argument("--short", action="store_true", help="fewer runs, smaller vaults, no million")
    parser.add_argument("--rows", type=_names(GROUPS), default=list(GROUPS), help="which groups, with commas between")
    parser.add_argument("--sizes", type=_sizes, help="numbers of notes, with commas between")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--work", type=Path, help="where vaults are made and kept; else a temporary folder")
    parser.add_argument("--profile", type=_names(PROFILES), help=f"instead of rows: {', '.join(PROFILES)}")
    parser.add_argument("--profile-to", type=Path, metavar="DIR", help="write each profile to a file as well")
    args = parser.parse_args()
    sizes = args.sizes or ((1000, 10_000) if args.short else (1000, 10_000, 20_000))
    work = Path(tempfile.mkdtemp(prefix="cv-")) if args.work is None else args.work.absolute() / generator_key()
    work.mkdir(parents=True, exist_ok=True)
    til = args.data / "til" if args.data is not None and (args.data / "til").is_dir() else None
    workshop = Workshop(work, args.short, sizes, til)
    began = time.monotonic()

    def save(rows: list[Row]) -> None:
        if args.json is not None:
            args.json.write_text(to_json(rows, workshop, time.monotonic() - began), encoding="utf-8")

    try:
        if args.profile is not None:
            write_profiles(workshop, args.profile, args.profile_to)
            return 0
        rows = measure(workshop, args.rows, save)
    finally:
        if args.work is None:
            shutil.rmtree(work, ignore_errors=True)
    print(f"\nall rows\n{render_table(rows)}")
    return int(any(row.verdict == "failed" for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
