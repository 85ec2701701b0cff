"""A remote model behind the embeddings interface that OpenAI, Ollama, LM Studio, vLLM and llama.cpp speak."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import numpy as np

from clawvault.config import EmbeddingSettings
from clawvault.embed.checks import check_vectors, length_order, model_text
from clawvault.embed.prefixes import known_prefixes
from clawvault.embed.protocol import EmbeddingSpace, FloatArray, space_key
from clawvault.embed.token_estimate import estimate_tokens
from clawvault.errors import ConfigError, EmbedderError

if TYPE_CHECKING:
    import httpx

PROVIDER = "openai"
OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODELS = ("text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
RETRIES = 3
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 20.0
RETRIED_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
QUERY_CHARS = 4000
# Windows of models people serve themselves; a server cuts what is longer and does not say so.
_WINDOWS = (
    ("text-embedding-", 8191),
    ("bge-m3", 8192),
    ("nomic-embed-text", 2048),
    ("qwen3-embedding", 8192),
    ("all-minilm", 256),
)
DEFAULT_WINDOW = 512


def describe_remote(settings: EmbeddingSettings) -> EmbeddingSpace:
    """Name the space of a remote model; the server is not asked.

    Raises:
        ConfigError: No address is set, it is not one, or it would send the key in the clear.
    """
    name = settings.model.lower().rsplit("/", 1)[-1]
    window = next((size for start, size in _WINDOWS if name.startswith(start)), DEFAULT_WINDOW)
    key = space_key(
        {
            "provider": PROVIDER,
            "url": server_url(settings),
            "model": settings.model,
            "dims": settings.dims,
            "query_prefix": settings.query_prefix or known_prefixes(settings.model).query,
            "passage_prefix": settings.passage_prefix or known_prefixes(settings.model).passage,
        }
    )
    return EmbeddingSpace(key=key, provider=PROVIDER, model=settings.model, dims=settings.dims, max_tokens=window)


def host_of(url: str) -> str:
    """Return the host an address names; empty when it is no address."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def server_url(settings: EmbeddingSettings) -> str:
    """Return the base address of the server, without a slash at its end.

    Raises:
        ConfigError: There is none, or it is no http address.
    """
    if not settings.url:
        if settings.model in OPENAI_MODELS:
            return OPENAI_URL
        raise ConfigError(
            f'The provider "openai" has no address for the model "{settings.model}".',
            "Set embedding.url, such as http://localhost:11434/v1, and embedding.model to a model of that server.",
        )
    # Signs that two readers of addresses may understand differently have no place in one.
    is_plain = settings.url.isprintable() and not {" ", "\\"} & set(settings.url)
    if not is_plain or not host_of(settings.url) or not settings.url.startswith(("http://", "https://")):
        raise ConfigError(
            f'embedding.url is "{settings.url}", not an http address.', "Use one such as http://localhost:11434/v1."
        )
    if "@" in urlsplit(settings.url).netloc:
        raise ConfigError(
            "embedding.url holds a name or password.", "Put the key into the variable embedding.api_key_env names."
        )
    return settings.url.rstrip("/")


