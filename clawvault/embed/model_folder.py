"""A sentence-transformers model on disk: where it is, what its small files say, and what makes it this model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawvault.embed.packaged import find_packaged
from clawvault.embed.prefixes import Prefixes, known_prefixes
from clawvault.errors import ConfigError, EmbedderError

SMALL_FILE_BYTES = 1_000_000
SAMPLE_BYTES = 65_536
DEFAULT_MAX_TOKENS = 512
FINGERPRINTED = frozenset({".json", ".txt", ".model", ".safetensors"})
TRUSTED_MODULES = ("sentence_transformers.",)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """Describe a model from its small files, without loading it.

    Args:
        path: The folder.
        dims: Vector length; 0 when the files do not say.
        max_tokens: Longest input in tokens.
        prefixes: What the model itself asks to be put before a text.
        fingerprint: Hex identity of its settings, tokenizer and weights.
    """

    path: Path
    dims: int
    max_tokens: int
    prefixes: Prefixes
    fingerprint: str


def find_model_folder(
    model: str,
    environment: Mapping[str, str],
    *,
    setting: str = "embedding.model",
    owner: str = "sentence-transformers",
) -> Path | None:
    """Find a model's folder: packaged, given as a path, or in the hub's cache on this disk.

    Args:
        model: A packaged name, a hub name, or a folder's absolute or ``~`` path.
        environment: Where ``HF_HUB_CACHE``, ``HF_HOME`` and ``HOME`` are looked up.
        setting: Where the name came from, for messages.
        owner: Whose model a hub name without an owner is.

    Returns:
        The folder, or ``None`` when the model is not on this machine.

    Raises:
        ConfigError: The name is a relative path, which would mean another folder for every process.
    """
    if model.startswith(("./", "../", ".\\", "..\\")) or model in {"", ".", ".."}:
        raise ConfigError(f'{setting} is "{model}", a relative path.', "Give the model's absolute path.")
    packaged = find_packaged(model)
    if packaged is not None:
        return packaged
    if model.startswith("~") or Path(model).is_absolute():
        folder = Path(model).expanduser()
        return folder if folder.is_dir() else None
    names = [model] if "/" in model else [f"{owner}/{model}", model]
    for name in names:
        snapshot = _find_snapshot(hub_cache(environment) / f"models--{name.replace('/', '--')}")
        if snapshot is not None:
            return snapshot
    return None


def hub_cache(environment: Mapping[str, str]) -> Path:
    """Return the folder in which the model hub's library keeps what it fetched."""
    if given := environment.get("HF_HUB_CACHE"):
        return Path(given).expanduser()
    if home := environment.get("HF_HOME"):
        return Path(home).expanduser() / "hub"
    cache = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "huggingface" / "hub"


def read_model_folder(folder: Path, *, model: str) -> ModelFolder:
    """Read what a model's small files say.

    Args:
        folder: The model's folder.
        model: Name for messages and for looking up its prefixes.

    Raises:
        EmbedderError: The folder holds no model, weights that run code when read (T16), or code of its own.

    Cost: A few milliseconds; 64 kB at each end of the weights are read.
    """
    modules = _read_json(folder / "modules.json", [])
    _refuse_unsafe(folder, modules, model)
    config = _read_json(folder / "config.json", {})
    own = _read_json(folder / "config_sentence_transformers.json", {})
    return ModelFolder(
        path=folder,
        dims=_read_dims(folder, modules, config),
        max_tokens=_read_max_tokens(folder, modules, config),
        prefixes=_read_prefixes(own, model),
        fingerprint=_fingerprint(folder),
    )


def _find_snapshot(repository: Path) -> Path | None:
    try:
        revision = (repository / "refs" / "main").read_text("utf-8").strip()
    except OSError:
        return None
    snapshot = repository / "snapshots" / revision
    return snapshot if snapshot.is_dir() else None


def _read_json(path: Path, fallback: Any) -> Any:
    try:
        value = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return fallback
    except (OSError, ValueError) as error:
        raise EmbedderError(
            f'The model file "{path}" cannot be read: {error}.', "Fetch or copy the model again."
        ) from error
    return value if isinstance(value, type(fallback)) else fallback


