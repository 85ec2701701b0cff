"""A cross-encoder in a folder on this machine, which reads a question and a passage together; off by default.

The library is imported at the first question, and not at all without ``search.reranker``.
"""

from __future__ import annotations

import json
import threading
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from clawvault.config import SearchSettings
from clawvault.embed.checks import model_text
from clawvault.embed.folder_space import CHARS_PER_TOKEN
from clawvault.embed.model_folder import ModelFolder, find_model_folder, read_model_folder
from clawvault.embed.protocol import Reranker
from clawvault.embed.sentence_transformer import set_library_environment
from clawvault.errors import EmbedderError

BATCH_SIZE = 8
READS_PAIRS = ("ForSequenceClassification", "ForCausalLM")


def open_reranker(settings: SearchSettings, environment: Mapping[str, str]) -> Reranker | None:
    """Make the reranker the settings ask for.

    Args:
        settings: ``reranker`` is a hub name that is in the cache on this disk, or a folder's absolute or ``~`` path.
        environment: Where the place of the model cache is looked up.

    Returns:
        The reranker, or ``None`` when none is set.

    Raises:
        ConfigError: The name is a relative path.
        EmbedderError: The model is not on this machine, not safe to load (T16), or no cross-encoder.

    Cost: Milliseconds; nothing is ever downloaded.
    """
    if not settings.reranker:
        return None
    path = find_model_folder(settings.reranker, environment, setting="search.reranker", owner="cross-encoder")
    if path is None:
        raise EmbedderError(
            f'The reranker "{settings.reranker}" is not on this machine.',
            "Put its files into a folder, and that folder's absolute path into search.reranker.",
        )
    folder = read_model_folder(path, model=settings.reranker)
    _refuse_other_models(folder, settings.reranker)
    return CrossEncoderReranker(folder, settings.reranker)


def _refuse_other_models(folder: ModelFolder, model: str) -> None:
    """Refuse what would load with a judgement made up of random numbers."""
    kinds: set[str] = set()
    for name, key in (("config_sentence_transformers.json", "model_type"), ("config.json", "architectures")):
        try:
            value = json.loads((folder.path / name).read_text("utf-8")).get(key)
        except (OSError, ValueError, AttributeError):
            continue
        kinds.update(map(str, value) if isinstance(value, list) else [str(value)])
    if "CrossEncoder" not in kinds and not any(kind.endswith(READS_PAIRS) for kind in kinds):
        raise EmbedderError(
            f'The model "{model}" is no cross-encoder: it does not score pairs of texts.',
            "Name a cross-encoder in search.reranker, or leave it empty.",
        )


class CrossEncoderReranker:
    """Rerank with a cross-encoder of sentence-transformers; may be used from any thread.

    Args:
        folder: The model on disk.
        model: Its name for people.

    Cost: The first question imports the library and loads the model, which takes seconds. Scores of the last question
    are kept, since a search that finds a note gone asks again.
    """

    def __init__(self, folder: ModelFolder, model: str) -> None:
        self.name = model
        self._folder = folder
        self._lock = threading.Lock()
        self._question = ""
        self._scores: dict[str, float] = {}
        self._fault: EmbedderError | None = None

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers a question (see ``Reranker``)."""
        with self._lock:
            if question != self._question:
                self._question, self._scores = question, {}
            missing = [text for text in dict.fromkeys(texts) if text not in self._scores]
            if missing:
                self._scores.update(zip(missing, self._predict(question, missing), strict=True))
            return [self._scores[text] for text in texts]

    def _predict(self, question: str, texts: list[str]) -> list[float]:
        pairs = [(self._clipped(question), self._clipped(text)) for text in texts]
        model, identity = self._model
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                raw = model.predict(pairs, batch_size=BATCH_SIZE, activation_fn=identity, show_progress_bar=False)
        except Exception as error:
            raise EmbedderError(
                f'The reranker "{self.name}" failed on a text: {error!r}.', "Search goes on without it."
            ) from error
        scores = np.asarray(raw, dtype=np.float64)
        if scores.shape != (len(texts),) or not np.isfinite(scores).all():
            raise EmbedderError(
                f'The reranker "{self.name}" does not give one number for each text.',
                "Name a cross-encoder with a single output in search.reranker.",
            )
        return [float(score) for score in scores]

    def _clipped(self, text: str) -> str:
        return model_text(text[: self._folder.max_tokens * CHARS_PER_TOKEN])

    @cached_property
    def _model(self) -> tuple[Any, Any]:
        # What cannot load is not tried again with every question.
        if self._fault is None:
            try:
                return self._load()
            except EmbedderError as error:
                self._fault = error
        raise self._fault

    def _load(self) -> tuple[Any, Any]:
        set_library_environment(allow_download=False)
        try:
            # Warnings of the libraries while they load are not for the person who searches.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                from sentence_transformers import CrossEncoder
                from torch.nn import Identity

                model = CrossEncoder(
                    str(self._folder.path),
                    local_files_only=True,
                    trust_remote_code=False,
                    model_kwargs={"use_safetensors": True},
                    activation_fn=Identity(),
                )
                return model, Identity()
        except Exception as error:
            raise EmbedderError(
                f'The reranker "{self.name}" cannot load: {error!r}.',
                "Search goes on without it; copy the model again or name another in search.reranker.",
            ) from error
