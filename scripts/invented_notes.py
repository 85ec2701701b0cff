"""Invent notes: Markdown of several paragraphs from a few hundred invented words, the same for the same chance."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

WORDS = ["".join(parts) for parts in product("bdfgklmnprstvz", "aeiou", ["ban", "dor", "len", "mit", "rus", "vok"])]
N_FOLDERS = 10


def invent_sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(6, 14))).capitalize() + "."


def invent_paragraph(chance: random.Random, *sentences: str) -> str:
    """Return a paragraph that ends with the given sentences."""
    return " ".join([*(invent_sentence(chance) for _ in range(chance.randint(2, 4))), *sentences])


def invent_note(chance: random.Random, word: str) -> str:
    """Return a note of a few sections, about 2,000 characters, that holds a word no other note holds."""
    blocks = [f"# {invent_sentence(chance)}", invent_paragraph(chance, f"It is called {word}.")]
    for _ in range(chance.randint(2, 5)):
        blocks.append(f"## {invent_sentence(chance)}")
        blocks += [invent_paragraph(chance) for _ in range(chance.randint(1, 3))]
    return "\n\n".join(blocks) + "\n"


def invent_vault(chance: random.Random, count: int) -> Iterator[tuple[str, str]]:
    """Return paths and texts of so many notes in ten folders, some of them nested."""
    for number in range(count):
        folder = number % N_FOLDERS
        deeper = "deeper/" if folder % 3 == 0 and number % 2 else ""
        yield f"folder{folder}/{deeper}note{number}.md", invent_note(chance, f"seed{number}word")
