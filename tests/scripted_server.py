"""A server that answers as it is told."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import Any

Answer = tuple[int, dict[str, str], bytes] | None


def vectors_answer(rows: list[list[float]]) -> Answer:
    data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)]
    return 200, {}, json.dumps({"object": "list", "data": data}).encode()


@dataclass
class ScriptedServer:
    """Answer each request with the next item of ``script``; the last one is repeated; ``None`` never answers."""

    url: str
    script: list[Answer] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
