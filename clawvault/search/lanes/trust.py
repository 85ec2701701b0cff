"""How far each lane can be trusted with one question: pure.

A lane that cannot know the answer still puts something first. Trust keeps it from outvoting the lane that does know.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from clawvault.embed.probe import Reading

CHANCE = 0.125
GOOD_SHARE = 0.75
# Where the nearest passage is hardly nearer than wrong ones are, and no passage holds half of the question's words,
# there is no answer. Both were set so that a question of the vault itself is next to never refused.
SURE_CONFIDENCE = 0.4
SURE_SHARE = 0.5
# Where it is no nearer than most wrong ones, one common word of two is not enough.
FAR_CONFIDENCE = 0.2
FAR_SHARE = 0.75


def keyword_trust(best_strength: float, n_chunks: int, n_matches: Sequence[int]) -> float:
    """Return how far the keyword lane can be trusted: the share of the question's weight that its best chunk holds.

    A question in another language than the notes matches a stray name or number at most; its keyword order is noise.

    Args:
        best_strength: BM25 of the first candidate.
        n_chunks: How many keyword rows there are.
        n_matches: For each term of the question, how many of them hold it.

    Returns:
        0..1. A chunk with every term once or twice scores about the sum of their weights (Robertson's idf, as in
        FTS5); from two fifths of that on the trust is whole, the point that lost least on questions in the language
        of the notes and on questions in another.
    """
    weight = sum(max(0.0, math.log((max(n_chunks, n) - n + 0.5) / (n + 0.5))) for n in n_matches)
    return min(1.0, 2.5 * best_strength / weight) if weight else 1.0


def choose_reading(readings: Mapping[str, Reading], language: str) -> Reading | None:
    """Return how the model reads a language; one it was not asked is taken as the average of all.

    Returns:
        The reading, or ``None`` when the model was not measured.
    """
    if not readings or language in readings:
        return readings.get(language)
    columns = zip(*readings.values(), strict=True)
    return Reading(*(sum(column) / len(readings) for column in columns))


def vector_confidence(reading: Reading | None, best_cosine: float) -> float:
    """Return where the best cosine lies between what wrong passages reach (0) and right ones do (1)."""
    if reading is None:
        return 1.0
    if reading.strong <= reading.noise:
        return 0.0
    return min(1.0, max(0.0, (best_cosine - reading.noise) / (reading.strong - reading.noise)))


def vector_trust(reading: Reading | None, best_cosine: float) -> float:
    """Return how far the vector lane can be trusted: how well the model reads, and how near its best passage is.

    Returns:
        0..1; whole when the model answers three of four built-in questions of the language and the best passage is as
        near as a right one usually is. Whole also when the model was not measured.
    """
    if reading is None:
        return 1.0
    return _skill(reading) * vector_confidence(reading, best_cosine)


def is_no_answer(reading: Reading | None, best_cosine: float, held_share: Callable[[], float]) -> bool:
    """Say whether nothing found is worth showing (limits L20).

    Args:
        reading: How the model reads the language of the question, or that pair of languages; ``None`` when it was not
            measured.
        best_cosine: That of the nearest passage.
        held_share: Returns the share of the question's terms that one passage holds, 0..1; asked only where it counts.

    Returns:
        True when neither words nor meaning speak for any passage. A model that cannot read the language says nothing
        against one either.
    """
    if reading is None or reading.strong <= reading.noise:
        return False
    confidence = vector_confidence(reading, best_cosine)
    return confidence < SURE_CONFIDENCE and held_share() < (FAR_SHARE if confidence < FAR_CONFIDENCE else SURE_SHARE)


def _skill(reading: Reading) -> float:
    return min(1.0, max(0.0, (reading.share - CHANCE) / (GOOD_SHARE - CHANCE)))
