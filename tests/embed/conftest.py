"""A server that answers as it is told, and small model folders."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from fakes import ModelMaker
from scripted_server import ScriptedServer


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            scripted.requests.append(json.loads(body))
            scripted.keys.append(self.headers["Authorization"])
            scripted.paths.append(self.path)
            answer = scripted.script[min(len(scripted.requests), len(scripted.script)) - 1]
            if answer is None:
                scripted.released.wait(30)
                return
            status, headers, content = answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Keep the test's output quiet."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    scripted = ScriptedServer(url=f"http://127.0.0.1:{http.server_port}/v1")
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield scripted
    scripted.released.set()
    http.shutdown()
    thread.join()
    http.server_close()


@pytest.fixture
def make_model(tmp_path: Path) -> ModelMaker:
    """Make a folder that looks like a sentence-transformers model of 8 numbers."""

    def make(
        place: str = "model",
        *,
        weights: str = "model.safetensors",
        module: str = "sentence_transformers.models.Transformer",
        prompts: dict[str, str] | None = None,
        config: dict[str, object] | None = None,
    ) -> Path:
        folder = tmp_path / place
        folder.mkdir(parents=True)
        (folder / "modules.json").write_text(
            json.dumps([{"idx": 0, "name": "0", "path": "", "type": module}]), encoding="utf-8"
        )
        (folder / "config.json").write_text(
            json.dumps(config or {"hidden_size": 8, "max_position_embeddings": 512, "model_type": "bert"}),
            encoding="utf-8",
        )
        (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 128}', encoding="utf-8")
        (folder / "config_sentence_transformers.json").write_text(
            json.dumps({"prompts": prompts or {}}), encoding="utf-8"
        )
        (folder / weights).write_bytes(b"\0" * 300_000)
        return folder

    return make
