"""Stand-ins that tests of every room may use."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from clawvault.embed.checks import check_vectors
from clawvault.embed.probe_texts import PASSAGES
from clawvault.embed.protocol import EmbeddingSpace, FloatArray, space_key
from clawvault.errors import EmbedderError

# Makes a folder that looks like a model; see tests/embed/conftest.py.
ModelMaker = Callable[..., Path]

_WORDS = re.compile(r"[a-z0-9]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")


# Asked once of every model; not counted as a note's text.
PROBE_TEXTS = frozenset(text for texts in PASSAGES.values() for text in texts)


class HashEmbedder:
    """Embed by hashed words and CJK bigrams: the same text has the same vector in every process, in microseconds.

    ``embedded`` lists every passage it was asked to embed, in order; ``queries`` every question.
    ``fault`` set to a text makes every embedding raise ``EmbedderError`` with it.
    """

    def __init__(self, *, dims: int = 64, name: str = "hash", max_tokens: int = 0) -> None:
        key = space_key({"provider": "hash", "name": name, "dims": dims})
        self.space = EmbeddingSpace(key=key, provider="hash", model=name, dims=dims, max_tokens=max_tokens)
        self.embedded: list[str] = []
        self.queries: list[str] = []
        self.fault = ""

    @property
    def n_embedded(self) -> int:
        return len(self.embedded)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [2 + len(_terms(text)) for text in texts]

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        self._fail_if_asked()
        self.embedded.extend(text for text in texts if text not in PROBE_TEXTS)
        return self._vectors(texts)

    def embed_query(self, text: str) -> FloatArray:
        self._fail_if_asked()
        self.queries.append(text)
        return self._vectors([text])[0]

    def _fail_if_asked(self) -> None:
        if self.fault:
            raise EmbedderError(self.fault, "This fault was asked for by a test.")

    def _vectors(self, texts: Sequence[str]) -> FloatArray:
        dims = self.space.dims
        raw = np.zeros((len(texts), dims), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in _terms(text) or ["\0empty"]:
                digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
                raw[row, int.from_bytes(digest[:4], "little") % dims] += 1.0
        return check_vectors(raw, count=len(texts), dims=dims, model=self.space.model) if len(texts) else raw


def _terms(text: str) -> list[str]:
    terms: list[str] = []
    for word in _WORDS.findall(text.lower()):
        if word[0] < "\u3040":
            terms.append(word)
        else:
            terms.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
    return terms
