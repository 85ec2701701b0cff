"""Ask one vault many questions in this process, which did nothing before: the clock and the memory of a server.

    python -m speed.warm_part WORK CHUNKS PER_NOTE QUESTIONS [--recall]

Prints JSON: seconds of each question less embedding, seconds of a NumPy product over as many vectors after each, the
stages that the answer names, resident bytes before and after the first questions, and recall@10 against an exact
comparison when that is asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from clawvault.api import Vault
from clawvault.index.connection import INDEX_NAME
from clawvault.index.generations import find_generation
from clawvault.index.reading import Reading
from clawvault.index.records import Filters
from clawvault.index.vectors.mirrored import MirroredBackend
from speed.chunk_vault import ChunkVault, exact_nearest
from speed.mixed_embedder import MixedEmbedder, open_mixed
from speed.processes import RowError, UnmeasurableError, resident_bytes
from speed.workshop import check_answer

K = 10
WARM_UP = 3
# No further question after so long, once twenty were asked.
MOST_S, FEWEST = 10.0, 20
MOST_LOADING_S = 300.0
PLACES = """SELECT n.path, c.line_start FROM json_each(?) AS wanted
    CROSS JOIN chunks c ON c.id = wanted.value CROSS JOIN notes n ON n.id = c.note_id"""


def ask(vault: Vault, made: ChunkVault, number: int) -> tuple[float, dict[str, float]]:
    """Ask one question; return its seconds without embedding, and its stages in milliseconds."""
    note = made.pick(number)
    began = time.perf_counter()
    result = vault.search(note.question)
    took = time.perf_counter() - began
    check_answer(result.to_dict(), note, by_meaning=True)
    return took - result.timings_ms.get("embed", 0.0) / 1000, result.timings_ms


def measure_product(matrix: np.ndarray, vector: np.ndarray) -> float:
    """Return the seconds of one matrix-vector product: reading every vector once."""
    began = time.perf_counter()
    matrix @ vector
    return time.perf_counter() - began


def own_memory() -> int | None:
    """Return the resident bytes of this process, ``None`` where the system does not tell."""
    try:
        return resident_bytes(os.getpid())
    except UnmeasurableError:
        return None


def measure_recall(made: ChunkVault, embedder: MixedEmbedder, n: int) -> float:
    """Return the share of the ten nearest vectors that are among the first ten from memory; sentences do not count."""
    texts = [f"recall of {number} {made.pick(number).question}" for number in range(n)]
    questions = embedder.embed_passages(texts)
    exact = exact_nearest(made, embedder, questions, K)
    reading = Reading(made.state / INDEX_NAME, "auto")
    try:
        generation = find_generation(reading.store, "active")
        reading.warm_up()
        if generation is None or not isinstance(reading.backend, MirroredBackend):
            raise RowError("the index has no vectors, or none that are kept in memory")
        if not reading.backend.wait_until_loaded(MOST_LOADING_S):
            raise RowError("the vectors were not in memory in time")
        right = 0
        for question, wanted in zip(questions, exact, strict=True):
            found = reading.backend.nearest(reading.store, generation, question, K, Filters())
            ids = json.dumps([chunk for chunk, _ in found])
            right += len(wanted & set(map(tuple, reading.store.connection.execute(PLACES, (ids,)))))
    finally:
        reading.close()
    return right / (n * K)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=Path)
    parser.add_argument("chunks", type=int)
    parser.add_argument("per_note", type=int)
    parser.add_argument("questions", type=int)
    parser.add_argument("--recall", action="store_true")
    args = parser.parse_args()
    made = ChunkVault(args.work, args.chunks, args.per_note)
    embedder = open_mixed(args.work)
    before = own_memory()
    took: list[float] = []
    products: list[float] = []
    stages: defaultdict[str, list[float]] = defaultdict(list)
    with made.open(embedder) as vault:
        for number in range(WARM_UP):
            ask(vault, made, number)
        after = own_memory()
        # Made only now: it is no part of the product's memory.
        matrix = np.random.default_rng(1).standard_normal((args.chunks, embedder.space.dims), dtype=np.float32)
        vector = matrix[0].copy()
        measure_product(matrix, vector)
        began = time.monotonic()
        for number in range(args.questions):
            if number >= FEWEST and time.monotonic() - began > MOST_S:
                break
            seconds, parts = ask(vault, made, 1000 + number)
            took.append(seconds)
            products.append(measure_product(matrix, vector))
            for stage, value in parts.items():
                stages[stage].append(value)
        if not vault.status()["vectors"] == args.chunks:
            raise RowError(f"the index has {vault.status()['vectors']} vectors, not {args.chunks}")
    recall = measure_recall(made, embedder, 20) if args.recall else None
    print(
        json.dumps(
            {
                "seconds": took,
                "products": products,
                "stages_ms": {stage: statistics.median(values) for stage, values in stages.items()},
                "bytes_before": before,
                "bytes_after": after,
                "vector_bytes": 4 * embedder.space.dims * args.chunks,
                "recall": recall,
            }
        )
    )


if __name__ == "__main__":
    main()
