"""Any sentence-transformers model in a folder on this machine; the library is imported at the first text."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any, cast

import numpy as np

from clawvault.config import EmbeddingSettings
from clawvault.embed.checks import check_vectors, model_text
from clawvault.embed.folder_space import CHARS_PER_TOKEN, describe_folder
from clawvault.embed.late_pooling import pool_spans
from clawvault.embed.model_folder import ModelFolder
from clawvault.embed.parts import Spans
from clawvault.embed.precision import passage_precision
from clawvault.embed.protocol import FloatArray
from clawvault.embed.threads import limit_torch
from clawvault.embed.token_estimate import estimate_tokens
from clawvault.embed.turns import Turns, plan_turns
from clawvault.errors import EmbedderError

QUIET_ENVIRONMENT = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
}
OFFLINE_ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
Precision = Callable[[], AbstractContextManager[object]]


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
        vectors: dict[int, FloatArray] = {}
        for turn in self._turns_of(texts):
            batch = [self._passage_prefix + self._clipped(texts[i]) for i in turn]
            with self._turns.passages():
                vectors.update(zip(turn, self._encode(batch, passage_precision), strict=True))
        return np.stack([vectors[i] for i in range(len(texts))])

    def embed_parts(self, texts: Sequence[str], spans: Sequence[Spans]) -> tuple[FloatArray, list[FloatArray]]:
        """Embed texts and pieces of them in one reading, where the model averages its tokens (``PartsEmbedder``)."""
        if not self._averages_tokens:
            return self.embed_passages(texts), [np.zeros((0, self.space.dims), dtype=np.float32) for _ in texts]
        vectors: dict[int, FloatArray] = {}
        pieces: dict[int, FloatArray] = {}
        for turn in self._turns_of(texts):
            clipped = [self._clipped(texts[i]) for i in turn]
            with self._turns.passages():
                whole, tokens = self._encode_tokens([self._passage_prefix + text for text in clipped])
            vectors.update(zip(turn, whole, strict=True))
            for i, text, (rows, offsets) in zip(turn, clipped, tokens, strict=True):
                shift = len(self._passage_prefix)
                # Text that had to be repaired may have moved.
                same = texts[i].startswith(text)
                pieces[i] = pool_spans(rows, offsets, [(a + shift, b + shift) for a, b in spans[i]] if same else [])
        everything = range(len(texts))
        return np.stack([vectors[i] for i in everything]), [pieces[i] for i in everything]

    def _turns_of(self, texts: Sequence[str]) -> Iterator[list[int]]:
        max_chars = self.space.max_tokens * CHARS_PER_TOKEN
        return plan_turns(texts, most=self._settings.batch_size, max_chars=max_chars)

    def embed_query(self, text: str) -> FloatArray:
        """Embed a question (see ``Embedder``)."""
        with self._turns.question():
            return cast(FloatArray, self._encode([self._query_prefix + self._clipped(text)])[0])

    def _clipped(self, text: str) -> str:
        return model_text(text[: self.space.max_tokens * CHARS_PER_TOKEN])

    def _encode(self, texts: list[str], precision: Precision = nullcontext) -> FloatArray:
        raw = self._run(texts, precision, convert_to_numpy=True)
        wanted = self._settings.dims or self.space.dims
        return check_vectors(raw, count=len(texts), dims=wanted, model=self.space.model)

    def _encode_tokens(self, texts: list[str]) -> tuple[FloatArray, list[tuple[FloatArray, list[tuple[int, int]]]]]:
        """Return the vectors of texts, and the vectors and places of their tokens."""
        rows = self._run(texts, passage_precision, output_value=None)
        model = self._model
        marks = model.tokenizer(texts, return_offsets_mapping=True, truncation=True, max_length=model.max_seq_length)
        whole = np.stack([row["sentence_embedding"].float().numpy() for row in rows])
        tokens = [row["token_embeddings"][row["attention_mask"].bool()].float().numpy() for row in rows]
        wanted = self._settings.dims or self.space.dims
        vectors = check_vectors(whole, count=len(texts), dims=wanted, model=self.space.model)
        return vectors, list(zip(tokens, marks["offset_mapping"], strict=True))

    def _run(self, texts: list[str], precision: Precision, **how: Any) -> Any:
        model = self._model
        try:
            # What the precision depends on is there once the model is loaded.
            with precision():
                return model.encode(texts, batch_size=len(texts), prompt="", show_progress_bar=False, **how)
        except Exception as error:
            raise EmbedderError(
                f'The model "{self.space.model}" failed on a text: {error!r}.',
                "Keyword search goes on; try a smaller embedding.batch_size or another model.",
            ) from error

    @cached_property
    def _averages_tokens(self) -> bool:
        """Say whether the vectors of the model are means of those of tokens, so that pieces mean something."""
        model = self._model
        kinds = [type(module).__name__ for module in model]
        return (
            kinds in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
            and model[1].pooling_mode == "mean"
            and bool(getattr(model.tokenizer, "is_fast", False))
            and self._settings.dims in (0, self.space.dims)
        )

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

                limit_torch()
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
