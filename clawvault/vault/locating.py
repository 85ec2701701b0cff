"""Which vault a command is about."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from clawvault.errors import NotFoundError
from clawvault.vault.paths import find_vault


def locate_vault(path: str | os.PathLike[str] | None, environment: Mapping[str, str]) -> Path:
    """Return the vault folder for a path, the environment or the present folder, in that order.

    Args:
        path: The vault, or a folder inside it; ``None`` asks ``CLAWVAULT_VAULT``, then the present folder.
        environment: Where ``CLAWVAULT_VAULT`` is looked up.

    Raises:
        NotFoundError: There is no vault there or above.
    """
    given = path if path is not None else environment.get("CLAWVAULT_VAULT")
    start = Path(given).expanduser() if given else Path.cwd()
    root = find_vault(start.absolute())
    if root is None:
        raise NotFoundError(
            f'No vault found at "{start}" or above it.', f'Run "clawvault init {start}", or pass --vault.'
        )
    return root
