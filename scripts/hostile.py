#!/usr/bin/env python3
"""Put hostile notes into a vault and hostile questions to it, and count what came through.

    scripts/hostile.py [--texts 500] [--questions 2000] [--seed N]

Prints how many notes of random bytes, Markdown grammar and broken front matter were indexed or listed with a reason,
how many chunks are not an exact slice, whether the index equals a fresh one, the slowest note; then how many questions
were answered without an error, whether the note with the word was found, and the slowest question. Keyword lane only.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from live_vault import LiveVault
from measure_indexing import count_wrong_slices

from clawvault.api import Vault, open_vault

PIECES = (
    *(
        "# ",
        "## h\n",
        "- ",
        "> ",
        "```\n",
        "~~~~\n",
        "|a|b|\n|-|-|\n",
        "[[",
        "]]",
        "![[x]]",
        "$$",
        "%%",
        "---\n",
        "\r\n",
    ),
    *(
        "\n\n",
        "\t",
        "\x00",
        "\ufeff",
        "\u202e",
        "图书馆",
        "カタカナ",
        "한국어",
        "🎉",
        "a" * 300,
        "<!-- ",
        "-->",
        "#tag ",
        "^id\n",
    ),
    *("word ", "`", "*_", "\\", "&amp;", "1. ", "===\n", "<div>\n", "\u2028", "e\u0301", '"', "'", "{", "["),
)
FRONT = (
    "a: b",
    "a: [",
    "- x",
    "date: 2026-02-30",
    "x: &a [*a]",
    "@x",
    "title: a: b",
    "\ttab: 1",
    "? y",
    "tags: {a: 1}",
)
SIGNS = "\"'()*:^-+~{}[]<>|&!?#%$@`\\/.,;=_ \x00\t\u200b\u202e“”「」"
OPERATORS = ("AND", "OR", "NOT", "NEAR(a b)", "NEAR/3", "rowid", "body:", "lexicon", "*", '"', "a AND", "图*", "C++")


def invent_text(chance: random.Random) -> bytes:
    kind = chance.randrange(3)
    if kind == 0:
        return chance.randbytes(chance.randrange(4000))
    text = "".join(chance.choices(PIECES, k=chance.randrange(400)))
    if kind == 2:
        text = "---\n" + "\n".join(chance.choices(FRONT, k=chance.randrange(1, 8))) + "\n---\n" + text
    return text.encode(chance.choice(("utf-8", "utf-8-sig", "utf-16", "utf-8")), "replace")


def invent_question(chance: random.Random) -> str:
    parts = [
        chance.choice(
            (
                "heron",
                "图书馆",
                chance.choice(OPERATORS),
                "".join(chance.choices(SIGNS, k=5)),
                chr(chance.randrange(1, 0xD7FF)),
            )
        )
        for _ in range(chance.randrange(1, 8))
    ]
    return chance.choice((" ", "")).join(parts)


def put_texts(live: LiveVault, vault: Vault, chance: random.Random, count: int) -> bool:
    slowest = 0.0
    for number in range(count):
        (live.root / f"hostile{number}.md").write_bytes(invent_text(chance))
        began = time.process_time()
        vault.index()
        slowest = max(slowest, time.process_time() - began)
    status = vault.status()
    chunks, wrong = count_wrong_slices(vault)
    difference = live.compare_with_fresh()
    listed = status["notes"] + len(status["skipped"])
    print(f"texts {count}: {status['notes']} indexed, {len(status['skipped'])} listed, {count - listed} lost")
    print(f"chunks {chunks}, not an exact slice {wrong}; live index against a fresh one: {difference}")
    print(f"slowest note {slowest:.2f} s of processor time, the look at all notes included")
    return listed == count and not wrong and not difference


def put_questions(vault: Vault, chance: random.Random, count: int) -> bool:
    slowest, found, errors = 0.0, 0, 0
    for _ in range(count):
        question = invent_question(chance)
        began = time.process_time()
        try:
            hits = vault.search(question, mode="fts", limit=50).hits
        except Exception as error:  # noqa: BLE001 - counting what goes wrong is what this is for
            print(f"failed: {question!a} with {error!r}")
            errors += 1
            continue
        slowest = max(slowest, time.process_time() - began)
        found += "heron" not in question.split() or any(hit.path == "right.md" for hit in hits)
    print(
        f"questions {count}: {count - errors} answered, {errors} failed, {found} found the note that holds their word"
    )
    print(f"slowest question {slowest:.3f} s of processor time")
    return not errors and found == count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=500)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=21)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    print(f"seed {args.seed}")
    with tempfile.TemporaryDirectory() as folder:
        live = LiveVault(Path(folder), CLAWVAULT_EMBEDDING_PROVIDER="none")
        with open_vault(live.root, environment={**os.environ, **live.environment}) as vault:
            passed = put_texts(live, vault, chance, args.texts)
            (live.root / "right.md").write_text("The heron stands in the river.\n")
            passed &= put_questions(vault, chance, args.questions)
    print("Passed" if passed else "FAILED")
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
