"""Why a note is not in the index at all."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from clawvault.config import Config
from clawvault.index.store import Store
from clawvault.vault.ignoring import read_ignore_rules
from clawvault.vault.lookup import describe, look_up
from clawvault.vault.note_file import Skip
from clawvault.vault.paths import parse_note_path

NOT_INDEXED = "The note is not indexed yet: run clawvault index."


def find_absence(asked: str, root: Path, state: Path, config: Config, store: Store | None) -> tuple[str, str]:
    """Find the note that is meant, and say why it is not in the index.

    Args:
        asked: Vault path of the note; the ending of the file may be missing.
        root: The vault.
        state: Its state folder.
        config: All settings.
        store: The index; ``None`` when there is none yet.

    Returns:
        The path of the note, and one sentence; empty when the note is in the index.

    Raises:
        NotFoundError: There is no such note.
        UsageError: The path is not one of a note.
    """
    found = look_up(root, parse_note_path(asked), read_ignore_rules(root, config, state), config)
    if isinstance(found, Skip):
        return found.path, f"The note is left out: {describe(found)}."
    path = found.path
    skips = {} if store is None else {skip.path: skip for skip in store.list_skips()}
    for place in (path, *(parent.as_posix() for parent in PurePosixPath(path).parents)):
        if place in skips:
            return path, f"The note is left out: {describe(skips[place])}."
    return path, NOT_INDEXED if store is None or store.find_note(path) is None else ""
