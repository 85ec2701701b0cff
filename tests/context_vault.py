"""A vault whose search answers what a test says, on a day of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from clawvault.config import load_config
from clawvault.context.assembling import assemble
from clawvault.context.given import Context
from clawvault.context.sources import Shelf, open_shelf

TODAY = date(2026, 3, 9)


def hit(path: str, text: str, line_start: int = 1, **more: Any) -> dict[str, Any]:
    """Return a hit as a search gives it, as far as a context looks at it."""
    line_end = line_start + text.removesuffix("\n").count("\n")
    found: dict[str, Any] = {"path": path, "line_start": line_start, "line_end": line_end, "text": text}
    return {**found, "heading": [], "date": None, "superseded_by": None, "stale": False, "flagged": [], **more}


@dataclass
class ContextVault:
    """Notes on disk, hits from nowhere, and what was asked for them."""

    root: Path
    state: Path
    hits: list[dict[str, Any]] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    fault: Exception | None = None
    flags: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.root / ".clawvault").mkdir(parents=True)
        self.state.mkdir()

    def put(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode("utf-8", "surrogatepass"))

    def ask(self, fields: dict[str, Any]) -> Mapping[str, Any]:
        self.asked.append(fields)
        if self.fault is not None:
            raise self.fault
        return {"hits": self.hits[: fields["limit"]], "degraded": []}

    def shelf(self) -> Shelf:
        return open_shelf(self.root, load_config(self.root, environment={}, flags=self.flags), self.state)

    def given(self, query: str = "", **options: Any) -> Context:
        config = load_config(self.root, environment={}, flags=self.flags)
        return assemble(self.root, config, self.state, **{"day": TODAY, "ask": self.ask, "query": query, **options})
