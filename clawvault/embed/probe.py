"""How well a model finds the right one of eight small memories, language by language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawvault.embed.probe_texts import PASSAGES, PROBES, QUESTIONS

if TYPE_CHECKING:
    from clawvault.embed.protocol import Embedder


class Reading(NamedTuple):
    """How a model reads one language, or questions of one language about passages of another.

    Attributes:
        share: Share of questions whose right passage comes first of eight, 0..1; chance alone gives 0.125.
        noise: Cosine below which nine of ten wrong pairs lie.
        strong: Median cosine of the right pairs.
    """

    share: float
    noise: float
    strong: float


def read_languages(embedder: Embedder) -> dict[str, Reading]:
    """Measure a model on the built-in questions.

    Args:
        embedder: The model to ask.

    Returns:
        A reading for each language, and for each pair ``question-passage`` of languages.

    Raises:
        EmbedderError: The model cannot load or answer.

    Cost: 56 passages and 72 questions.
    """
    # Who weighs what a model said needs a reading alone.
    import numpy as np

    passages = {language: embedder.embed_passages(texts) for language, texts in PASSAGES.items()}
    questions = {language: [embedder.embed_query(text) for text in texts] for language, texts in QUESTIONS.items()}
    readings: dict[str, Reading] = {}
    for name, asked, written in PROBES:
        cosines = np.stack(questions[asked]) @ passages[written].T
        right = np.diag(cosines)
        wrong = cosines[~np.eye(len(cosines), dtype=bool)]
        share = float((cosines.argmax(axis=1) == np.arange(len(cosines))).mean())
        readings[name] = Reading(share, float(np.quantile(wrong, 0.9)), float(np.median(right)))
    return readings


def probe_model(embedder: Embedder) -> dict[str, float]:
    """Return the ``share`` of each reading; see ``read_languages``."""
    return {name: reading.share for name, reading in read_languages(embedder).items()}
