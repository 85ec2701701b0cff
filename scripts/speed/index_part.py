"""Index a folder with a model that is loaded already, or embed the same texts with the model alone.

    python -m speed.index_part product ROOT           index, then delete the index file and index again
    python -m speed.index_part model ROOT             SentenceTransformer.encode on the chunk texts of that index

Both read settings from the environment. Prints JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from contextlib import closing
from pathlib import Path
from typing import Any

from clawvault.api import open_vault
from clawvault.embed.packaged import ENGLISH_MODEL, find_packaged
from clawvault.index.connection import INDEX_NAME
from clawvault.index.store import Store


def delete_index(state: Path) -> None:
    """Delete the index file with its logs; a file that holds embeddings beside it stays."""
    for path in state.glob(f"{INDEX_NAME}*"):
        path.unlink()


def measure_product(root: Path) -> dict[str, Any]:
    """Return the seconds of a first and of a second indexing, both after the model was loaded."""
    figures: dict[str, Any] = {}
    with open_vault(root) as vault:
        embedder = vault.opened.embedder
        if embedder is None:
            raise LookupError("no model is configured")
        began = time.perf_counter()
        embedder.embed_passages(["The first text loads the model."])
        figures["load_s"] = time.perf_counter() - began
        for name in ("first", "again"):
            delete_index(vault.opened.state)
            began = time.perf_counter()
            report = vault.index()
            figures[f"{name}_s"] = time.perf_counter() - began
            figures[f"{name}_embedded"] = report.embedded_texts
            vault.close()
        figures["chunks"] = vault.status()["chunks"]
    return figures


def measure_model(root: Path) -> dict[str, Any]:
    """Return the seconds in which the model alone embeds the texts an index of the folder holds."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    with open_vault(root) as vault, closing(Store(vault.opened.state / INDEX_NAME, writer=False)) as store:
        texts = [row[0] for row in store.connection.execute("SELECT text FROM chunks GROUP BY text_hash ORDER BY id")]
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(str(find_packaged(ENGLISH_MODEL)), local_files_only=True)
    model.encode(["The first text loads the model."], show_progress_bar=False)
    loaded = time.perf_counter()
    # The library sorts the texts by length itself.
    model.encode(texts, show_progress_bar=False)
    ended = time.perf_counter()
    return {"load_s": loaded - began, "encode_s": ended - loaded, "texts": len(texts)}


if __name__ == "__main__":
    print(json.dumps({"product": measure_product, "model": measure_model}[sys.argv[1]](Path(sys.argv[2]))))