def _module_folders(folder: Path, modules: list[Any]) -> list[Path]:
    paths = [str(entry.get("path", "")) for entry in modules if isinstance(entry, dict)]
    return [folder / path for path in paths] or [folder]


def _refuse_unsafe(folder: Path, modules: list[Any], model: str) -> None:
    for entry in modules:
        kind = str(entry.get("type", "")) if isinstance(entry, dict) else ""
        if not kind.startswith(TRUSTED_MODULES):
            raise EmbedderError(
                f'The model "{model}" brings code of its own ("{kind}"), which is never run.',
                "Choose another model: clawvault model list.",
            )
    if not (folder / "config.json").is_file() and not modules:
        raise EmbedderError(
            f'The folder "{folder}" holds no sentence-transformers model: it has no config.json.',
            "Give the folder that holds modules.json or config.json.",
        )
    has_weights = False
    for place in _module_folders(folder, modules):
        safe = any(place.glob("*.safetensors"))
        pickles = [*place.glob("*.bin"), *place.glob("*.pt"), *place.glob("*.pth"), *place.glob("*.pkl")]
        if pickles and not safe:
            raise EmbedderError(
                f'The model "{model}" keeps weights as "{pickles[0].name}", a format that can run code when read.',
                "Use a copy of the model with .safetensors weights.",
            )
        has_weights = has_weights or safe
    if not has_weights:
        raise EmbedderError(
            f'The model "{model}" has no weights in "{folder}".',
            "Fetch or copy the model again, with its .safetensors.",
        )


def _read_dims(folder: Path, modules: list[Any], config: Mapping[str, Any]) -> int:
    dims = config.get("hidden_size") or config.get("dim") or 0
    for place in _module_folders(folder, modules):
        if place == folder:
            continue
        own = _read_json(place / "config.json", {})
        pooled = own.get("word_embedding_dimension") or own.get("embedding_dimension") or 0
        # A pooling that keeps several means puts them one after the other.
        kinds = sum(value is True for name, value in own.items() if name.startswith("pooling_mode_"))
        dims = own.get("out_features") or pooled * max(kinds, 1) or dims
    return dims if isinstance(dims, int) else 0


def _read_max_tokens(folder: Path, modules: list[Any], config: Mapping[str, Any]) -> int:
    tokenizer = _read_json(folder / "tokenizer_config.json", {})
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and "roberta" in str(config.get("model_type", "")):
        positions -= 2  # Its position numbers begin after the padding mark.
    limits = [_read_json(folder / "sentence_bert_config.json", {}).get("max_seq_length")]
    limits += [
        _read_json(place / "sentence_bert_config.json", {}).get("max_seq_length")
        for place in _module_folders(folder, modules)
    ]
    stated = [limit for limit in limits if isinstance(limit, int) and limit > 0]
    if not stated:
        stated = [limit for limit in [tokenizer.get("model_max_length")] if isinstance(limit, int)]
    if isinstance(positions, int) and positions > 0:
        stated.append(positions)
    return min([limit for limit in stated if limit < 1_000_000], default=DEFAULT_MAX_TOKENS)


def _read_prefixes(own: Mapping[str, Any], model: str) -> Prefixes:
    prompts = own.get("prompts")
    prompts = prompts if isinstance(prompts, dict) else {}
    fallback = prompts.get(own.get("default_prompt_name"), "") if own.get("default_prompt_name") else ""
    query = prompts.get("query") or fallback
    passage = prompts.get("document") or prompts.get("passage") or prompts.get("corpus") or fallback
    if query or passage:
        return Prefixes(str(query), str(passage))
    return known_prefixes(model)


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        relative = path.relative_to(folder).as_posix()
        if path.suffix not in {".json", ".txt", ".model", ".safetensors"} or relative.startswith(
            ("onnx/", "openvino/")
        ):
            continue
        size = path.stat().st_size
        digest.update(f"{relative}\0{size}\0".encode("utf-8", "surrogateescape"))
        with path.open("rb") as stream:
            if size <= SMALL_FILE_BYTES:
                digest.update(stream.read())
            else:
                digest.update(stream.read(SAMPLE_BYTES))
                stream.seek(size // 2)
                digest.update(stream.read(SAMPLE_BYTES))
                stream.seek(-SAMPLE_BYTES, 2)
                digest.update(stream.read(SAMPLE_BYTES))
    return digest.hexdigest()[:32]
