"""Lists that dreaming keeps in the state folder of this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from clawvault.vault.private_file import write_private_file


def read_list(path: Path) -> list[Any]:
    """Return the JSON list in a file; empty when it is missing or makes no sense."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def write_list(path: Path, values: list[Any]) -> None:
    """Write a JSON list, whole or not at all, readable by its owner alone."""
    write_private_file(path, json.dumps(values, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass") + b"\n")
