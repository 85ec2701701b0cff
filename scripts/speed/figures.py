"""Figures of one run as plain values: what was measured, what it may be, and how both are shown."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clawvault.evaluate.metrics import percentile

SCALES = {"s": 1.0, "ms": 1000.0, "MB": 1e-6, "%": 100.0, "x": 1.0, "/s": 1.0}


@dataclass(frozen=True)
class Bound:
    """What one figure of a row may be: ``least`` or ``most``, both inclusive."""

    figure: str
    most: float = math.inf
    least: float = -math.inf

    def holds(self, value: float) -> bool:
        """Say whether a value is within the bound."""
        return self.least <= value <= self.most


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Args:
        name: What was measured.
        values: One figure a run, in seconds, bytes, shares or a plain ratio, as ``unit`` says how to show them.
        unit: ``s``, ``ms``, ``MB``, ``%``, ``x`` or ``/s``.
        bounds: On ``median``, ``p95``, ``p99``, ``ratio`` or a name of ``extra``.
        floor: What the same cost at least, measured in the same run, in the unit of ``values``.
        floor_name: What the floor is.
        extra: Further figures by name.
        used: What stood in for what, in a few words.
        problem: Why the row has no figures; a row with a problem that is no skip has failed.
        skipped: Whether the problem is none of the product's.
    """

    name: str
    values: Sequence[float] = ()
    unit: str = "s"
    bounds: tuple[Bound, ...] = ()
    floor: float | None = None
    floor_name: str = ""
    extra: Mapping[str, float] = field(default_factory=dict)
    used: str = ""
    problem: str = ""
    skipped: bool = False

    @property
    def figures(self) -> dict[str, float]:
        """Return every figure by name."""
        found = dict(self.extra)
        if self.values:
            found |= {"median": statistics.median(self.values), "p95": percentile(self.values, 0.95)}
            found["p99"] = percentile(self.values, 0.99)
            if self.floor:
                found.setdefault("ratio", found["median"] / self.floor)
        return found

    @property
    def verdict(self) -> str:
        """Return ``ok``, ``over``, ``failed``, ``skipped`` or, for a row nobody set a target for, nothing."""
        if self.problem:
            return "skipped" if self.skipped else "failed"
        figures = self.figures
        if not self.bounds:
            return ""
        return "ok" if all(bound.holds(figures.get(bound.figure, math.nan)) for bound in self.bounds) else "over"

    def to_dict(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        bounds = [
            {"figure": b.figure}
            | ({"most": b.most} if b.most < math.inf else {})
            | ({"least": b.least} if b.least > -math.inf else {})
            for b in self.bounds
        ]
        return {
            "name": self.name,
            "unit": self.unit,
            "n": len(self.values),
            "values": list(self.values),
            "figures": self.figures,
            "bounds": bounds,
            "floor": self.floor,
            "floor_name": self.floor_name,
            "used": self.used,
            "problem": self.problem,
            "verdict": self.verdict,
        }


def show(value: float | None, unit: str) -> str:
    """Return a figure as a person reads it."""
    if value is None or math.isnan(value):
        return "-"
    scaled = value * SCALES[unit]
    digits = 0 if abs(scaled) >= 1000 else 1 if abs(scaled) >= 10 else 2 if abs(scaled) >= 1 else 3
    return f"{scaled:.{digits}f} {unit}"


def target_of(row: Row) -> str:
    """Return the bounds of a row in words."""
    parts = []
    for bound in row.bounds:
        unit = row.unit if bound.figure in {"median", "p95", "p99"} else "x"
        sign, value = ("<=", bound.most) if bound.most < math.inf else (">=", bound.least)
        parts.append(f"{bound.figure} {sign} {show(value, unit).removesuffix(' x')}")
    return ", ".join(parts)


def render_table(rows: Iterable[Row]) -> str:
    """Return the table, each row with a second line that says what it was measured with."""
    head = ("row", "target", "n", "median", "p95", "floor", "ratio", "")
    lines = [head]
    notes = [""]
    for row in rows:
        figures = row.figures
        lines.append(
            (
                row.name,
                target_of(row),
                str(len(row.values) or ""),
                show(figures.get("median"), row.unit),
                show(figures.get("p95"), row.unit),
                show(row.floor, row.unit),
                show(figures.get("ratio"), "x"),
                row.verdict,
            )
        )
        notes.append(describe(row))
    widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
    shown: list[str] = []
    for line, note in zip(lines, notes, strict=True):
        left = " ".join(line[place].ljust(widths[place]) for place in (0, 1))
        right = " ".join(line[place].rjust(widths[place]) for place in range(2, len(head)))
        shown += [f"{left} {right}".rstrip(), *([f"    {note}"] if note else [])]
    return "\n".join(shown)


def describe(row: Row) -> str:
    """Return what stands below a row: the problem, the floor's name, further figures, what was used."""
    if row.problem:
        return row.problem
    plain = {name: value for name, value in row.extra.items() if name != "ratio"}
    parts = [f"floor: {row.floor_name}"] if row.floor_name else []
    parts += [f"{name} {value:,.4g}" for name, value in plain.items()]
    return "; ".join(parts + ([row.used] if row.used else []))
