"""The notes that say who an agent is: people change them, tools do not (IW-79, T05)."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from clawvault.guard.prompt_names import fold_name, imitated_name, is_disguised

__all__ = ["IDENTITY_NAMES", "RESERVED_FOLDER", "find_protected", "fold_name", "is_prompt_file", "is_reserved"]

# BOOTSTRAP.md is what an agent does when it first wakes, so a text put there is as good as an order.
IDENTITY_NAMES = ("AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md", "BOOTSTRAP.md")
RESERVED_FOLDER = "threads"
# Tools write these too: what is in them is given to agents as notes, never as orders.
_WRITTEN_BY_TOOLS = frozenset({"MEMORY.md", "HEARTBEAT.md"})


def find_protected(root: Path, relative: str, seen: os.stat_result | None = None) -> str | None:
    """Find the identity file that a path, or the file behind it, stands for.

    Args:
        root: The vault.
        relative: Vault path with ``/``, in any form of case and Unicode.
        seen: What the disk says of the file of that path; ``None`` when there is none.

    Returns:
        The name of the identity file, or ``None`` when the path is one of an ordinary note. A hard link of an
        identity file, and the note that one is a link to, count as the file.

    Cost: One stat for each identity file.
    Source: IW-79, T05.
    """
    folded = fold_name(relative)
    for name in IDENTITY_NAMES:
        if folded == fold_name(name):
            return name
    if seen is None or not seen.st_ino:
        return None
    return next((name for name in IDENTITY_NAMES if _is_same_file(root / name, seen)), None)


def is_prompt_file(relative: str) -> bool:
    """Say whether a path has a name that some agent takes orders from, in whatever folder it finds it.

    A name that looks like such a one to a person counts as well.

    Args:
        relative: Vault path with ``/``, in any form of case and Unicode.

    Source: IW-79, T05, T06, T20.
    """
    name = relative.rpartition("/")[2]
    found = imitated_name(name)
    return bool(found) and (found not in _WRITTEN_BY_TOOLS or is_disguised(name))


def is_reserved(relative: str) -> bool:
    """Say whether a path lies where only the recorder of conversations writes (MN-52)."""
    return fold_name(relative.partition("/")[0]) == RESERVED_FOLDER


def _is_same_file(path: Path, seen: os.stat_result) -> bool:
    # Followed on purpose: the note that an identity file is a link to is what an agent reads.
    with suppress(OSError, ValueError):
        there = path.stat()
        return (there.st_dev, there.st_ino) == (seen.st_dev, seen.st_ino)
    return False
