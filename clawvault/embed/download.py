"""The one place that fetches a model, and only when the person allowed it (I32)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from clawvault.embed.model_folder import hub_cache
from clawvault.embed.sentence_transformer import set_library_environment
from clawvault.errors import EmbedderError

# Weights that can run code when read, and copies for other engines.
UNWANTED = ["*.bin", "*.pt", "*.pth", "*.pkl", "*.h5", "*.ot", "*.msgpack", "*.onnx", "*.gguf", "onnx/*", "openvino/*"]


def download_model(model: str, environment: Mapping[str, str]) -> Path:
    """Fetch a model from the hub into its cache on this disk.

    Args:
        model: Hub name; a name without an owner is looked for under ``sentence-transformers``.
        environment: Where the place of the cache is looked up.

    Returns:
        The folder of the model.

    Raises:
        EmbedderError: The model cannot be fetched.
    """
    name = model if "/" in model else f"sentence-transformers/{model}"
    set_library_environment(allow_download=True)
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, cache_dir=hub_cache(environment), ignore_patterns=UNWANTED))
    except Exception as error:
        raise EmbedderError(
            f'The model "{name}" cannot be fetched: {error}.',
            "Check the name and the network, or choose a model on this machine: clawvault model list.",
        ) from error
