#!/usr/bin/env python3
"""Measure how often a search says that nothing matches well, where that is right and where it is wrong.

    scripts/measure_abstention.py DATA [--models english multilingual] [--sets NAME ...] [--most 200] [--mode hybrid]

DATA is laid out as for ``measure_search.py``. Questions of every set are asked of the notes of every set. Notes that
hold the answers, in whatever language, should be found: each "nothing matches well" there is wrong. Other notes hold no
answer: each question that is not told so there is missed. Prints the share of questions that were told so.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from measured_sets import MODELS, find_sets, open_model

from clawvault.evaluate.asked_once import AskedOnceEmbedder
from clawvault.evaluate.datasets import Dataset
from clawvault.evaluate.runner import Lane, ask, open_copy


def spread(items: Sequence[str], most: int) -> list[str]:
    """Return so many items, evenly from the whole of a list."""
    count = min(most, len(items))
    return [items[index * len(items) // count] for index in range(count)]


def gather(sets: Mapping[str, Dataset], most: int) -> tuple[dict[str, list[str]], dict[str, Dataset]]:
    """Return questions by the language or set they are from, and one data set for each folder of notes."""
    questions: dict[str, list[str]] = {}
    vaults: dict[str, Dataset] = {}
    for name, dataset in sets.items():
        family, _, pair = name.partition(" ")
        asker = f"xquad {pair[:2]}" if family == "xquad" else family
        questions.setdefault(asker, []).extend(question.query for question in dataset.questions)
        vaults.setdefault(f"xquad {pair[3:]}" if family == "xquad" else name, dataset)
    return {name: spread(list(dict.fromkeys(texts)), most) for name, texts in questions.items()}, vaults


def choose(asker: str, dataset: Dataset, questions: Mapping[str, list[str]]) -> list[str]:
    """Return the questions of a set that these notes answer; of conversations, each answers its own alone."""
    if asker != "locomo":
        return questions[asker]
    return spread([question.query for question in dataset.questions], len(questions[asker]))


def measure(
    vaults: Mapping[str, Dataset],
    questions: Mapping[str, list[str]],
    model: str,
    mode: str,
    embedder: AskedOnceEmbedder,
) -> None:
    today = datetime.now().astimezone().date()
    told = {True: [0, 0], False: [0, 0]}
    for name, dataset in vaults.items():
        with open_copy(dataset, settings=MODELS[model], environment={}, embedder=embedder) as vault:
            vault.index()
            for asker in questions:
                own = asker.split()[0] == name.split()[0]
                texts = choose(asker, dataset, questions) if own else questions[asker]
                answers = [ask(vault, text, Lane(mode, mode), today, limit=10) for text in texts]
                count = sum(answer.no_confident_match for answer in answers)
                told[own][0] += count
                told[own][1] += len(texts)
                side = "wrongly" if own else "rightly"
                print(
                    f"{model:<13} {name:<15} {asker:<10} {len(texts):>5} {count / len(texts):>8.3f}  {side}", flush=True
                )
    for own, (count, asked) in told.items():
        if asked:
            print(
                f"{model:<13} {'all':<15} {'':<10} {asked:>5} {count / asked:>8.3f}  {'wrongly' if own else 'rightly'}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--sets", nargs="+", help="only sets whose name holds one of these")
    parser.add_argument("--most", type=int, default=200, help="questions a set")
    parser.add_argument("--mode", choices=["hybrid", "vector", "fts"], default="hybrid")
    args = parser.parse_args()
    questions, vaults = gather(find_sets(args.data, args.sets, None), args.most)
    print(f"{'model':<13} {'notes of':<15} {'questions':<10} {'n':>5} {'told so':>8}")
    for model in args.models:
        measure(vaults, questions, model, args.mode, open_model(model))


if __name__ == "__main__":
    main()