class OpenAICompatibleEmbedder:
    """Embed with a remote model.

    Args:
        settings: Address, model, prefixes, batch size, time limit, vector length.
        environment: Holds the key under the name ``embedding.api_key_env``; the key is never stored or shown.
        wait: Called with the seconds to wait before another try; ``None`` waits on the clock.
    """

    def __init__(
        self,
        settings: EmbeddingSettings,
        environment: Mapping[str, str],
        *,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        self.space = describe_remote(settings)
        self._settings = settings
        self._url = server_url(settings)
        self._key = environment.get(settings.api_key_env, "").strip()
        self._is_local = host_of(self._url) in LOOPBACK
        if self._key and not self._is_local and self._url.startswith("http://"):
            raise ConfigError(
                f'embedding.url is "{self._url}", which would send the key unencrypted.',
                f"Use https://, or unset {settings.api_key_env} if the server needs no key.",
            )
        self._query_prefix = settings.query_prefix or known_prefixes(settings.model).query
        self._passage_prefix = settings.passage_prefix or known_prefixes(settings.model).passage
        self._wait = wait or threading.Event().wait

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Estimate what the model reads of each passage, on the high side, since its tokenizer is not here."""
        return [estimate_tokens(self._passage_prefix + text) for text in texts]

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed texts that are to be found (see ``Embedder``)."""
        if not texts:
            return np.zeros((0, self.space.dims), dtype=np.float32)
        order = length_order(texts)
        size = self._settings.batch_size
        parts = [
            self._embed([self._passage_prefix + model_text(texts[i]) for i in order[start : start + size]])
            for start in range(0, len(order), size)
        ]
        vectors = np.concatenate(parts)
        result = np.empty_like(vectors)
        result[order] = vectors
        return result

    def embed_query(self, text: str) -> FloatArray:
        """Embed a question (see ``Embedder``)."""
        return cast(FloatArray, self._embed([self._query_prefix + model_text(text)[:QUERY_CHARS]])[0])

    def close(self) -> None:
        """Close the connection to the server."""
        self._client.close()

    def _embed(self, texts: list[str]) -> FloatArray:
        # Some servers refuse an empty text, and a note's chunk is never one.
        body: dict[str, object] = {"model": self._settings.model, "input": [text or " " for text in texts]}
        if self._settings.dims and self._settings.model.startswith("text-embedding-3"):
            body["dimensions"] = self._settings.dims
        rows = self._rows(self._post(body), len(texts))
        vectors = check_vectors(rows, count=len(texts), dims=self.space.dims, model=self.space.model)
        if not self.space.dims:
            self.space = replace(self.space, dims=vectors.shape[1])
        return vectors

    def _post(self, body: dict[str, object]) -> Any:
        import httpx

        problem = ""
        for attempt in range(RETRIES + 1):
            try:
                answer = self._client.post(f"{self._url}/embeddings", json=body)
            except httpx.TransportError as error:
                problem = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
                asked_wait = ""
            except httpx.InvalidURL as error:
                raise ConfigError(f'embedding.url is "{self._url}": {error}.', "Correct it.") from error
            else:
                if answer.status_code not in RETRIED_STATUS:
                    return self._parsed(answer)
                problem = f"HTTP {answer.status_code}"
                asked_wait = answer.headers.get("retry-after", "")
            if attempt < RETRIES:
                self._wait(_wait_s(attempt, asked_wait))
        raise EmbedderError(
            f'The embedding server "{self._url}" did not answer after {RETRIES + 1} tries ({problem}).',
            "Keyword search goes on; check that the server runs, or raise embedding.timeout_s.",
        )

    def _parsed(self, answer: httpx.Response) -> Any:
        status = answer.status_code
        if status in {401, 403}:
            raise EmbedderError(
                f'The embedding server "{self._url}" refused the key (HTTP {status}).',
                f"Put a valid key into the environment variable {self._settings.api_key_env}.",
            )
        if status == 404:
            raise EmbedderError(
                f'The embedding server "{self._url}" knows no model "{self._settings.model}" or no such address (404).',
                "Check embedding.url (it usually ends in /v1) and embedding.model.",
            )
        if status != 200:
            raise EmbedderError(
                f'The embedding server "{self._url}" refused the request (HTTP {status}).',
                "Check embedding.model, and try a smaller embedding.batch_size.",
            )
        try:
            return answer.json()
        except ValueError as error:
            raise self._unreadable("its answer is not JSON") from error

    def _rows(self, answer: Any, count: int) -> list[list[float]]:
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, list):
            raise self._unreadable('its answer has no list "data"')
        if len(data) != count:
            raise self._unreadable(f"it gave {len(data)} vectors for {count} texts")
        rows: dict[int, list[float]] = {}
        for place, item in enumerate(data):
            vector = item.get("embedding") if isinstance(item, dict) else None
            if not isinstance(vector, list):
                raise self._unreadable("an item of its answer has no vector")
            rows[item.get("index", place)] = vector
        if sorted(rows) != list(range(count)):
            raise self._unreadable("its answer repeats or leaves out a text")
        return [rows[place] for place in range(count)]

    def _unreadable(self, reason: str) -> EmbedderError:
        return EmbedderError(
            f'The embedding server "{self._url}" cannot be understood: {reason}.',
            "Check that embedding.url is an OpenAI-compatible server; it usually ends in /v1.",
        )

    @cached_property
    def _client(self) -> httpx.Client:
        import httpx

        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        # A redirect would carry notes to a host nobody chose; a proxy has no business with a local server.
        return httpx.Client(
            headers=headers,
            timeout=self._settings.timeout_s,
            follow_redirects=False,
            trust_env=not self._is_local,
        )


def _wait_s(attempt: int, asked: str) -> float:
    try:
        wanted = float(asked)
    except ValueError:
        wanted = 0.0
    return min(max(wanted, FIRST_WAIT_S * 2.0**attempt), LONGEST_WAIT_S)
