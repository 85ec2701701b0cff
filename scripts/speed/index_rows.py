"""Rows about indexing with the packaged English model, and about words that are found before it is done."""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from collections.abc import Iterator

from environment import clean_environment

from clawvault.api import Vault, open_vault
from clawvault.errors import IndexFaultError, LockedError
from clawvault.index.connection import INDEX_NAME
from speed.figures import Bound, Row
from speed.index_part import delete_index
from speed.processes import RowError, program, run_part, run_timed
from speed.workshop import Workshop

LEAST_OF_MODEL = 0.9
LEAST_TIMES_FASTER = 50.0
POLL_S = 0.05
LIMIT_S = 120.0


def measure_indexing(workshop: Workshop) -> Iterator[Row]:
    """Measure chunks a second against the model's own, and indexing again when all texts are known."""
    count = 120 if workshop.short else 600
    root = workshop.real_notes("indexing", count)
    environment = clean_environment(CLAWVAULT_STATE_DIR=str(root.parent / "state"))
    inside = run_part("index_part", "both", str(root), "1" if workshop.short else "3", environment=environment)
    n_texts = inside["texts"]
    used = f"{count} {workshop.kind_of_notes}, {n_texts} texts, packaged English model"
    encode = [n_texts / took for took in inside["encode_s"]]
    rates = [n_texts / took for took in inside["first_s"]]
    yield _rate_row("clawvault index, model loaded", rates, encode, f"{used}, in turn in one process")
    yield _again_row("index deleted, texts known, model loaded", inside["first_s"], inside["again_s"])
    if workshop.short:
        yield Row("clawvault index, whole process", problem="only in the long form", skipped=True)
        return
    command = [*program(), "--vault", str(root), "index", "--json"]
    whole_s, said = run_timed(command, environment)
    with open_vault(root, environment=environment) as vault:
        delete_index(vault.opened.state)
    again_s, _ = run_timed(command, environment)
    began = time.perf_counter()
    alone = run_part("index_part", "model", str(root), environment=environment)
    alone_s = time.perf_counter() - began
    embedded = json.loads(said)["embedded_texts"]
    if not embedded == alone["texts"] == n_texts:
        raise RowError(f"{embedded}, {alone['texts']} and {n_texts} texts were embedded of the same notes")
    yield _rate_row(
        "clawvault index, whole process", [n_texts / whole_s], [n_texts / alone_s], f"{used}, start-up on both sides"
    )
    yield _again_row("index deleted, texts known, whole process", [whole_s], [again_s])


def _rate_row(name: str, rates: list[float], floors: list[float], used: str) -> Row:
    return Row(
        name,
        rates,
        unit="/s",
        bounds=(Bound("ratio", least=LEAST_OF_MODEL),),
        floor=statistics.median(floors),
        floor_name="SentenceTransformer.encode on the same texts, float32, batches of 32",
        used=used,
    )


def _again_row(name: str, first: list[float], again: list[float]) -> Row:
    faster = statistics.median(first) / statistics.median(again)
    return Row(
        name,
        again,
        bounds=(Bound("times faster", least=LEAST_TIMES_FASTER),),
        extra={"times faster": faster, "first, s": statistics.median(first)},
        used="the file of embeddings stays; the larger the vault, the less a start counts",
    )


def measure_first_answer(workshop: Workshop) -> Iterator[Row]:
    """Measure when words are found in a new vault whose vectors are still being made."""
    root = workshop.real_notes("first", 200)
    last = root / "zz-last.md"
    last.write_text("# Last\n\nThe lighthouse of Quenselvik is painted every spring.\n", encoding="utf-8")
    environment = clean_environment(CLAWVAULT_STATE_DIR=str(root.parent / "state"))
    began = time.perf_counter()
    process = subprocess.Popen(
        [*program(), "--vault", str(root), "index"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with open_vault(root, environment=environment) as vault:
            while not _finds(vault, last.name):
                if process.poll() is not None or time.perf_counter() - began > LIMIT_S:
                    raise RowError(f"not found by words while clawvault index ran ({process.poll()})")
                time.sleep(POLL_S)
            took_s = time.perf_counter() - began
            status = vault.status()
    finally:
        process.kill()
        process.wait()
    extra = {"notes": status["notes"], "chunks without vector then": status["pending"]}
    yield Row(
        "last of 201 new notes found by words",
        [took_s],
        bounds=(Bound("chunks without vector then", least=1),),
        extra=extra,
        used=f"{workshop.kind_of_notes}, from the start of clawvault index, asked in another process",
    )


def _finds(vault: Vault, path: str) -> bool:
    """Say whether a note is found by words; no while the other process makes the file of the index."""
    if not (vault.opened.state / INDEX_NAME).exists():
        return False
    try:
        return any(hit.path == path for hit in vault.search("lighthouse Quenselvik", mode="fts").hits)
    except (IndexFaultError, LockedError):
        return False
