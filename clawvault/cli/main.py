"""Where a process enters: all else is imported under a hand that takes an interrupt."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from clawvault.cli.group import COMMANDS, COMPLETE_VARIABLE, PROGRAM, cli

__all__ = ["COMMANDS", "COMPLETE_VARIABLE", "PROGRAM", "cli", "main"]

INTERRUPTED = 130
# More than a short command makes, and little for one that goes on for days.
OBJECTS_BEFORE_A_LOOK = 40_000


def main() -> NoReturn:
    """Run ``clawvault``, to the end of this process."""
    # What a short command imports is no garbage: looking through it while it comes, and again when the process ends,
    # takes as long as many a command itself.
    gc.set_threshold(OBJECTS_BEFORE_A_LOOK)
    codes: list[int] = []
    # The first one to register is the last one to be called. Whoever was there before, as a measurement of coverage
    # is, would be called later still: it needs the ordinary end.
    if not atexit._ncallbacks():
        atexit.register(_leave, codes)
    try:
        from clawvault.cli.group import run

        codes.append(run())
    except KeyboardInterrupt:
        # A command says itself that it was interrupted; before and after it nothing is under way.
        codes.append(INTERRUPTED)
    sys.exit(codes[-1])


def _leave(codes: list[int]) -> None:
    """End the process as the last of its exit callbacks.

    What follows would free each module and object by itself, which takes longer than a daemon takes to answer. By now
    threads are joined and everybody else was called, so all that is left to do is to write out what is in a buffer.

    Args:
        codes: The exit code; empty when the command line ended in a way of its own, which the interpreter has to tell.
    """
    if not codes:
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return  # the interpreter tries again, and says that it cannot
    os._exit(codes[-1])


def __getattr__(name: str) -> Any:
    # A console script imports this module before anything can take an interrupt, so it imports nothing itself.
    if name in __all__:
        from clawvault.cli import group

        return getattr(group, name)
    raise AttributeError(name)
