#!/usr/bin/env python3
"""Measure how well questions with known answers are answered, by lane, on folders of notes with a qrels file.

    scripts/measure_search.py DATA [--provider sentence-transformers] [--sets NAME ...] [--modes fts vector hybrid]

DATA holds any of ``xquad`` (notes-en, notes-zh, qrels.QUERY-NOTES.jsonl), ``cmrc2018`` (notes, qrels.jsonl) and
``locomo-dev`` (one vault a conversation, qrels.jsonl inside). A hit is right when it shares a line with the evidence.
Notes are copied to a temporary folder; nothing is written beside them. Prints hit@5, MRR, cov@4k (the share of the
evidence within the first 4,000 characters of hits), questions with an empty list, and the time of a question.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from clawvault.api import Vault, open_vault
from clawvault.search.request import SearchRequest
from clawvault.search.result import Hit

DEPTH = 20
BUDGET = 4000


@dataclass(frozen=True)
class Dataset:
    """Notes with questions whose evidence is known."""

    name: str
    notes: tuple[tuple[Path, str], ...]  # (folder, where it goes in the vault)
    qrels: Path


def find_datasets(data: Path) -> list[Dataset]:
    sets = []
    for pair in ("en-en", "zh-zh", "en-zh", "zh-en"):
        notes = data / "xquad" / f"notes-{pair[3:]}"
        sets.append(Dataset(f"xquad {pair}", ((notes, notes.name),), data / "xquad" / f"qrels.{pair}.jsonl"))
    sets.append(Dataset("cmrc2018", ((data / "cmrc2018/notes", "notes"),), data / "cmrc2018/qrels.jsonl"))
    sets += [
        Dataset(f"locomo {vault.name}", ((vault / "memory", "memory"),), vault / "qrels.jsonl")
        for vault in sorted((data / "locomo-dev").glob("conv-*"))
    ]
    return [item for item in sets if item.qrels.is_file()]


def is_right(hit: Hit, span: dict[str, object]) -> bool:
    return hit.path == span["path"] and hit.line_start <= span["line_end"] and span["line_start"] <= hit.line_end


def score_question(hits: tuple[Hit, ...], spans: list[dict[str, object]]) -> tuple[float, float, float]:
    first = next((hit.rank for hit in hits if any(is_right(hit, span) for span in spans)), None)
    used, covered = 0, set()
    for hit in hits:
        used += len(hit.text) + 1
        if used > BUDGET:
            break
        covered |= {number for number, span in enumerate(spans) if is_right(hit, span)}
    return (1.0 if first and first <= 5 else 0.0), (1 / first if first else 0.0), len(covered) / len(spans)


def measure(vault: Vault, dataset: Dataset, mode: str, most: int) -> str:
    lines = dataset.qrels.read_text(encoding="utf-8").splitlines()
    questions = [q for q in map(json.loads, lines) if q.get("relevant")][:most]
    rows, times, empty = [], [], 0
    today = datetime.now().astimezone().date()
    for question in questions:
        request = SearchRequest(query=question["query"], limit=DEPTH, mode=mode)
        result = vault.opened.search(request, today=today)
        times.append(result.took_ms)
        empty += not result.hits
        rows.append(score_question(result.hits, question["relevant"]))
    hit5, mrr, cov = (statistics.fmean(column) for column in zip(*rows, strict=True))
    times.sort()
    return (
        f"{dataset.name:<16} {mode:<7} {len(rows):>5} {hit5:>7.3f} {mrr:>7.3f} {cov:>7.3f} {empty:>6}"
        f" {times[len(times) // 2]:>8.1f} {times[int(len(times) * 0.95)]:>8.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--provider", default="sentence-transformers")
    parser.add_argument("--sets", nargs="*", help="only sets whose name holds one of these")
    parser.add_argument("--modes", nargs="*", default=["fts", "vector", "hybrid"])
    parser.add_argument("--most", type=int, default=100_000, help="questions a set")
    args = parser.parse_args()
    print(f"provider {args.provider}")
    columns = f"{'n':>5} {'hit@5':>7} {'MRR':>7} {'cov@4k':>7} {'empty':>6} {'p50 ms':>8} {'p95 ms':>8}"
    print(f"{'set':<16} {'mode':<7} {columns}")
    with tempfile.TemporaryDirectory() as folder:
        for dataset in find_datasets(args.data):
            if args.sets and not any(name in dataset.name for name in args.sets):
                continue
            root = Path(folder) / dataset.name
            for source, target in dataset.notes:
                shutil.copytree(source, root / target)
            (root / ".clawvault").mkdir()
            environment = {**os.environ, "CLAWVAULT_STATE_DIR": str(Path(folder) / "state")}
            with open_vault(root, environment=environment, embedding__provider=args.provider) as vault:
                vault.index()
                for mode in args.modes:
                    print(measure(vault, dataset, mode, args.most), flush=True)


if __name__ == "__main__":
    main()
