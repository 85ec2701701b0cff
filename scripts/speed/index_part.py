"""Index a folder and embed the same texts with the model alone, both with the model loaded already.

    python -m speed.index_part both ROOT ROUNDS       in turn: index a folder anew, delete the index file and index
                                                      again, embed the chunk texts with SentenceTransformer.encode
    python -m speed.index_part model ROOT             the last of these alone, for the clock of its whole process

Both read settings from the environment. Prints JSON.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import warnings
from contextlib import closing
from pathlib import Path
from typing import Any

from clawvault.api import Vault, open_vault
from clawvault.embed.packaged import ENGLISH_MODEL, find_packaged
from clawvault.index.connection import INDEX_NAME
from clawvault.index.generations import find_generation, list_texts
from clawvault.index.store import Store
from speed.processes import RowError


def delete_index(state: Path) -> None:
    """Delete the index file with its logs; a file that holds embeddings beside it stays."""
    for path in state.glob(f"{INDEX_NAME}*"):
        path.unlink()


def index_once(root: Path, state: Path) -> tuple[float, float, list[str]]:
    """Index a folder into a new state folder; return the seconds of that, of doing it again, and the texts.

    Raises:
        RowError: Not every text was embedded the first time.
    """
    environment = {**os.environ, "CLAWVAULT_STATE_DIR": str(state)}
    took = []
    with open_vault(root, environment=environment) as vault:
        embedder = vault.opened.embedder
        if embedder is None:
            raise RowError("no model is configured")
        embedder.embed_passages(["The first text loads the model."])
        for _ in range(2):
            delete_index(vault.opened.state)
            began = time.perf_counter()
            report = vault.index()
            took.append(time.perf_counter() - began)
            vault.close()
            if report.pending_chunks:
                raise RowError(f"{report.pending_chunks} chunks have no vector")
        texts = chunk_texts(vault)
    return took[0], took[1], texts


def chunk_texts(vault: Vault) -> list[str]:
    """Return the distinct texts of all chunks of a vault."""
    with closing(Store(vault.opened.state / INDEX_NAME, writer=False)) as store:
        return list(dict.fromkeys(text for _, text in list_texts(store, find_generation(store, "active"))))


def load_model() -> Any:
    """Load the packaged English model as anybody would, and embed a first text."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(str(find_packaged(ENGLISH_MODEL)), local_files_only=True)
    model.encode(["The first text loads the model."], show_progress_bar=False)
    return model


def time_encoding(model: Any, texts: list[str]) -> float:
    """Return the seconds in which the model alone embeds texts; the library sorts them by length itself."""
    began = time.perf_counter()
    model.encode(texts, show_progress_bar=False)
    return time.perf_counter() - began


def measure_both(root: Path, rounds: int) -> dict[str, Any]:
    """Return the seconds of each round: indexing, indexing again, the model alone."""
    figures: dict[str, list[float]] = {"first_s": [], "again_s": [], "encode_s": []}
    texts: list[str] = []
    model = load_model()
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as state:
            first, again, texts = index_once(root, Path(state))
        for name, value in (("first_s", first), ("again_s", again), ("encode_s", time_encoding(model, texts))):
            figures[name].append(value)
    return {**figures, "texts": len(texts)}


def measure_model(root: Path) -> dict[str, Any]:
    """Embed the texts that an index of the folder holds."""
    with open_vault(root) as vault:
        texts = chunk_texts(vault)
    return {"encode_s": time_encoding(load_model(), texts), "texts": len(texts)}


if __name__ == "__main__":
    found = (
        measure_model(Path(sys.argv[2]))
        if sys.argv[1] == "model"
        else measure_both(Path(sys.argv[2]), int(sys.argv[3]))
    )
    print(json.dumps(found))
