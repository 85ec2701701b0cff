"""Make a file of the vault, whole or not at all, and never over another."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clawvault.errors import ClawvaultError, UsageError
from clawvault.vault.paths import name_problem, parse_note_path, visible
from clawvault.vault.writing.folder import Folder, temporary_name


def create_note(root: Path, relative: str, data: bytes) -> bool:
    """Create a file of the vault, whole or not at all, and never over another.

    Args:
        root: The vault.
        relative: Its path; folders on the way are made.
        data: Its whole content.

    Returns:
        Whether it was created; ``False`` when something of that name is already there, in any Unicode form.

    Raises:
        UsageError: The path is not one inside the vault.
        ConflictError: The note exists under a name that differs in case, or its content is still in the cloud (B041).
        ClawvaultError: A link is in the way, or the disk refused.

    Source: I02, B041, T02, T11.
    """
    parts = parse_parts(relative)
    with disk_faults("create", relative):
        folder = Folder.reach(root, parts[:-1])
        try:
            return create_in(folder, parts[-1], data, relative)
        finally:
            folder.close()


def create_in(folder: Folder, name: str, data: bytes, relative: str) -> bool:
    """Create a file in an open folder; ``False`` when something of that name is there."""
    if name in {unicodedata.normalize("NFC", found) for found in folder.names()}:
        return False
    folder.refuse_taken(name, relative)
    temporary = temporary_name()
    folder.write_new(temporary, data)
    try:
        created = folder.give_name(temporary, name)
    finally:
        with suppress(FileNotFoundError):
            folder.remove(temporary)
    folder.sync()
    return created


def parse_parts(relative: str) -> list[str]:
    """Return the names in a path of the vault, in NFC.

    Raises:
        UsageError: It is not one inside the vault.
    """
    parts = parse_note_path(relative).split("/")
    if problem := next((found for part in parts if (found := name_problem(part))), ""):
        raise UsageError(f'Cannot create "{visible(relative)}": {problem}.')
    return parts


@contextmanager
def disk_faults(verb: str, relative: str) -> Iterator[None]:
    """Turn what the disk refused into an error that names the note."""
    try:
        yield
    except OSError as error:
        raise ClawvaultError(
            f'Cannot {verb} "{visible(relative)}": {error.strerror or error}.',
            "Check that the vault is writable and has space, and that no link is in the way.",
        ) from error
