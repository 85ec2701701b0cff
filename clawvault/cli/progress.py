"""How far indexing is: a bar on a terminal, a line every five seconds elsewhere, always on standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from clawvault.cli.terminal import is_terminal

LINE_EVERY_S = 5.0
LABELS = {
    "notes": "Reading notes",
    "texts": "Embedding texts",
    "questions": "Asking questions",
    "cases": "Trying cases",
}

Progress = Callable[[str, int, int], None]


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Show the progress of an index run while the context lasts."""
    if is_terminal(sys.stderr):
        with _bar() as report:
            yield report
    else:
        yield PlainProgress(time.monotonic).report


class PlainProgress:
    """Say now and then how far a stage is, for logs and pipes.

    Args:
        clock: Seconds that only go forward.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._stage = ""
        self._began = self._said = clock()

    def report(self, stage: str, done: int, total: int) -> None:
        """Take one step; prints at most every five seconds."""
        now = self._clock()
        if stage != self._stage:
            self._stage, self._began, self._said = stage, now, now
        if now - self._said < LINE_EVERY_S:
            return
        self._said = now
        rate = done / (now - self._began)
        left = f", {(total - done) / rate:.0f} s left" if rate else ""
        click.echo(f"{LABELS.get(stage, stage)}: {done} of {total}, {rate:.0f} a second{left}", err=True)


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TaskID, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:.0f}/s" if task.speed else "")

    console = Console(stderr=True, no_color=bool(os.environ.get("NO_COLOR")))
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                for earlier in tasks.values():
                    progress.update(earlier, completed=progress.tasks[earlier].total)
                tasks[stage] = progress.add_task(LABELS.get(stage, stage), total=total)
            progress.update(tasks[stage], completed=done, total=total)

        yield report
