"""A process that embeds with the model library, so that the one it works for need not hold it.

Run as ``python -m clawvault.embed.worker`` by ``clawvault.embed.library_process``, which speaks to it over its standard
streams and ends it. The first message says which model; each further one asks for vectors.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import IO, Any

import numpy as np

from clawvault.config import EmbeddingSettings
from clawvault.embed.frames import read_frame, write_frame
from clawvault.embed.model_folder import read_model_folder
from clawvault.embed.parts import embed_parts
from clawvault.embed.protocol import FloatArray
from clawvault.embed.sentence_transformer import SentenceTransformerEmbedder
from clawvault.errors import EmbedderError

Requests = queue.SimpleQueue[dict[str, Any]]


def main() -> None:
    """Answer until standard input ends, which it does when the process at the other end dies."""
    # Ctrl-C reaches every process of a terminal; the other end decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A library that prints must not write into an answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests: Requests = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True).start()
    try:
        embedder = _open(requests.get())
        write_frame(answers, {"key": embedder.space.key})
    except EmbedderError as error:
        write_frame(answers, {"error": [error.message, error.hint]})
        return
    while True:
        write_frame(answers, *_answer(embedder, requests.get()))


def _receive(stream: IO[bytes], requests: Requests) -> None:
    try:
        while True:
            requests.put(read_frame(stream)[0])
    finally:
        # The other thread may be in the middle of a batch that nobody waits for.
        os._exit(0)


def _open(request: dict[str, Any]) -> SentenceTransformerEmbedder:
    """Load the model of the first message."""
    folder = read_model_folder(Path(request["folder"]), model=request["model"])
    embedder = SentenceTransformerEmbedder(folder, request["model"], EmbeddingSettings(**request["settings"]))
    embedder.embed_parts(["ready"], [[(0, 5)]])
    return embedder


def _answer(embedder: SentenceTransformerEmbedder, request: dict[str, Any]) -> tuple[dict[str, Any], FloatArray | None]:
    try:
        vectors, pieces = embed_parts(embedder, request["texts"], request["spans"])
    except EmbedderError as error:
        return {"error": [error.message, error.hint]}, None
    return {"dims": vectors.shape[1], "pieces": [len(part) for part in pieces]}, np.concatenate([vectors, *pieces])


if __name__ == "__main__":
    main()
