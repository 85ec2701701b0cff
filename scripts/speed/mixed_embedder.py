"""Vectors at no cost for the real model's space: mixtures of a few hundred that the model really made.

Speed of search depends on how many vectors there are and how they are spread, not on what they mean; making 100,000
with the model would take an hour. A text's mixture follows from its hash, so it is the same in every process.

    python -m speed.mixed_embedder BANK.npy    makes the bank with the packaged English model
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from environment import clean_environment

from clawvault.config import load_config
from clawvault.embed.opening import open_embedder
from clawvault.embed.parts import Spans
from clawvault.embed.protocol import Embedder, EmbeddingSpace, FloatArray
from speed.processes import run_part
from speed.zipf_notes import invent_line

N_BANK = 384
N_MIXED = 6
# Of the length of a mixture: keeps two texts with the same ingredients apart.
NOISE = 0.3
# Of the length of a text's vector: what a sentence adds to it, so that their cosine is the 0.88 that the packaged
# English model gives at the median of technical notes.
SENTENCE_NOISE = 0.54
N_OFFSETS = 4096


class MixedEmbedder:
    """Give every text a mixture of real vectors, in the space of the model they are from."""

    def __init__(self, model: Embedder, bank: FloatArray) -> None:
        self._model = model
        self._bank = bank

    @property
    def space(self) -> EmbeddingSpace:
        """Name the space of the model."""
        return self._model.space

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count as the model does, so that notes are cut alike."""
        return self._model.count_tokens(texts)

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Mix a vector for each text."""
        return mix(self._bank, np.array([_seed(text) for text in texts], dtype=np.uint64))

    def embed_parts(self, texts: Sequence[str], spans: Sequence[Spans]) -> tuple[FloatArray, list[FloatArray]]:
        """Mix a vector for each text, and put each of its pieces about as far from it as a real model does."""
        vectors = self.embed_passages(texts)
        dims = vectors.shape[1]
        noise = _noise(dims) * np.float32(SENTENCE_NOISE / np.sqrt(dims))
        parts = []
        for text, vector, cuts in zip(texts, vectors, spans, strict=True):
            starts = np.array([_seed(text[start:end]) % N_OFFSETS for start, end in cuts], dtype=np.int64)
            parts.append(np.asarray(vector + noise[starts[:, None] + np.arange(dims)], dtype=np.float32))
        return vectors, parts

    def embed_query(self, text: str) -> FloatArray:
        """Mix a vector for a question."""
        vector: FloatArray = self.embed_passages([text])[0]
        return vector


def mix(bank: FloatArray, seeds: npt.NDArray[np.uint64]) -> FloatArray:
    """Return a unit vector for each 64-bit seed, float32 of shape (n, dims)."""
    size, dims = bank.shape
    mixed = np.zeros((len(seeds), dims), dtype=np.float32)
    state = seeds.copy()
    with np.errstate(over="ignore"):
        for step in range(N_MIXED):
            state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            mixed += bank[(state >> np.uint64(33)) % np.uint64(size)] / np.float32(step + 1)
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    starts = ((state >> np.uint64(40)) % np.uint64(N_OFFSETS)).astype(np.int64)
    mixed += NOISE / np.float32(np.sqrt(dims)) * _noise(dims)[starts[:, None] + np.arange(dims)]
    return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), dtype=np.float32)


def _seed(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _noise(dims: int) -> FloatArray:
    return np.random.default_rng(0).standard_normal((N_OFFSETS + dims,), dtype=np.float32)


def open_mixed(work: Path) -> MixedEmbedder:
    """Open the embedder; the bank is made once for each embedding space and kept in ``work``."""
    environment = clean_environment()
    model = open_embedder(load_config(None, environment=environment), environment)
    if model is None:
        raise LookupError("no model is configured by default")
    bank = work / f"bank-{model.space.key[:12]}.npy"
    if not bank.exists():
        run_part("mixed_embedder", str(bank), environment=environment)
    return MixedEmbedder(model, np.load(bank))


def main(bank: Path) -> None:
    environment = clean_environment()
    model = open_embedder(load_config(None, environment=environment), environment)
    if model is None:
        raise LookupError("no model is configured by default")
    chance = random.Random(1)
    with bank.with_suffix(".part").open("wb") as stream:
        np.save(stream, model.embed_passages([invent_line(chance) for _ in range(N_BANK)]))
    bank.with_suffix(".part").replace(bank)
    print("{}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
