"""What a write that was cut short leaves behind."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

LEFTOVER = re.compile(r"\.clawvault-[0-9a-f]{16}\.tmp")
LEFTOVER_AGE_S = 3600.0


def remove_leftovers(root: Path, now: float) -> int:
    """Remove what a write that was cut short left behind (F01, F02).

    Args:
        root: The vault.
        now: Seconds since 1970; a file younger than an hour may still be in use.

    Returns:
        How many files were removed.
    """
    removed = 0
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if not name.startswith(".")]
        for name in filter(LEFTOVER.fullmatch, names):
            path = os.path.join(folder, name)  # noqa: PTH118 - names stay as they are
            # One that cannot be removed is hidden and does no harm.
            with suppress(OSError):
                found = os.lstat(path)
                if stat.S_ISREG(found.st_mode) and now - found.st_mtime > LEFTOVER_AGE_S:
                    os.unlink(path)  # noqa: PTH108
                    removed += 1
    return removed
