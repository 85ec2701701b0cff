"""Where the time of a command goes: stages that add up to the total."""

from __future__ import annotations

import time
from collections.abc import Mapping

from clawvault.cli.terminal import warn


class Timings:
    """Milliseconds by stage, from the start of the process on.

    ``start`` is the processor time before the command began: the interpreter, its modules and the command line. No
    system tells a process portably how long it waited before it could look at a clock.
    """

    def __init__(self) -> None:
        self.took_ms: dict[str, float] = {"start": time.process_time() * 1000}
        self._since = time.perf_counter()

    def end_stage(self, name: str, parts: Mapping[str, float] | None = None) -> None:
        """Give the time since the last stage to a stage.

        Args:
            name: The stage.
            parts: Milliseconds of stages within it, which are listed before it; it keeps what they leave.
        """
        now = time.perf_counter()
        took = (now - self._since) * 1000
        self._since = now
        for part, part_ms in (parts or {}).items():
            self._add(part, part_ms)
            took -= part_ms
        self._add(name, max(0.0, took))

    def to_dict(self) -> dict[str, float]:
        """Return the milliseconds of each stage in order, and ``total``."""
        stages = {name: round(took, 3) for name, took in self.took_ms.items()}
        return {**stages, "total": round(sum(stages.values()), 3)}

    def show(self) -> None:
        """Say on standard error how long each stage took, one a line."""
        rows = self.to_dict()
        width = max(map(len, rows))
        for name, took in rows.items():
            warn(f"{name:<{width}}  {took:>10.1f} ms")

    def _add(self, name: str, took_ms: float) -> None:
        self.took_ms[name] = self.took_ms.get(name, 0.0) + took_ms


class StageTimes:
    """Take the steps of a long run for ``Timings``: a stage ends where the next one begins."""

    def __init__(self, timings: Timings) -> None:
        self._timings = timings
        self._stage = "open"

    def report(self, stage: str, _done: int, _total: int) -> None:
        """Take one step."""
        if stage != self._stage:
            self._timings.end_stage(self._stage)
            self._stage = stage

    def finish(self) -> None:
        """End the last stage."""
        self._timings.end_stage(self._stage)
