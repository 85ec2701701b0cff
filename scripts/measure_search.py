#!/usr/bin/env python3
"""Measure how well questions with known answers are answered, by lane and by fusion, with both packaged models.

    scripts/measure_search.py DATA [--models english multilingual] [--sets NAME ...] [--most N] [--json FILE]
                              [--explain]

DATA holds any of ``xquad`` (notes-en, notes-zh, qrels.QUERY-NOTES.jsonl), ``cmrc2018`` (notes, qrels.jsonl) and
``locomo-dev`` (one vault a conversation, qrels.jsonl inside). A hit is right when it shares a line with the evidence.
Notes are copied to a temporary folder; nothing is written beside them. Each question is embedded once, and asked
through the search itself by words, by meaning, and joined in every way. Prints a table each of MRR, hit@5 and cov@4k
(the share of the evidence within the first 4,000 characters of hits), where ``gain`` is ``score`` less the better of
the two lanes; recall@5 by category; and the time of a question.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from measured_sets import MODELS, find_sets, open_model

from clawvault.evaluate.asked_once import AskedOnceEmbedder
from clawvault.evaluate.datasets import Dataset
from clawvault.evaluate.metrics import mean_scores
from clawvault.evaluate.runner import FTS, FUSION_LANES, VECTOR, Lane, ask, evaluate, open_copy

COLUMNS = ("fts", "vector", "rrf", "weighted", "adaptive", "score")
LANES = (FTS, VECTOR, *FUSION_LANES)
FIGURES = {"mrr": "MRR", "hit@5": "hit@5", "cov@4k": "cov@4k"}
TOGETHER = "locomo"
# A screen of hits and more; cov@4k never needs as many.
DEPTH = 20

Rows = list[Mapping[str, Any]]


def measure(
    sets: Mapping[str, Dataset], models: Iterable[str], shown: list[str]
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the report of each set and model; ``shown`` gets the reason of one hit a set when it is not empty."""
    today = datetime.now().astimezone().date()
    reports = {}
    for model in models:
        embedder = open_model(model)
        for name, dataset in sets.items():
            began = time.perf_counter()
            reports[name, model] = evaluate(
                dataset,
                settings=MODELS[model],
                environment={},
                today=today,
                lanes=LANES,
                depth=DEPTH,
                embedder=embedder,
            )
            print(f"{name}, {model}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
            if shown:
                shown.append(explain(f"{name}, {model}", dataset, model, embedder))
    return reports


def explain(name: str, dataset: Dataset, model: str, embedder: AskedOnceEmbedder) -> str:
    """Return the first hit of the first question of a set, with the reason of its score."""
    question = dataset.questions[0]
    with open_copy(dataset, settings=MODELS[model], environment={}, embedder=embedder) as vault:
        vault.index()
        hits = ask(
            vault, question.query, Lane("score", "hybrid", "score"), datetime.now().astimezone().date(), explain=True
        ).hits
    said = "no hits" if not hits else f"{hits[0].path}:{hits[0].line_start} {json.dumps(hits[0].explain)}"
    return f"{name}: {question.query}\n  {said}"


def question_rows(reports: Mapping[tuple[str, str], dict[str, Any]]) -> dict[tuple[str, str], Rows]:
    """Return the figures of every question by set and model, all conversations together in a set of their own."""
    rows: dict[tuple[str, str], Rows] = {key: report["per_question"] for key, report in reports.items()}
    for model in dict.fromkeys(model for _, model in reports):
        parts = [mine for (name, of), mine in rows.items() if of == model and name.startswith(f"{TOGETHER} ")]
        if len(parts) > 1:
            rows[f"{TOGETHER}, all", model] = [row for part in parts for row in part]
    return rows


def means(rows: Rows, lane: str) -> dict[str, float]:
    return mean_scores([row["lanes"][lane] for row in rows])


def print_figures(rows: Mapping[tuple[str, str], Rows]) -> None:
    for figure, head in FIGURES.items():
        print(f"\n{head:<16} {'model':<13} {'n':>5}" + "".join(f"{name:>10}" for name in COLUMNS) + f"{'gain':>10}")
        for (name, model), mine in rows.items():
            values = {lane: means(mine, lane)[figure] for lane in COLUMNS}
            gain = values["score"] - max(values["fts"], values["vector"])
            cells = "".join(f"{values[lane]:>10.3f}" for lane in COLUMNS)
            print(f"{name:<16} {model:<13} {len(mine):>5}{cells}{gain:>+10.3f}")


def print_categories(rows: Mapping[tuple[str, str], Rows]) -> None:
    together = {key: mine for key, mine in rows.items() if key[0] == f"{TOGETHER}, all"}
    for (_, model), mine in (together or rows).items():
        categories = sorted({row["category"] for row in mine if row["category"]})
        if categories:
            print(f"\nrecall@5         {'model':<13} {'n':>5}{'fts':>10}{'vector':>10}{'score':>10}{'score-fts':>10}")
        for category in categories:
            part = [row for row in mine if row["category"] == category]
            fts, vector, score = (means(part, lane)["recall@5"] for lane in ("fts", "vector", "score"))
            cells = f"{fts:>10.3f}{vector:>10.3f}{score:>10.3f}{score - fts:>+10.3f}"
            print(f"{category:<16} {model:<13} {len(part):>5}{cells}")


def print_times(reports: Mapping[tuple[str, str], dict[str, Any]]) -> None:
    print(
        f"\n{'p50 ms':<16} {'model':<13} {'n':>5}" + "".join(f"{name:>10}" for name in COLUMNS) + f"{'p95 score':>10}"
    )
    for (name, model), report in reports.items():
        times = report["times"]
        cells = "".join(f"{times[lane]['p50_ms']:>10.1f}" for lane in COLUMNS)
        print(f"{name:<16} {model:<13} {report['questions']:>5}{cells}{times['score']['p95_ms']:>10.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--sets", nargs="+", help="only sets whose name holds one of these")
    parser.add_argument("--most", type=int, help="questions a set")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save all reports")
    parser.add_argument("--explain", action="store_true", help="show the reason of one hit a set")
    args = parser.parse_args()
    shown = ["\nThe first hit of the first question of each set:"] if args.explain else []
    reports = measure(find_sets(args.data, args.sets, args.most), args.models, shown)
    rows = question_rows(reports)
    print_figures(rows)
    print_categories(rows)
    print_times(reports)
    print(*shown, sep="\n")
    if args.json:
        saved = {f"{name}, {model}": report for (name, model), report in reports.items()}
        args.json.write_text(json.dumps(saved, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
