"""Where a process enters: all else is imported under a hand that takes an interrupt."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clawvault.cli.group import COMMANDS, COMPLETE_VARIABLE, PROGRAM, cli

__all__ = ["COMMANDS", "COMPLETE_VARIABLE", "PROGRAM", "cli", "main"]

INTERRUPTED = 130


def main() -> None:
    """Run ``clawvault``."""
    try:
        from clawvault.cli.group import run

        run()
    except KeyboardInterrupt:
        # A command says itself that it was interrupted; before and after it nothing is under way.
        sys.exit(INTERRUPTED)


def __getattr__(name: str) -> Any:
    # A console script imports this module before anything can take an interrupt, so it imports nothing itself.
    if name in __all__:
        from clawvault.cli import group

        return getattr(group, name)
    raise AttributeError(name)
