"""A vault to write into, with a clock of its own, for tests of operations."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clawvault.config import load_config
from clawvault.keeping.keeper import Keeper


@dataclass
class Kept:
    """What the tests look at."""

    root: Path
    state: Path
    now: datetime = datetime(2026, 3, 9, 14, 5, tzinfo=UTC)
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.root / ".clawvault").mkdir(parents=True)
        self.state.mkdir()

    def keeper(self, **options: Any) -> Keeper:
        config = load_config(self.root, environment={}, flags=options.pop("flags", {}))
        given = {"now": lambda: self.now, "on_written": self.told.append, **options}
        return Keeper(self.root, config, self.state, **given)

    def put(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode())

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in found}
