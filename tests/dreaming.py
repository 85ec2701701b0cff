"""A vault that dreams, with a clock of its own and recalls that are told to it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from clawvault.config import load_config
from clawvault.dream.dreamer import Dreamer
from clawvault.dream.recall.statements import list_statements
from clawvault.guard.secret_text import mask_secrets
from clawvault.keeping.keeper import Keeper
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import Hit, SearchResult

BEGIN = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
QUESTIONS = ("which one is it", "what did we say about that", "tell me once more", "how was it again")


class Clock:
    """Seconds that only go forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Dreaming:
    """A vault folder, its state folder and the time there."""

    root: Path
    state: Path
    now: datetime = BEGIN
    flags: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.root / ".clawvault").mkdir(parents=True, exist_ok=True)
        self.state.mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def day(self) -> date:
        return self.now.date()

    def keeper(self) -> Keeper:
        config = load_config(self.root, environment={}, flags=self.flags)
        return Keeper(self.root, config, self.state, now=lambda: self.now)

    def dreamer(self) -> Dreamer:
        return Dreamer(self.keeper().means)

    def put(self, path: str, text: str) -> None:
        """Write a note and let it rest, so that nothing waits for quiet."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode())
        self.rest(path)

    def rest(self, path: str, age_s: float = 3600.0) -> None:
        at = self.now.timestamp() - age_s
        os.utime(self.root / path, (at, at))

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def pass_days(self, days: int) -> None:
        self.now += timedelta(days=days)

    def recall(self, path: str, text: str, query: str, *, score: float = 0.9, by: str = "agent") -> int:
        """Have a statement found by a question at the present day."""
        line = next(said.line_start for said in list_statements(self.text(path)) if said.text == text)
        hit = Hit(
            rank=1,
            path=path,
            line_start=line,
            line_end=line,
            heading=(),
            text=mask_secrets(f"- {text}"),
            snippet=text,
            score=0.5,
            cosine=score,
            text_score=None,
            fts_rank=None,
            vector_rank=1,
            date=path[-13:-3],
            evergreen=False,
            decay=1.0,
            vault="v",
        )
        result = SearchResult(query=query, mode="hybrid", hits=(hit,))
        return self.dreamer().log.record(SearchRequest(query=query, asked_by=by), result)

    def make_memorable(self, path: str, *texts: str, days: int = 4) -> None:
        """Have statements found on so many days by as many questions; the last of them is the present day."""
        end = self.now
        for back in range(days - 1, -1, -1):
            self.now = end - timedelta(days=back)
            for text in texts:
                self.recall(path, text, f"{QUESTIONS[back % len(QUESTIONS)]} {text}")

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in found}
