"""How long each stage of one question takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stages:
    """Milliseconds by stage, in the order in which stages were first entered; a stage entered twice adds up."""

    def __init__(self) -> None:
        self.took_ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time until the end of the block to a stage; blocks must not lie within each other."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.took_ms[name] = self.took_ms.get(name, 0.0) + (time.perf_counter() - began) * 1000
