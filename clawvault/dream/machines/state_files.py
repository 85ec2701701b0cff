"""What dreaming keeps inside the vault, in ``memory/.dreams/``: JSON that people read and sync tools carry (OC-41).

These are no notes: they are never indexed, nobody edits them, and no undo copy is kept of them. Each is written whole
or not at all, and only when it says something else than before.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from clawvault.errors import ClawvaultError
from clawvault.vault.paths import open_inside
from clawvault.vault.writing.creating import disk_faults
from clawvault.vault.writing.folder import Folder, temporary_name

FOLDER = ("memory", ".dreams")
FOLDER_PATH = "/".join(FOLDER)
MAX_BYTES = 20_000_000


def read_state(root: Path, *names: str) -> Any:
    """Return what a file of ``memory/.dreams/`` holds; ``None`` when it is missing or makes no sense."""
    data = read_bytes(root, *names)
    try:
        return None if data is None else json.loads(data)
    except (ValueError, RecursionError):
        return None


def read_bytes(root: Path, *names: str) -> bytes | None:
    """Return the bytes of a file of ``memory/.dreams/``; ``None`` when there is none."""
    try:
        with open_inside(root, "/".join([*FOLDER, *names])) as handle:
            return handle.read(MAX_BYTES)
    except (ClawvaultError, OSError):
        return None


def render(value: Any) -> bytes:
    """Return JSON that a person can read and that is the same on every machine."""
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True).encode("utf-8", "surrogatepass") + b"\n"


def write_state(root: Path, value: Any, *names: str) -> bool:
    """Write a file of ``memory/.dreams/``, unless it says the same already.

    Returns:
        Whether it was written.

    Raises:
        ClawvaultError: A link is in the way, or the disk refused.
    """
    data = render(value)
    if read_bytes(root, *names) == data:
        return False
    relative = "/".join([*FOLDER, *names])
    with disk_faults("write", relative):
        folder = Folder.reach(root, [*FOLDER, *names[:-1]])
        try:
            temporary = temporary_name()
            folder.write_new(temporary, data)
            try:
                folder.replace(temporary, names[-1])
            except OSError:
                folder.remove(temporary)
                raise
            folder.sync()
        finally:
            folder.close()
    return True


def create_state(root: Path, data: bytes, name: str) -> bool:
    """Make a file of ``memory/.dreams/`` with all its bytes at once; ``False`` when it is there already (OC-57).

    Raises:
        ClawvaultError: A link is in the way, or the disk refused.
    """
    with disk_faults("write", f"{FOLDER_PATH}/{name}"):
        folder = Folder.reach(root, list(FOLDER))
        try:
            temporary = temporary_name()
            folder.write_new(temporary, data)
            try:
                return folder.give_name(temporary, name)
            finally:
                with suppress(FileNotFoundError):
                    folder.remove(temporary)
        finally:
            folder.close()


def remove_state(root: Path, name: str) -> None:
    """Remove a file of ``memory/.dreams/`` that this program made; nothing happens when it is gone."""
    with suppress(OSError):
        folder = Folder.reach(root, list(FOLDER), make=False)
        try:
            folder.remove(name)
        finally:
            folder.close()
