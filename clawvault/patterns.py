"""Patterns made at their first use: all of them together take as long as a short command."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(source: str) -> re.Pattern[str]:
    """Return a pattern, made once in a process.

    Args:
        source: Of the pattern, with its flags in front.
    """
    return re.compile(source)
