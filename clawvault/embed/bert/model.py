"""A BERT model in memory: texts in, the vectors of their tokens out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clawvault.embed.bert.folder import EMBEDDINGS, WEIGHTS, BertFolder
from clawvault.embed.bert.layers import Dense, Layer, Norm, normalise, run_layers
from clawvault.embed.bert.tensors import TensorFile
from clawvault.embed.protocol import FloatArray

Offsets = list[tuple[int, int]]
# Tokens read at once: enough for the full speed of matrix products, few enough for two cores to finish together.
GROUP_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Tokens:
    """Hold what the model reads of one text.

    Args:
        ids: Numbers of t tokens, the marks at both ends included.
        offsets: t (start, end) in characters of the text; empty ones are marks.
    """

    ids: list[int]
    offsets: Offsets


class BertModel:
    """The weights and tokenizer of a folder; all weights but those of words are in memory.

    Args:
        folder: What to read.
        max_tokens: Texts are cut to as many tokens, marks included.

    Raises:
        OSError: A file cannot be read.
        ValueError: A file is not what its name says.

    Cost: A tenth of a second, and the size of the layers in memory.
    """

    def __init__(self, folder: BertFolder, *, max_tokens: int) -> None:
        self.folder = folder
        self._max_tokens = max_tokens
        self._tokenizer = _open_tokenizer(folder)
        self._file = TensorFile(folder.path / WEIGHTS)
        self._layers = [_read_layer(self._file, folder, number) for number in range(folder.layers)]
        # Every token of a text is of the first kind; the second is for pairs of texts.
        kinds = self._file.read("embeddings.token_type_embeddings.weight")
        self._places = self._file.read("embeddings.position_embeddings.weight")[:max_tokens] + kinds[0]
        self._norm = _read_norm(self._file, "embeddings.LayerNorm")

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text, marks included, never cut off."""
        return [len(encoding.ids) for encoding in self._tokenizer.encode_batch_fast(texts)]

    def group(self, texts: Sequence[str]) -> list[list[Tokens]]:
        """Turn texts into tokens, cut to what the model reads, in groups that are worth a pass together."""
        groups: list[list[Tokens]] = []
        total = GROUP_TOKENS
        for encoding in self._tokenizer.encode_batch(texts):
            tokens = _cut(encoding.ids, encoding.offsets, self._max_tokens)
            total += len(tokens.ids)
            if total > GROUP_TOKENS:
                groups.append([])
                total = len(tokens.ids)
            groups[-1].append(tokens)
        return groups

    def read(self, group: Sequence[Tokens], pause: Callable[[], None] | None = None) -> list[FloatArray]:
        """Read texts together.

        Args:
            group: At least one text.
            pause: Called before each layer; may wait for something more urgent.

        Returns:
            For each text (t, dims) float32, a row for each of its tokens.
        """
        lengths = [len(tokens.ids) for tokens in group]
        rows = self._embed(group)
        layers = self._layers if pause is None else _with_pauses(self._layers, pause)
        run_layers(rows, lengths, layers, self.folder.heads, self.folder.epsilon)
        return np.split(rows, np.cumsum(lengths)[:-1])

    def pool(self, rows: FloatArray) -> FloatArray:
        """Return the vector of a text, (dims,) float32 of any length, from those of its tokens."""
        return np.asarray(rows[0] if self.folder.pooling == "cls" else rows.mean(axis=0), dtype=np.float32)

    def _embed(self, group: Sequence[Tokens]) -> FloatArray:
        words = np.concatenate([np.asarray(tokens.ids, dtype=np.int64) for tokens in group])
        distinct, places = np.unique(words, return_inverse=True)
        rows: FloatArray = self._file.read_rows(EMBEDDINGS, distinct)[places]
        rows += np.concatenate([self._places[: len(tokens.ids)] for tokens in group])
        normalise(rows, self._norm, self.folder.epsilon)
        return rows


def _with_pauses(layers: Sequence[Layer], pause: Callable[[], None]) -> Iterator[Layer]:
    for layer in layers:
        pause()
        yield layer


def _cut(ids: list[int], offsets: Offsets, limit: int) -> Tokens:
    """Cut a text as the library does: what is too much goes from before the mark at the end."""
    if len(ids) <= limit:
        return Tokens(ids, offsets)
    return Tokens([*ids[: limit - 1], ids[-1]], [*offsets[: limit - 1], offsets[-1]])


def _open_tokenizer(folder: BertFolder) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(folder.path / "tokenizer.json"))
    except Exception as error:  # the library raises bare exceptions
        raise ValueError(f"tokenizer.json: {error}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _read_layer(file: TensorFile, folder: BertFolder, number: int) -> Layer:
    place = f"encoder.layer.{number}."
    attending = [_read_dense(file, f"{place}attention.self.{part}") for part in ("query", "key", "value")]
    scale = np.float32((folder.dims // folder.heads) ** -0.5)
    attending[0] = Dense(attending[0].weight * scale, attending[0].bias * scale)
    return Layer(
        attend=Dense(np.concatenate([d.weight for d in attending]), np.concatenate([d.bias for d in attending])),
        attended=_read_dense(file, f"{place}attention.output.dense"),
        attended_norm=_read_norm(file, f"{place}attention.output.LayerNorm"),
        widen=_read_dense(file, f"{place}intermediate.dense"),
        narrow=_read_dense(file, f"{place}output.dense"),
        norm=_read_norm(file, f"{place}output.LayerNorm"),
    )


def _read_dense(file: TensorFile, name: str) -> Dense:
    return Dense(file.read(f"{name}.weight"), file.read(f"{name}.bias"))


def _read_norm(file: TensorFile, name: str) -> Norm:
    return Norm(file.read(f"{name}.weight"), file.read(f"{name}.bias"))
