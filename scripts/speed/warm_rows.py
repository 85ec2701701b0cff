"""Rows about a question in a process that lives long: 10,000, 100,000 and a million chunks."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import Any

from environment import clean_environment

from speed.chunk_vault import ChunkVault
from speed.figures import Bound, Row
from speed.processes import run_part
from speed.workshop import Workshop

# Chunks, chunks in a note, questions, and the p95 that is allowed, in seconds.
SIZES = ((10_000, 2, 100, 0.015), (100_000, 20, 60, 0.040))
MILLION = (1_000_000, 50, 40, 0.150)
LEAST_RECALL = 0.99
SETTLE_S = 3.0
MOST_FLOORS = 1.5


def measure_warm_search(workshop: Workshop) -> Iterator[Row]:
    """Measure ``vault.search`` at 10,000 and 100,000 chunks."""
    for n_chunks, per_note, questions, most in SIZES[:1] if workshop.short else SIZES:
        found = _ask(workshop, n_chunks, per_note, questions)
        floor = statistics.median(found["products"])
        extra = _stages(found)
        stage = found["stages_ms"].get("vector")
        if stage is not None:
            extra["vector stage to floor"] = stage / 1000 / floor
        yield Row(
            f"vault.search, warm, {n_chunks:,} chunks",
            found["seconds"],
            unit="ms",
            bounds=(Bound("p95", most), Bound("ratio" if stage is None else "vector stage to floor", MOST_FLOORS)),
            floor=floor,
            floor_name="one NumPy float32 product over as many vectors",
            extra=extra,
            used=f"{n_chunks // per_note:,} notes, mixed vectors, embedding subtracted, {_memory(found)}",
        )


def measure_million(workshop: Workshop) -> Iterator[Row]:
    """Measure ``vault.search`` at a million chunks, how much of the exact answer it finds, and its memory."""
    n_chunks, per_note, questions, most = MILLION
    if workshop.short:
        yield Row(f"vault.search, {n_chunks:,} chunks", problem="only in the long form", skipped=True)
        return
    found = _ask(workshop, n_chunks, per_note, questions, "--recall")
    yield Row(
        f"vault.search, warm, {n_chunks:,} chunks",
        found["seconds"],
        unit="ms",
        bounds=(Bound("p95", most), Bound("recall@10", least=LEAST_RECALL)),
        floor=statistics.median(found["products"]),
        floor_name="one NumPy float32 product over as many vectors",
        extra={"recall@10": found["recall"]} | _stages(found),
        used=f"{n_chunks // per_note:,} notes, mixed vectors, embedding subtracted, {_memory(found)}",
    )


def _ask(workshop: Workshop, n_chunks: int, per_note: int, questions: int, *options: str) -> Any:
    if ChunkVault(workshop.work, n_chunks, per_note).build(workshop.mixed):
        # Files younger than two seconds are compared before every question, since their times say nothing yet.
        time.sleep(SETTLE_S)
    arguments = (str(workshop.work), str(n_chunks), str(per_note), str(questions), *options)
    return run_part("warm_part", *arguments, environment=clean_environment())


def _stages(found: dict[str, Any]) -> dict[str, float]:
    """Return the stages that cost something, in milliseconds; embedding is not part of the figure."""
    stages = {stage: value for stage, value in found["stages_ms"].items() if value >= 0.5 and stage != "embed"}
    return {f"{stage}, ms": value for stage, value in stages.items()}


def _memory(found: dict[str, Any]) -> str:
    if found["bytes_after"] is None:
        return "memory not told by this system"
    grown = (found["bytes_after"] - found["bytes_before"]) / 1e6
    return f"{found['bytes_after'] / 1e6:,.0f} MB resident ({grown:+,.0f}; vectors {found['vector_bytes'] / 1e6:,.0f})"
