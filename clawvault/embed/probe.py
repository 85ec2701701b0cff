"""How well a model finds the right one of eight small memories, language by language."""

from __future__ import annotations

from clawvault.embed.probe_texts import PASSAGES, PROBES, QUESTIONS
from clawvault.embed.protocol import Embedder


def probe_model(embedder: Embedder) -> dict[str, float]:
    """Measure a model on the built-in questions.

    Args:
        embedder: The model to ask.

    Returns:
        For each language, and each pair ``question-passage`` of languages, the share of questions whose right
        passage comes first of eight, 0 to 1. Chance alone gives 0.125.

    Raises:
        EmbedderError: The model cannot load or answer.

    Cost: 56 passages and 56 questions.
    """
    passages = {language: embedder.embed_passages(texts) for language, texts in PASSAGES.items()}
    questions = {language: [embedder.embed_query(text) for text in texts] for language, texts in QUESTIONS.items()}
    scores: dict[str, float] = {}
    for name, asked, written in PROBES:
        ranks = [int((passages[written] @ question).argmax()) for question in questions[asked]]
        scores[name] = sum(found == wanted for wanted, found in enumerate(ranks)) / len(ranks)
    return scores
