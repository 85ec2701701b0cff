"""A vault without an index, and small means to wait for what a thread does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from clawvault.daemon.ports import Progress, Skipped

# A bound for what hangs; whatever works ends long before, on a busy machine as well.
WAIT_S = 90.0


@dataclass
class Report:
    added: int = 0
    changed: int = 0
    removed: int = 0
    moved: int = 0
    hashed: int = 0
    skipped: tuple[Skipped, ...] = ()
    deferred: tuple[str, ...] = ()
    pending_chunks: int = 0
    brake: str = ""


@dataclass
class FakeVault:
    """Remember what was asked; ``before`` is run at the start of each comparison with its paths, ``None`` for all."""

    report: Report = field(default_factory=Report)
    before: Callable[[frozenset[str] | None], None] = lambda _: None
    warming: Callable[[], None] = lambda: None
    embedding: Callable[[], None] = lambda: None
    sweeps: int = 0
    applied: list[str] = field(default_factory=list)
    pending: int = 0
    searched: list[dict[str, object]] = field(default_factory=list)
    closed: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)

    def is_replaced(self) -> bool:
        return False

    def sweep(self, progress: Progress, *, verify: bool = False, accept_deletions: bool = False) -> Report:
        self.before(None)
        # Whoever waits for the sweep may change the report for the next one.
        report = self.report
        with self.changed:
            self.sweeps += 1
            self.changed.notify_all()
        return report

    def apply_paths(self, paths: Collection[str], progress: Progress) -> Report:
        for path in paths:
            progress(path)
        self.before(frozenset(paths))
        report = self.report
        with self.changed:
            self.applied.extend(paths)
            self.changed.notify_all()
        return report

    def embed_pending(self, deadline_s: float) -> bool:
        self.embedding()
        self.pending = max(0, self.pending - 10)
        return not self.pending

    def warm_up(self) -> None:
        self.warming()

    def search(
        self, request: Mapping[str, object], *, degraded: tuple[str, ...] = (), stale: bool = False
    ) -> dict[str, object]:
        self.searched.append(dict(request))
        return {"hits": [], "degraded": list(degraded), "stale": stale}

    def status(self) -> dict[str, object]:
        return {"notes": 0, "degraded": []}

    def why(self, path: str, request: Mapping[str, object], *, degraded: tuple[str, ...] = ()) -> dict[str, object]:
        return {"path": path, **request}

    def close(self) -> None:
        self.closed = True

    def wait_for(self, met: Callable[[FakeVault], bool]) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: met(self), WAIT_S)


def wait_until(met: Callable[[], object], timeout_s: float = WAIT_S) -> bool:
    """Wait for something that tells nobody when it happens."""
    deadline = time.monotonic() + timeout_s
    while not met():
        if time.monotonic() > deadline:
            return False
        threading.Event().wait(0.01)
    return True


def write_notes(root: Path, count: int, *, prefix: str = "note") -> None:
    for number in range(count):
        (root / f"{prefix}{number}.md").write_text(f"# {prefix} {number}\n\nword{number}\n")


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
