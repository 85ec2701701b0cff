"""Where old notes are put away, and where each came from: pure.

The place says it all: ``memory/2025-03-01.md`` goes to ``archive/2025/memory/2025-03-01.md``. So a note finds its way
back without a list of what was moved, and a folder called ``archive`` that is kept in another way is none of these.
"""

from __future__ import annotations

import re
from datetime import date

ARCHIVE = "archive"
# As SQLite's GLOB has it.
ARCHIVED_GLOB = f"{ARCHIVE}/[0-9][0-9][0-9][0-9]/*"
_ARCHIVED = re.compile(rf"{ARCHIVE}/[0-9]{{4}}/(.+)", re.DOTALL)


def is_archived(path: str) -> bool:
    """Say whether a vault path lies where notes are put away."""
    return _ARCHIVED.fullmatch(path) is not None


def archived_path(path: str, day: date) -> str:
    """Return where the note of a day is put away."""
    return f"{ARCHIVE}/{day.year:04}/{path}"


def original_path(path: str) -> str | None:
    """Return where a note that is put away came from; ``None`` for any other path."""
    found = _ARCHIVED.fullmatch(path)
    return None if found is None else found[1]
