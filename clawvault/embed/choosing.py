"""Choose another model: try it first, then write it down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from clawvault.config import Config, EmbeddingSettings
from clawvault.embed.catalogue import write_model_choice
from clawvault.embed.opening import open_embedder
from clawvault.embed.packaged import MULTILINGUAL_MODEL
from clawvault.embed.probe import probe_model
from clawvault.embed.protocol import EmbeddingSpace
from clawvault.errors import EmbedderError

TRIAL = "Does this model answer?"
MULTILINGUAL_NAMES = frozenset({"use-multilingual", MULTILINGUAL_MODEL})


def choose_model(
    root: Path, config: Config, environment: Mapping[str, str], *, name: str, url: str = ""
) -> EmbeddingSpace | None:
    """Try a model and write it into the vault's settings; a model that does not answer changes nothing (B109).

    Args:
        root: The vault.
        config: All settings.
        environment: Where keys and the place of the model cache are looked up.
        name: A model's name or folder, ``use-multilingual``, or ``none``.
        url: Base address of an OpenAI-compatible server; empty means a local model.

    Returns:
        The space of its vectors, or ``None`` for ``none``.

    Raises:
        EmbedderError: The model is not on this machine or does not answer.
        ConfigError: The settings cannot be written.
    """
    settings = settings_for(config.embedding, name, url)
    embedder = open_embedder(replace(config, embedding=settings), environment)
    if embedder is not None:
        embedder.embed_query(TRIAL)
    local_name = settings.model if settings.provider in {"sentence-transformers", "openai"} else ""
    write_model_choice(root, provider=settings.provider, model=local_name, url=url)
    return None if embedder is None else embedder.space


def examine_model(config: Config, environment: Mapping[str, str], *, name: str | None) -> dict[str, Any]:
    """Describe a model and measure it on the built-in questions.

    Args:
        config: All settings.
        environment: As for ``choose_model``.
        name: As for ``choose_model``; ``None`` is the configured model.

    Returns:
        The fields of its embedding space, and ``found_first``: per language the share of questions answered right.

    Raises:
        EmbedderError: There is no model, or it does not answer.
    """
    settings = config.embedding if name is None else settings_for(config.embedding, name, "")
    embedder = open_embedder(replace(config, embedding=settings), environment)
    if embedder is None:
        raise EmbedderError("No model is chosen.", "Choose one with: clawvault model use NAME")
    found_first = probe_model(embedder)
    space = embedder.space
    return {
        "model": space.model,
        "provider": space.provider,
        "dims": space.dims or len(embedder.embed_query(TRIAL)),
        "max_tokens": space.max_tokens,
        "key": space.key,
        "found_first": found_first,
    }


def settings_for(present: EmbeddingSettings, name: str, url: str) -> EmbeddingSettings:
    """Return the settings that choose a model; prefixes and size of the former one do not carry over."""
    fresh = replace(present, url=url or present.url, query_prefix="", passage_prefix="", dims=0)
    if name == "none":
        return replace(fresh, provider="none")
    if url:
        return replace(fresh, provider="openai", model=name)
    if name in MULTILINGUAL_NAMES:
        return replace(fresh, provider="use-multilingual")
    folder = Path(name).expanduser()
    # A relative folder would mean another place for every process, so its real one is written down.
    is_folder = (folder / "modules.json").is_file() or (folder / "config.json").is_file()
    return replace(fresh, provider="sentence-transformers", model=str(folder.absolute()) if is_folder else name)
