"""Rows about one question in a new process: with a daemon, without, and by words alone."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from itertools import count

from speed.figures import Bound, Row
from speed.processes import bare_python, take_turns
from speed.workshop import MadeVault, Workshop

STAND_IN = "mixed vectors, packaged English model asks"


def measure_daemon_search(workshop: Workshop) -> Iterator[Row]:
    """Measure ``clawvault search`` while ``clawvault watch`` runs, at each of the two smaller sizes."""
    for size in workshop.sizes[:2]:
        made = workshop.indexed(size)
        try:
            made.start_warm()
            numbers = count()
            acts = [lambda: made.time_search(next(numbers)), bare_python()]  # noqa: B023 - used at once
            searches, bare = take_turns(acts, most=20 if workshop.short else 60, budget_s=6 if workshop.short else 60)
        finally:
            made.stop()
        yield Row(
            f"search, daemon running, {size:,} notes",
            searches,
            bounds=(Bound("median", 0.15), Bound("p95", 0.25)),
            floor=statistics.median(bare),
            floor_name="python -c pass",
            used=STAND_IN,
        )


def measure_cold_search(workshop: Workshop) -> Iterator[Row]:
    """Measure ``clawvault search`` without a daemon, index up to date, by words and meaning."""
    yield _cold(workshop, workshop.indexed(workshop.sizes[0]), bounds=(Bound("median", 1.0),), used=STAND_IN)


def measure_word_search(workshop: Workshop) -> Iterator[Row]:
    """Measure ``clawvault search --mode fts`` without a daemon, no vector made yet, at two sizes."""
    for size in workshop.sizes[:2][-1:] if workshop.short else workshop.sizes[:2]:
        made = workshop.indexed_by_words(size)
        yield _cold(
            workshop,
            made,
            "--mode",
            "fts",
            bounds=(Bound("median", 0.5),),
            used="packaged English model configured, no vector made yet",
        )


def _cold(workshop: Workshop, made: MadeVault, *options: str, bounds: tuple[Bound, ...], used: str) -> Row:
    numbers = count(1000)
    acts = [lambda: made.time_search(next(numbers), *options), bare_python("import numpy")]
    searches, bare = take_turns(acts, most=15 if workshop.short else 30, budget_s=6 if workshop.short else 60)
    name = " ".join(("search", *options))
    return Row(
        f"{name}, no daemon, {len(made.notes):,} notes",
        searches,
        bounds=bounds,
        floor=statistics.median(bare),
        floor_name='python -c "import numpy"',
        used=used,
    )
