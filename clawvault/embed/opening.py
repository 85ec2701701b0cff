"""From settings to an embedder; nothing heavy is imported before the first text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from clawvault.config import Config, EmbeddingSettings
from clawvault.embed.model_folder import ModelFolder, find_model_folder, read_model_folder
from clawvault.embed.protocol import Embedder, EmbeddingSpace
from clawvault.errors import ConfigError, EmbedderError


def open_embedder(config: Config, environment: Mapping[str, str]) -> Embedder | None:
    """Make the embedder the settings ask for.

    Args:
        config: All settings.
        environment: Where the key of a remote server and the place of the model cache are looked up.

    Returns:
        The embedder, or ``None`` for provider ``none``.

    Raises:
        ConfigError: The settings contradict each other.
        EmbedderError: The model is not on this machine, or not safe to load.

    Cost: Milliseconds, except where ``embedding.allow_download`` fetches a model that is missing.
    """
    settings = config.embedding
    if settings.provider == "none":
        return None
    if settings.provider == "use-multilingual":
        from clawvault.embed.universal import UniversalEmbedder

        return UniversalEmbedder(settings)
    if settings.provider == "openai":
        _refuse_foreign_server(config)
        from clawvault.embed.openai_compatible import OpenAICompatibleEmbedder

        return OpenAICompatibleEmbedder(settings, environment)
    return _open_local(_model_folder(settings, environment), settings)


def _open_local(folder: ModelFolder, settings: EmbeddingSettings) -> Embedder:
    from clawvault.embed.bert.folder import read_bert_folder

    bert = read_bert_folder(folder.path)
    if bert is not None:
        from clawvault.embed.bert.embedder import BertEmbedder

        return BertEmbedder(bert, folder, settings.model, settings)
    from clawvault.embed.sentence_transformer import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(folder, settings.model, settings)


def has_quick_form(config: Config, environment: Mapping[str, str]) -> bool:
    """Say whether a question is embedded at once in a fresh process, without a model library that takes seconds.

    Args:
        config: All settings.
        environment: As for ``open_embedder``.

    Returns:
        False for a local model that only its library can read; true for every other provider, for none, and for a
        model that is not there, since nobody waits for it.

    Cost: Milliseconds; nothing is fetched or loaded.
    """
    if config.embedding.provider != "sentence-transformers":
        return True
    from clawvault.embed.bert.folder import read_bert_folder

    try:
        path = find_model_folder(config.embedding.model, environment)
    except ConfigError:
        return True
    return path is None or read_bert_folder(path) is not None


def _refuse_foreign_server(config: Config) -> None:
    """Keep the settings of a vault that came from elsewhere from sending notes and keys away (I32).

    Raises:
        EmbedderError: The vault's own settings name a server beyond this machine, or a variable that is no key.
    """
    from clawvault.embed.openai_compatible import LOOPBACK, host_of

    settings = config.embedding
    host = host_of(settings.url)
    if settings.url and host not in LOOPBACK and config.origins.get("embedding.url") == "config":
        raise EmbedderError(
            f'The settings of this vault would send notes to "{host}".',
            f"If that is what you want, set CLAWVAULT_EMBEDDING_URL={settings.url} in your environment.",
        )
    name = settings.api_key_env
    if not name.endswith(("_API_KEY", "_API_TOKEN")) and config.origins.get("embedding.api_key_env") == "config":
        raise EmbedderError(
            f'The settings of this vault would send the variable "{name}" to a server.',
            f"If that is what you want, set CLAWVAULT_EMBEDDING_API_KEY_ENV={name} in your environment.",
        )


def describe_space(config: Config, environment: Mapping[str, str]) -> EmbeddingSpace | None:
    """Name the embedding space the settings ask for, without making an embedder.

    Args:
        config: All settings.
        environment: As for ``open_embedder``.

    Returns:
        The space, or ``None`` for provider ``none``.

    Raises:
        ConfigError: The settings contradict each other.
        EmbedderError: The model is not on this machine, or not safe to load.
    """
    embedder = open_embedder(replace(config, embedding=replace(config.embedding, allow_download=False)), environment)
    return None if embedder is None else embedder.space


def _model_folder(settings: EmbeddingSettings, environment: Mapping[str, str]) -> ModelFolder:
    path = find_model_folder(settings.model, environment)
    if path is None and settings.allow_download:
        from clawvault.embed.download import download_model

        path = download_model(settings.model, environment)
    if path is None:
        raise EmbedderError(
            f'The model "{settings.model}" is not on this machine.',
            "Choose one of: clawvault model list. To fetch it once, set embedding.allow_download = true.",
        )
    return read_model_folder(path, model=settings.model)
