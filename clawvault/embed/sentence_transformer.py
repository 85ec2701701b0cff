"""Any sentence-transformers model in a folder on this machine; the library is imported at the first text."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np

from clawvault.config import EmbeddingSettings
from clawvault.embed.checks import check_vectors, length_order, model_text
from clawvault.embed.model_folder import ModelFolder
from clawvault.embed.protocol import EmbeddingSpace, FloatArray, space_key
from clawvault.embed.token_estimate import estimate_tokens
from clawvault.embed.turns import Turns
from clawvault.errors import EmbedderError

PROVIDER = "sentence-transformers"
# The library cuts at its window anyway; this only spares its tokenizer a text a hundred times longer.
CHARS_PER_TOKEN = 24
# Between two turns a waiting question is answered; eight full windows take less than half a second on two cores.
TURN_CHARS = 8000
QUIET_ENVIRONMENT = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
}
OFFLINE_ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}


def describe_folder(folder: ModelFolder, model: str, settings: EmbeddingSettings) -> EmbeddingSpace:
    """Name the space of a model folder under these settings."""
    key = space_key(
        {
            "provider": PROVIDER,
            "fingerprint": folder.fingerprint,
            "query_prefix": settings.query_prefix or folder.prefixes.query,
            "passage_prefix": settings.passage_prefix or folder.prefixes.passage,
        }
    )
    return EmbeddingSpace(
        key=key, provider=PROVIDER, model=model, dims=folder.dims or settings.dims, max_tokens=folder.max_tokens
    )


class SentenceTransformerEmbedder:
    """Embed with a sentence-transformers model.

    Args:
        folder: The model on disk.
        model: Its name for people.
        settings: Prefixes, batch size and the vector length to insist on.

    Cost: The first text imports the library and loads the model, which takes seconds; a question then milliseconds.
    """

    def __init__(self, folder: ModelFolder, model: str, settings: EmbeddingSettings) -> None:
        self.space = describe_folder(folder, model, settings)
        self._folder = folder
        self._settings = settings
        self._query_prefix = settings.query_prefix or folder.prefixes.query
        self._passage_prefix = settings.passage_prefix or folder.prefixes.passage
        self._turns = Turns()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count what the model reads of each passage, marks and prefix included; loads the tokenizer alone."""
        return self._counter([self._passage_prefix + model_text(text) for text in texts])

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed texts that are to be found (see ``Embedder``)."""
        if not texts:
            return np.zeros((0, self.space.dims), dtype=np.float32)
        order = length_order(texts)
        parts: list[FloatArray] = []
        done = 0
        while done < len(order):
            longest = max(len(self._clipped(texts[order[done]])), 1)
            size = min(self._settings.batch_size, max(TURN_CHARS // longest, 1))
            batch = [self._passage_prefix + self._clipped(texts[i]) for i in order[done : done + size]]
            with self._turns.passages():
                parts.append(self._encode(batch))
            done += size
        vectors = np.concatenate(parts)
        result = np.empty_like(vectors)
        result[order] = vectors
        return result

    def embed_query(self, text: str) -> FloatArray:
        """Embed a question (see ``Embedder``)."""
        with self._turns.question():
            return cast(FloatArray, self._encode([self._query_prefix + self._clipped(text)])[0])

    def _clipped(self, text: str) -> str:
        return model_text(text[: self.space.max_tokens * CHARS_PER_TOKEN])

    def _encode(self, texts: list[str]) -> FloatArray:
        model = self._model
        try:
            raw = model.encode(texts, batch_size=len(texts), prompt="", convert_to_numpy=True, show_progress_bar=False)
        except Exception as error:
            raise EmbedderError(
                f'The model "{self.space.model}" failed on a text: {error!r}.',
                "Keyword search goes on; try a smaller embedding.batch_size or another model.",
            ) from error
        wanted = self._settings.dims or self.space.dims
        return check_vectors(raw, count=len(texts), dims=wanted, model=self.space.model)

    @cached_property
    def _counter(self) -> Callable[[list[str]], list[int]]:
        path = self._folder.path / "tokenizer.json"
        if not path.is_file():
            return lambda texts: [estimate_tokens(text) for text in texts]
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:
            raise EmbedderError(
                f'The tokenizer "{path}" cannot be read: {error}.', "Fetch or copy the model again."
            ) from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return lambda texts: [len(encoding) for encoding in tokenizer.encode_batch_fast(texts)]

    @cached_property
    def _model(self) -> Any:
        set_library_environment(allow_download=False)
        try:
            # Warnings of the libraries while they load are not for the person who searches.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                from sentence_transformers import SentenceTransformer

                return SentenceTransformer(
                    str(self._folder.path),
                    local_files_only=True,
                    trust_remote_code=False,
                    model_kwargs={"use_safetensors": True},
                )
        except Exception as error:
            raise EmbedderError(
                f'The model "{self.space.model}" cannot load: {error!r}.',
                "Keyword search goes on; copy the model again or choose another: clawvault model list.",
            ) from error


def set_library_environment(*, allow_download: bool) -> None:
    """Tell the model libraries to stay quiet and, unless a download was asked for, off the network (I32, B121).

    They read these variables once, when they are imported, so this comes before every import of them.

    Args:
        allow_download: Leave the network open for the library that fetches models.
    """
    os.environ.update(QUIET_ENVIRONMENT)
    if not allow_download:
        os.environ.update(OFFLINE_ENVIRONMENT)
