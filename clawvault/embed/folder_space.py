"""What does not depend on how a model folder is computed: the space of its vectors, and how much of a text it reads."""

from __future__ import annotations

from clawvault.config import EmbeddingSettings
from clawvault.embed.model_folder import ModelFolder
from clawvault.embed.protocol import EmbeddingSpace, space_key

PROVIDER = "sentence-transformers"
# A model cuts at its window anyway; this only spares its tokenizer a text a hundred times longer.
CHARS_PER_TOKEN = 24


def describe_folder(folder: ModelFolder, model: str, settings: EmbeddingSettings) -> EmbeddingSpace:
    """Name the space of a model folder under these settings."""
    key = space_key(
        {
            "provider": PROVIDER,
            "fingerprint": folder.fingerprint,
            "query_prefix": settings.query_prefix or folder.prefixes.query,
            "passage_prefix": settings.passage_prefix or folder.prefixes.passage,
        }
    )
    return EmbeddingSpace(
        key=key, provider=PROVIDER, model=model, dims=folder.dims or settings.dims, max_tokens=folder.max_tokens
    )
