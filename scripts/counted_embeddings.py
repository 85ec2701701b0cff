"""A small embedding server in this process that remembers every text it was asked to embed."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain

import numpy as np

from clawvault.daemon.indexed_vault import WARM_UP_TEXT
from clawvault.embed.probe_texts import PASSAGES, QUESTIONS
from clawvault.embed.protocol import FloatArray

DIMS = 64
# About what a text costs a real model, so that kills have work to interrupt.
EMBED_S = 0.002
# What the product asks of every model once, whatever the notes hold.
BUILT_IN = {WARM_UP_TEXT, *chain.from_iterable((*PASSAGES.values(), *QUESTIONS.values()))}


class CountedEmbeddings:
    """Answer as OpenAI-compatible servers do, by hashed words, and count the texts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: Counter[str] = Counter()
        counted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body leave in two writes; together with delayed acknowledgement that would cost 40 ms each.
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
                counted.remember(texts)
                time.sleep(EMBED_S * len(texts))
                rows = [{"index": place, "embedding": embed(text).tolist()} for place, text in enumerate(texts)]
                body = json.dumps({"data": rows}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a killed daemon breaks its line

    @property
    def settings(self) -> dict[str, str]:
        """Return the settings, in the form of the environment, that make a vault ask this server."""
        return {
            "CLAWVAULT_EMBEDDING_PROVIDER": "openai",
            "CLAWVAULT_EMBEDDING_MODEL": "counted",
            "CLAWVAULT_EMBEDDING_URL": f"http://127.0.0.1:{self.server.server_port}/v1",
        }

    def remember(self, texts: list[str]) -> None:
        """Count the texts of one request."""
        with self._lock:
            self._asked.update(texts)

    def take(self) -> Counter[str]:
        """Return how often each text was embedded since the last call, the product's own questions left out."""
        with self._lock:
            asked, self._asked = self._asked, Counter()
        return Counter({text: count for text, count in asked.items() if text not in BUILT_IN})


@contextmanager
def counting() -> Iterator[CountedEmbeddings]:
    """Run the server until the block ends."""
    counted = CountedEmbeddings()
    thread = threading.Thread(target=counted.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield counted
    finally:
        counted.server.shutdown()
        counted.server.server_close()


def embed(text: str) -> FloatArray:
    """Return the (64,) float32 unit vector of a text: one count a word, by the word's hash."""
    vector = np.zeros(DIMS, dtype=np.float32)
    for word in text.lower().split() or [text]:
        vector[hashlib.blake2b(word.encode(), digest_size=1).digest()[0] % DIMS] += 1.0
    return vector / np.linalg.norm(vector)
