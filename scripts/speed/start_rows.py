"""Rows about the time until a command line answers at all."""

from __future__ import annotations

import statistics
from dataclasses import replace

from environment import clean_environment

from speed.figures import Bound, Row
from speed.processes import bare_python, program, run_timed, take_turns
from speed.workshop import Workshop

RUNS = 30


def measure_start(workshop: Workshop) -> list[Row]:
    """Measure ``--version`` and ``--help``."""
    environment = clean_environment()
    runs = RUNS // 2 if workshop.short else RUNS
    acts = [
        lambda: run_timed([*program(), "--version"], environment)[0],
        lambda: run_timed([*program(), "--help"], environment)[0],
        bare_python(),
        bare_python("import click"),
    ]
    version, help_, bare, click = take_turns(acts, most=runs, budget_s=20)
    row = Row(
        "clawvault --version",
        version,
        bounds=(Bound("median", 0.12),),
        floor=statistics.median(bare),
        floor_name="python -c pass",
        extra={"import click, s": statistics.median(click)},
        used="whole process",
    )
    return [row, replace(row, name="clawvault --help", values=help_, bounds=(Bound("median", 0.2),))]
