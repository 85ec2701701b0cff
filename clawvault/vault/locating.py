"""Which vault a command is about."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from clawvault.errors import NotFoundError
from clawvault.vault.paths import find_vault


def locate_vault(path: str | os.PathLike[str] | None, environment: Mapping[str, str]) -> Path:
    """Return the vault folder for a path, the environment or the present folder, in that order.

    A vault that is named must be there itself: one that lies above it by chance would give the wrong answers.

    Args:
        path: The vault; ``None`` asks ``CLAWVAULT_VAULT``, then the present folder and those above it.
        environment: Where ``CLAWVAULT_VAULT`` is looked up.

    Raises:
        NotFoundError: There is no vault there.
    """
    given = path if path is not None else environment.get("CLAWVAULT_VAULT")
    try:
        start = Path(os.path.abspath(Path(given).expanduser())) if given else Path.cwd()
        root = find_vault(start)
    except (RuntimeError, OSError, ValueError) as error:
        raise NotFoundError(f'No vault found at "{given or "."}": {error}.', "Pass --vault with its folder.") from error
    if root is None or (given and root != start):
        place = "DIR" if _is_nobodys_vault(start) else start
        where = "" if given else " or above it"
        raise NotFoundError(f'No vault found at "{start}"{where}.', f'Run "clawvault init {place}", or pass --vault.')
    return root


def _is_nobodys_vault(folder: Path) -> bool:
    """Say whether a folder holds everything a person has, so that nobody should be told to adopt it."""
    try:
        home = Path.home()
    except RuntimeError:
        return folder == folder.parent
    return home.is_relative_to(folder) or folder == folder.parent
