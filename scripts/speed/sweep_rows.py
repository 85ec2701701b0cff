"""Rows about a vault in which nothing changed, and about the size of its index."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from environment import clean_environment

from clawvault.api import Vault, open_vault
from clawvault.daemon.lock import WriterLock
from speed.figures import Bound, Row
from speed.processes import RowError, bare_python, run_timed, take_turns
from speed.workshop import MadeVault, Workshop

MOST_S = 0.5
MOST_DOUBLING = 2.2
TEXT_SHARE = 2.5
ALL = 1_000_000


def measure_sweep(workshop: Workshop) -> Iterator[Row]:
    """Measure the comparison of disk and index, nothing changed, at the largest size and at half of it."""
    large = workshop.sizes[-1]
    sweeps = {size: _sweep(workshop, size) for size in (large // 2, large)}
    half, whole = (statistics.median(sweeps[size][0]) for size in (large // 2, large))
    for size, (took, walks) in sweeps.items():
        last = size == large
        # The target is for 10,000 notes; other sizes count by how they grow.
        bounds = (Bound("median", MOST_S),) if size == 10_000 else ()
        yield Row(
            f"sweep, nothing changed, {size:,} notes",
            took,
            bounds=(*bounds, *((Bound("doubling", MOST_DOUBLING),) if last else ())),
            floor=statistics.median(walks),
            floor_name="os.walk and stat of the same folder",
            extra={"doubling": whole / half} if last else {},
            used="in one process, writer open, warm",
        )
    yield _whole_process(workshop, large)


def _sweep(workshop: Workshop, size: int) -> tuple[list[float], list[float]]:
    made = workshop.indexed(size)
    with made.open(workshop.mixed) as vault, WriterLock(made.state, kind="index"):

        def sweep() -> float:
            # One that swept a moment ago would only take a glance.
            vault.opened.close_writing()
            indexer = vault.opened.writing().indexer
            began = time.perf_counter()
            report = indexer.sweep()
            took = time.perf_counter() - began
            if report.written or report.brake:
                raise RowError(f"a sweep of an unchanged vault wrote {report.written} notes {report.brake}")
            return took

        sweeps, walks = take_turns([sweep, _walking(made.root)], most=10, budget_s=4 if workshop.short else 30)
    return sweeps, walks


def _walking(root: Path) -> Callable[[], float]:
    def walk() -> float:
        began = time.perf_counter()
        for folder, _, names in os.walk(root):
            for name in names:
                os.stat(f"{folder}{os.sep}{name}")  # noqa: PTH116 - the floor is the plainest way
        return time.perf_counter() - began

    return walk


def _whole_process(workshop: Workshop, size: int) -> Row:
    made = workshop.indexed(size)
    acts = [lambda: run_timed(made.command("index"), made.environment)[0], bare_python("import numpy")]
    took, bare = take_turns(acts, most=5, budget_s=4 if workshop.short else 30)
    return Row(
        f"clawvault index, nothing changed, {size:,} notes",
        took,
        floor=statistics.median(bare),
        floor_name='python -c "import numpy"',
        used="whole process, packaged English model configured",
    )


def measure_index_size(workshop: Workshop) -> Iterator[Row]:
    """Measure the bytes of the index against those of the text and the vectors."""
    made: MadeVault = workshop.indexed(workshop.sizes[min(1, len(workshop.sizes) - 1)])
    with made.open(workshop.mixed) as vault:
        # Folds the logs into the files.
        vault.index()
        yield _size_row(vault, workshop, "mixed vectors")
    if workshop.til is None:
        return
    root = workshop.real_notes("size", ALL)
    environment = clean_environment(CLAWVAULT_STATE_DIR=str(root.parent / "state"))
    # How much room vectors take does not depend on what they mean; sentences are as far from their texts in both.
    embedder = workshop.mixed if workshop.short else None
    with open_vault(root, environment=environment, embedder=embedder) as vault:
        vault.index()
        used = "mixed vectors" if workshop.short else "packaged English model"
        yield _size_row(vault, workshop, f"{workshop.kind_of_notes}, {used}")


def _size_row(vault: Vault, workshop: Workshop, used: str) -> Row:
    chunks, files = vault.status()["chunks"], vault.list_notes().files
    text, vectors = sum(file.size for file in files.values()), 4 * workshop.mixed.space.dims * chunks
    state = vault.opened.state
    vault.close()
    # What was set aside as damaged is no part of the index; a log that stays is.
    kept = (path for path in state.glob("*.sqlite3*") if ".damaged" not in path.name)
    size = sum(path.stat().st_size for path in kept)
    return Row(
        f"index of {len(files):,} notes on disk",
        [size],
        unit="MB",
        bounds=(Bound("ratio", 1.0),),
        floor=TEXT_SHARE * text + vectors,
        floor_name="2.5 times the text and 4 bytes a dimension and chunk: the target",
        extra={
            "text, MB": text / 1e6,
            "vectors, MB": vectors / 1e6,
            "chunks": chunks,
            "texts beyond vectors": (size - vectors) / text,
        },
        used=used,
    )
