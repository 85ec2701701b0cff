"""The sets of questions that measuring scripts share: where they lie and how they are named."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from clawvault.config import load_config
from clawvault.evaluate.asked_once import AskedOnceEmbedder
from clawvault.evaluate.datasets import Dataset, read_dataset
from clawvault.evaluate.runner import open_asked_once

MODELS: Mapping[str, dict[str, object]] = {
    "english": {"embedding.provider": "sentence-transformers", "embedding.model": "all-MiniLM-L6-v2"},
    "multilingual": {"embedding.provider": "use-multilingual"},
}


def find_sets(data: Path, wanted: list[str] | None, most: int | None) -> dict[str, Dataset]:
    """Return every set below a folder whose name holds one of the wanted texts, by name."""
    xquad = data / "xquad"
    places = {
        f"xquad {pair}": (xquad / f"notes-{pair[3:]}", xquad / f"qrels.{pair}.jsonl")
        for pair in ("en-en", "zh-zh", "en-zh", "zh-en")
    }
    folders = {"cmrc2018": data / "cmrc2018"}
    folders |= {f"locomo {vault.name}": vault for vault in sorted((data / "locomo-dev").glob("conv-*"))}
    places |= {name: (folder, folder / "qrels.jsonl") for name, folder in folders.items()}
    found = {
        name: read_dataset(notes, qrels, most=most)
        for name, (notes, qrels) in places.items()
        if qrels.is_file() and (not wanted or any(part in name for part in wanted))
    }
    if not found:
        sys.exit(f'There is no such set below "{data}".')
    return found


def open_model(name: str) -> AskedOnceEmbedder:
    """Open one of the packaged models; it reads each text once."""
    embedder = open_asked_once(load_config(None, environment={}, flags=MODELS[name]), {})
    assert embedder is not None  # noqa: S101 - neither setting is "none"
    return embedder
