"""Which models are on this machine, and the choice of one of them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawvault.config import CONFIG_PATH, Config
from clawvault.embed.model_folder import find_model_folder, hub_cache, read_model_folder
from clawvault.embed.packaged import ENGLISH_MODEL, MULTILINGUAL_MODEL, find_packaged
from clawvault.embed.probe import probe_model
from clawvault.errors import ClawvaultError, ConfigError

__all__ = ["KnownModel", "list_models", "probe_model", "write_model_choice"]

MULTILINGUAL_DIMS = 512


@dataclass(frozen=True, slots=True)
class KnownModel:
    """Describe one model that can be chosen.

    Args:
        name: Value for ``embedding.model``.
        provider: Value for ``embedding.provider``.
        place: ``packaged``, ``cache`` (the hub's cache on this disk), ``folder`` or ``server``.
        dims: Vector length; 0 when it is not known.
        max_tokens: Longest input; 0 when there is no limit or it is not known.
        active: The settings name this model.
        problem: Why it cannot be used; empty when it can.
    """

    name: str
    provider: str
    place: str
    dims: int
    max_tokens: int
    active: bool
    problem: str = ""


def list_models(config: Config, environment: Mapping[str, str]) -> list[KnownModel]:
    """List the packaged models, those in the hub's cache, and the configured one.

    Args:
        config: All settings.
        environment: Where the place of the cache is looked up.

    Returns:
        Packaged models first, then by name. Nothing is loaded and no network is used.
    """
    settings = config.embedding
    local = settings.provider == "sentence-transformers"
    models = []
    if find_packaged(ENGLISH_MODEL) is not None:
        active = local and find_packaged(settings.model) == find_packaged(ENGLISH_MODEL)
        models.append(_describe_local(ENGLISH_MODEL, "packaged", active, environment))
    if find_packaged(MULTILINGUAL_MODEL) is not None:
        active = settings.provider == "use-multilingual"
        models.append(
            KnownModel(MULTILINGUAL_MODEL, "use-multilingual", "packaged", MULTILINGUAL_DIMS, 0, active=active)
        )
    models += [
        _describe_local(name, "cache", local and settings.model == name, environment)
        for name in _list_cached(environment)
    ]
    if not any(model.active for model in models) and settings.provider != "none":
        if settings.provider == "openai":
            models.append(KnownModel(settings.model, "openai", "server", settings.dims, 0, active=True))
        else:
            models.append(_describe_local(settings.model, "folder", True, environment))
    return models


def write_model_choice(root: Path, *, provider: str, model: str = "", url: str = "") -> None:
    """Write the choice of a model into the vault's settings; comments and all other settings stay.

    Args:
        root: The vault.
        provider: Value of ``embedding.provider``.
        model: Value of ``embedding.model``; empty leaves it out.
        url: Value of ``embedding.url``; empty leaves it as it is.

    Raises:
        ConfigError: The settings cannot be read or written.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = root / CONFIG_PATH
    try:
        document = tomlkit.parse(path.read_bytes().decode("utf-8-sig")) if path.exists() else tomlkit.document()
        section: Any = document.setdefault("embedding", tomlkit.table())
        section["provider"] = provider
        if model:
            section["model"] = model
        if url:
            section["url"] = url
        _replace_file(path, tomlkit.dumps(document).encode("utf-8"))
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise ConfigError(
            f'Cannot read settings from "{CONFIG_PATH}": {error}.', "Mend that line, then choose the model again."
        ) from error
    except OSError as error:
        raise ConfigError(
            f'Cannot write "{CONFIG_PATH}": {error.strerror}.', "Check the permissions of the folder."
        ) from error


def _describe_local(name: str, place: str, active: bool, environment: Mapping[str, str]) -> KnownModel:
    provider = "sentence-transformers"
    try:
        path = find_model_folder(name, environment)
        if path is None:
            return KnownModel(name, provider, place, 0, 0, active=active, problem="not on this machine")
        folder = read_model_folder(path, model=name)
    except ClawvaultError as error:
        return KnownModel(name, provider, place, 0, 0, active=active, problem=error.message)
    return KnownModel(name, provider, place, folder.dims, folder.max_tokens, active=active)


def _list_cached(environment: Mapping[str, str]) -> list[str]:
    names = []
    for repository in sorted(hub_cache(environment).glob("models--*--*")):
        name = repository.name.removeprefix("models--").replace("--", "/", 1)
        folder = find_model_folder(name, environment)
        if folder is not None and (folder / "modules.json").is_file() and find_packaged(name) is None:
            names.append(name)
    return names


def _replace_file(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".config-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
