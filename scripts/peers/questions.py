"""Questions whose right answer is known: the words of a sentence that only one note has."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")
# Blocks of code, addresses and headings.
NO_PROSE = re.compile(r"```.*?```|https?://[^\s)]+|^#[^\n]*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
LEAST, MOST = 7, 14


@dataclass(frozen=True)
class Question:
    """A text to ask, and the note that should be among the first hits."""

    text: str
    path: str


def make_questions(notes: Mapping[str, str], count: int, seed: int) -> list[Question]:
    """Choose notes, and of each the sentence whose words are rarest.

    Args:
        notes: Texts by path.
        count: The most questions.
        seed: Decides which notes are asked for.
    """
    spread = Counter(word for text in notes.values() for word in {found.lower() for found in WORD.findall(text)})
    questions = []
    for path in random.Random(seed).sample(sorted(notes), len(notes)):
        words = max(_sentences(notes[path]), key=lambda found: _rarity(found, spread, len(notes)), default=[])
        if words:
            questions.append(Question(" ".join(words), path))
        if len(questions) == count:
            break
    return questions


def _sentences(text: str) -> list[list[str]]:
    """Return the words of each sentence of prose that is neither short nor long; no headings, no code."""
    prose = LINK.sub(r"\1", NO_PROSE.sub("\n\n", text))
    found = (WORD.findall(part) for part in re.split(r"[.!?:;]\s|\n\n|\n[-*] ", prose))
    return [words for words in found if LEAST <= len(words) <= MOST]


def _rarity(words: list[str], spread: Mapping[str, int], n_notes: int) -> float:
    return sum(math.log(n_notes / spread[word.lower()]) for word in words) / len(words)
