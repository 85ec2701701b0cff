"""Where the time of the slowest paths goes: functions by time, modules by import time, stages of a question."""

from __future__ import annotations

import io
import pstats
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from environment import clean_environment

from speed.chunk_vault import ChunkVault
from speed.processes import SCRIPTS
from speed.warm_rows import SIZES
from speed.workshop import Workshop

SHOWN = 30
IMPORT_LINE = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| (\s*)(\S+)")


def profile_cold_search(workshop: Workshop) -> str:
    """Profile ``clawvault search`` in a new process without a daemon."""
    made = workshop.indexed(workshop.sizes[0])
    command = ["-m", "clawvault", "--vault", str(made.root), "search", "--json", made.pick(1).question]
    functions = _functions(workshop, command, made.environment)
    return f"{functions}\n{_imports(command, made.environment)}"


def profile_index(workshop: Workshop) -> str:
    """Profile ``clawvault index`` of a new vault."""
    root = workshop.real_notes("profiled", 40)
    environment = clean_environment(CLAWVAULT_STATE_DIR=str(root.parent / "state"))
    return _functions(workshop, ["-m", "clawvault", "--vault", str(root), "index"], environment)


def profile_warm_search(workshop: Workshop) -> str:
    """Profile questions to ``vault.search`` at 10,000 chunks."""
    n_chunks, per_note, questions, _ = SIZES[0]
    ChunkVault(workshop.work, n_chunks, per_note).build(workshop.mixed)
    arguments = ["-m", "speed.warm_part", str(workshop.work), str(n_chunks), str(per_note), str(questions)]
    return _functions(workshop, arguments, clean_environment(PYTHONPATH=str(SCRIPTS)))


def _functions(workshop: Workshop, arguments: list[str], environment: Mapping[str, str]) -> str:
    file = workshop.work / "profile"
    # The first run fills caches of the system and of bytecode.
    for _ in range(2 if "search" in arguments else 1):
        command = [sys.executable, "-m", "cProfile", "-o", str(file), *arguments]
        subprocess.run(command, env=dict(environment), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = io.StringIO()
    stats = pstats.Stats(str(file), stream=text)
    stats.strip_dirs().sort_stats("cumulative").print_stats(SHOWN)
    stats.sort_stats("tottime").print_stats(SHOWN // 2)
    return text.getvalue().strip()


def _imports(arguments: list[str], environment: Mapping[str, str]) -> str:
    """Return the modules whose import took longest, each with what it imported in turn."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, env=dict(environment), check=True, capture_output=True)
    found = [IMPORT_LINE.match(line) for line in done.stderr.decode(errors="replace").splitlines()]
    rows = sorted(((int(m[2]), int(m[1]), m[4]) for m in found if m is not None), reverse=True)
    lines = [
        f"{total / 1000:9.1f} ms with imports {own / 1000:8.1f} ms alone  {name}" for total, own, name in rows[:SHOWN]
    ]
    return "\n".join(["imports", *lines])


PROFILES: Mapping[str, Callable[[Workshop], str]] = {
    "cold-search": profile_cold_search,
    "warm-search": profile_warm_search,
    "index": profile_index,
}


def write_profiles(workshop: Workshop, names: list[str], to: Path | None) -> None:
    """Print profiles, and write each to a file of its name when there is a folder for them."""
    for name in names:
        text = PROFILES[name](workshop)
        print(f"\nprofile of {name}\n\n{text}", flush=True)
        if to is not None:
            to.mkdir(parents=True, exist_ok=True)
            (to / f"{name}.txt").write_text(text, encoding="utf-8")
