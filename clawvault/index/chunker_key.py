"""The name of one way to cut notes: pure, and apart from the cutting, which a search does without."""

from __future__ import annotations

from clawvault.config import ChunkSettings
from clawvault.guard.findings import GUARD_VERSION

# Raised whenever the same text would be cut in another way, so that old chunks are not taken for new ones.
CHUNKER_VERSION = 2


def chunker_key(settings: ChunkSettings, max_tokens: int) -> str:
    """Name everything but the text that decides how a note is cut, masked and flagged.

    Args:
        settings: Preset and sizes.
        max_tokens: The model's longest input.

    Returns:
        A short text; equal keys mean equal chunks of equal notes.
    """
    parts: list[object] = [f"{settings.preset}-{CHUNKER_VERSION}.{GUARD_VERSION}"]
    if settings.preset in {"markdown", "paragraph", "fixed"}:
        parts.append(settings.max_chars)
    if settings.preset == "markdown":
        parts.append(settings.min_chars)
    if settings.preset == "fixed":
        parts.append(settings.overlap_chars)
    return "/".join(str(part) for part in [*parts, max_tokens])
