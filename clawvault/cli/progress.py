"""How far long work is: one line that changes on a terminal, a line every five seconds elsewhere; on standard error."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from clawvault.cli.terminal import is_terminal

LINE_EVERY_S = 5.0
DRAW_EVERY_S = 0.1
# Rate and time left come from so many seconds back, later from the second half of the stage: what a model took to load
# says nothing about the rest, and the pace of a moment jumps with the length of the texts.
RATE_OVER_S = 15.0
RATE_OVER_SHARE = 0.5
SEEN_EVERY_S = 0.5
MOST_BAR_SIGNS = 30
LEAST_BAR_SIGNS = 5
LABELS = {
    "compare": "Comparing notes",
    "notes": "Reading notes",
    "texts": "Embedding texts",
    "finish": "Finishing",
    "questions": "Asking questions",
    "cases": "Trying cases",
}

Progress = Callable[[str, int, int], None]


@contextmanager
def show_progress(*, after_s: float = 0.0, interrupted: str = "") -> Iterator[Progress]:
    """Show how far work is while the context lasts.

    Args:
        after_s: Seconds in which nothing is shown, for work that is mostly done by then.
        interrupted: What a person who ends it early is told after how far it came; empty says nothing.
    """
    shown: Bar | PlainProgress
    shown = Bar(time.monotonic, after_s=after_s) if is_terminal(sys.stderr) else PlainProgress(time.monotonic)
    try:
        yield shown.report
    except KeyboardInterrupt:
        shown.clear()
        if interrupted:
            click.echo(f"{shown.pace.describe()}. {interrupted}", err=True)
        raise
    finally:
        shown.clear()


class Pace:
    """How far the present stage is, and how fast it has been of late.

    Args:
        clock: Seconds that only go forward.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()
        self._began = 0.0
        self.stage = ""
        self.done = self.total = 0

    @property
    def label(self) -> str:
        """Return the stage in words."""
        return LABELS.get(self.stage, self.stage) or "Starting"

    def take(self, stage: str, done: int, total: int) -> float:
        """Take one step; return the time of it."""
        now = self._clock()
        if stage != self.stage:
            self._seen.clear()
            self._began = now
        self.stage, self.done, self.total = stage, done, total
        if len(self._seen) > 1 and now - self._seen[-2][0] < SEEN_EVERY_S:
            self._seen.pop()
        self._seen.append((now, done))
        over_s = max(RATE_OVER_S, RATE_OVER_SHARE * (now - self._began))
        while now - self._seen[0][0] > over_s and len(self._seen) > 2:
            self._seen.popleft()
        return now

    def rate(self) -> float:
        """Return how many are done a second, 0 when that is not known yet."""
        if not self._seen:
            return 0.0
        (began, first), (now, done) = self._seen[0], self._seen[-1]
        return (done - first) / (now - began) if now > began else 0.0

    def left_s(self) -> float | None:
        """Return how many seconds are left, ``None`` when that is not known yet."""
        rate = self.rate()
        return (self.total - self.done) / rate if rate else None

    def describe(self) -> str:
        """Say how far it is."""
        return f"{self.label}: {self.done} of {self.total}" if self.total else self.label


class PlainProgress:
    """Say every five seconds how far a stage is, for logs and pipes.

    Args:
        clock: Seconds that only go forward.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.pace = Pace(clock)
        self._said = clock()

    def report(self, stage: str, done: int, total: int) -> None:
        """Take one step; prints a line when the last one is old enough."""
        is_new = stage != self.pace.stage
        now = self.pace.take(stage, done, total)
        if is_new:
            self._said = now
        if now - self._said < LINE_EVERY_S:
            return
        self._said = now
        left_s = self.pace.left_s()
        left = "" if left_s is None else f", {render_time(left_s)} left"
        click.echo(f"{self.pace.describe()}, {self.pace.rate():.0f} a second{left}", err=True)

    def clear(self) -> None:
        """Leave what was said."""


class Bar:
    """Draw how far a stage is on one line of a terminal, which is taken away in the end.

    Args:
        clock: Seconds that only go forward.
        after_s: Seconds in which nothing is drawn.
    """

    def __init__(self, clock: Callable[[], float], *, after_s: float = 0.0) -> None:
        self.pace = Pace(clock)
        self._draw_at = clock() + after_s
        self._n_drawn = 0

    def report(self, stage: str, done: int, total: int) -> None:
        """Take one step; draws at most ten times a second, and each new stage at once."""
        is_new = stage != self.pace.stage and self._n_drawn > 0
        now = self.pace.take(stage, done, total)
        if now < self._draw_at and not is_new:
            return
        # Imported here: every search imports this module, and few draw.
        import shutil

        self._draw_at = now + DRAW_EVERY_S
        line = render_bar(self.pace, shutil.get_terminal_size().columns - 1, _signs())
        # Spaces wipe what was longer: consoles that know no escape sequences get none.
        self._write(f"\r{line:<{self._n_drawn}}")
        self._n_drawn = len(line)

    def clear(self) -> None:
        """Take the line away."""
        if self._n_drawn:
            self._write(f"\r{'':<{self._n_drawn}}\r")
            self._n_drawn = 0

    @staticmethod
    def _write(text: str) -> None:
        click.echo(text, nl=False, err=True)


def render_bar(pace: Pace, width: int, signs: tuple[str, str]) -> str:
    """Render how far a stage is.

    Args:
        pace: The stage.
        width: The most signs, 1 or more; what has no room is left out, the time left last.
        signs: What stands for done and for not done, one sign each.

    Returns:
        One line of at most ``width`` signs.
    """
    if not pace.total:
        return f"{pace.label}…"[:width]
    count = f"{pace.done}/{pace.total}"
    rate, left_s = pace.rate(), pace.left_s()
    facts = [count, f"{rate:.0f}/s" if rate else "", "" if left_s is None else f"{render_time(left_s)} left"]
    said = "  ".join(fact for fact in facts if fact)
    room = width - len(pace.label) - len(said) - 2
    if room >= LEAST_BAR_SIGNS + 2:
        n_signs = min(room - 2, MOST_BAR_SIGNS)
        n_done = n_signs * pace.done // pace.total
        return f"{pace.label}  {signs[0] * n_done}{signs[1] * (n_signs - n_done)}  {said}"
    for line in (f"{pace.label}  {said}", f"{pace.label}  {count}", said, count):
        if len(line) <= width:
            return line
    return count[:width]


def render_time(seconds: float) -> str:
    """Render a length of time as ``12 s``, ``3:05`` or ``2:03:05``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _signs() -> tuple[str, str]:
    try:
        "━─…".encode(sys.stderr.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "#", "-"
    return "━", "─"
