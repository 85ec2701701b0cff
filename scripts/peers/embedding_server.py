"""Serve the packaged English model to programs that ask an OpenAI-compatible server.

python -m peers.embedding_server      prints its port, serves until it is ended
"""

from __future__ import annotations

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
from speed.index_part import load_model

MODEL = load_model()
ONE_AT_A_TIME = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    """Answer ``/v1/embeddings``."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """Embed the texts of one request."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        with ONE_AT_A_TIME:
            vectors = MODEL.encode(texts, show_progress_bar=False, normalize_embeddings=True)
        rows = [
            {"object": "embedding", "index": place, "embedding": _rendered(row, asked.get("encoding_format"))}
            for place, row in enumerate(np.asarray(vectors, dtype="<f4"))
        ]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        body = json.dumps({"object": "list", "data": rows, "model": asked.get("model"), "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def _rendered(row: Any, form: str | None) -> Any:
    return base64.b64encode(row.tobytes()).decode() if form == "base64" else row.tolist()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
