"""Embed with a BERT model in NumPy: the vectors of the model library, without its seconds and its memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias, cast

from clawvault.config import EmbeddingSettings
from clawvault.embed.bert.folder import BertFolder
from clawvault.embed.bulk import BulkWork
from clawvault.embed.checks import check_vectors, model_text
from clawvault.embed.folder_space import CHARS_PER_TOKEN, describe_folder
from clawvault.embed.model_folder import ModelFolder
from clawvault.embed.parts import Spans
from clawvault.embed.protocol import FloatArray
from clawvault.embed.threads import one_blas_thread, usable_cores
from clawvault.embed.turns import GiveWay
from clawvault.errors import EmbedderError

if TYPE_CHECKING:
    # What computes is imported with the first text: a search by words opens its model and never asks it.
    from clawvault.embed.bert.model import BertModel, Tokens

# The texts of a group and the pieces of each; the vector of a text and those of its pieces.
_Work: TypeAlias = "tuple[Sequence[Tokens], Sequence[Spans]]"
_Vectors = tuple[FloatArray, FloatArray]
_Pause = Callable[[], None] | None


class BertEmbedder:
    """Embed with a model folder that ``read_bert_folder`` describes.

    Its vectors are of the same space as those of ``SentenceTransformerEmbedder``. Any number of threads may ask at the
    same time; passages pause while a question is computed.

    Args:
        bert: How NumPy reads the folder.
        folder: The model on disk.
        model: Its name for people.
        settings: Prefixes and the vector length to insist on.

    Cost: The first text loads the model in a fraction of a second; a question then takes milliseconds.
    """

    def __init__(self, bert: BertFolder, folder: ModelFolder, model: str, settings: EmbeddingSettings) -> None:
        self.space = describe_folder(folder, model, settings)
        self._bert = bert
        self.bulk = BulkWork(folder, self.space.key, model, settings)
        self._wanted = settings.dims or self.space.dims
        self._query_prefix = settings.query_prefix or folder.prefixes.query
        self._passage_prefix = settings.passage_prefix or folder.prefixes.passage
        self._give_way = GiveWay()
        self._loading = threading.Lock()
        self._loaded: BertModel | None = None

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count what the model reads of each passage, marks and prefix included."""
        return self._model().count([self._passage_prefix + model_text(text) for text in texts])

    def embed_query(self, text: str) -> FloatArray:
        """Embed a question (see ``Embedder``)."""
        with self._give_way.question():
            return cast(FloatArray, self._embed([self._query_prefix + self._clip(text)], [()], None)[0][0])

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed texts that are to be found (see ``Embedder``)."""
        return self.embed_parts(texts, [()] * len(texts))[0]

    def embed_parts(self, texts: Sequence[str], spans: Sequence[Spans]) -> tuple[FloatArray, list[FloatArray]]:
        """Embed texts and pieces of them in one reading (``PartsEmbedder``); without mean pooling they have none."""
        if not texts:
            import numpy as np

            return np.zeros((0, self.space.dims), dtype=np.float32), []
        return self.bulk.embed(texts, spans, self._read_parts)

    def end_bulk(self) -> None:
        """End the process that may embed many texts (``BulkEmbedder``)."""
        self.bulk.end()

    def _read_parts(self, texts: Sequence[str], spans: Sequence[Spans]) -> tuple[FloatArray, list[FloatArray]]:
        clipped = [self._clip(text) for text in texts]
        shift = len(self._passage_prefix)
        moved: list[Spans] = [
            # Text that had to be repaired may have moved.
            [(start + shift, end + shift) for start, end in cuts] if text.startswith(clip) else ()
            for text, clip, cuts in zip(texts, clipped, spans, strict=True)
        ]
        return self._embed([self._passage_prefix + clip for clip in clipped], moved, self._give_way.pause)

    def _clip(self, text: str) -> str:
        return model_text(text[: self.space.max_tokens * CHARS_PER_TOKEN])

    def _embed(self, texts: list[str], spans: Sequence[Spans], pause: _Pause) -> tuple[FloatArray, list[FloatArray]]:
        model = self._model()
        try:
            groups = model.group(texts)
            ends = list(accumulate(len(group) for group in groups))
            cuts = [spans[end - len(group) : end] for group, end in zip(groups, ends, strict=True)]
            with one_blas_thread():
                read = _read_all(model, list(zip(groups, cuts, strict=True)), pause)
        except Exception as error:
            raise EmbedderError(
                f'The model "{self.space.model}" failed on a text: {error!r}.',
                "Keyword search goes on; try another model: clawvault model list.",
            ) from error
        vectors = [vector for group in read for vector, _ in group]
        checked = check_vectors(vectors, count=len(texts), dims=self._wanted, model=self.space.model)
        return checked, [pieces for group in read for _, pieces in group]

    def _model(self) -> BertModel:
        from clawvault.embed.bert.model import BertModel

        with self._loading:
            if self._loaded is None:
                try:
                    self._loaded = BertModel(self._bert, max_tokens=self.space.max_tokens)
                except (OSError, ValueError, KeyError, MemoryError) as error:
                    raise EmbedderError(
                        f'The model "{self.space.model}" cannot load: {error!r}.',
                        "Keyword search goes on; copy the model again or choose another: clawvault model list.",
                    ) from error
            return self._loaded


def _read_all(model: BertModel, work: Sequence[_Work], pause: _Pause) -> list[list[_Vectors]]:
    n_threads = 1 if len(work) == 1 else min(len(work), usable_cores())
    if n_threads == 1:
        return [_read_group(model, group, pause) for group in work]
    from concurrent.futures import ThreadPoolExecutor

    # One group at a time would leave all cores but one idle.
    with ThreadPoolExecutor(n_threads, thread_name_prefix="bert") as pool:
        waiting = [pool.submit(_read_group, model, group, pause) for group in work]
        try:
            return [future.result() for future in waiting]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _read_group(model: BertModel, work: _Work, pause: _Pause) -> list[_Vectors]:
    """Return the vector of each text of a group and those of its pieces; the tokens' own are then let go."""
    from clawvault.embed.late_pooling import pool_spans

    group, cuts = work
    found = []
    for tokens, rows, spans in zip(group, model.read(group, pause), cuts, strict=True):
        # Only where a vector is the mean of its tokens does a piece mean something.
        kept = spans if model.folder.pooling == "mean" else ()
        found.append((model.pool(rows), pool_spans(rows, tokens.offsets, kept)))
    return found
