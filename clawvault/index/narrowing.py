"""Compare a few edited notes with the index without looking at all the others.

An edit of a note that the index knows, and that is still there under its name, says nothing of any other note: nothing
is added, nothing vanished, nothing can have moved, and no brake is to be judged. This is what happens all day long.
Everything else takes the comparison of everything (I07, I10).
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from clawvault.config import Config
from clawvault.index.changes import ChangeSet, plan_changes
from clawvault.index.records import KnownNote
from clawvault.index.store import Store
from clawvault.vault.ignoring import read_ignore_rules
from clawvault.vault.listing import Listing, NoteFile, find_note, vault_problem

# Looking up so many one by one costs as much as listing a few thousand.
FEW_PATHS = 50


def compare_known(
    root: Path, state: Path, config: Config, store: Store, paths: Collection[str], *, generation: int = 0
) -> tuple[Listing, dict[str, KnownNote], ChangeSet] | None:
    """Compare notes that were edited in place.

    Args:
        root: The vault.
        state: Its state folder.
        config: All settings.
        store: The index.
        paths: What may have changed.
        generation: Notes cut for an earlier generation are suspects too.

    Returns:
        What ``compare`` returns, with these notes alone; ``None`` when any of them is new, gone, a folder or left out.
    """
    if not 0 < len(paths) <= FEW_PATHS or vault_problem(root):
        return None
    files: dict[str, NoteFile] = {}
    known: dict[str, KnownNote] = {}
    rules = None
    for path in sorted(paths):
        note = store.find_note(path)
        if note is None:
            return None
        rules = rules or read_ignore_rules(root, config, state)
        file = find_note(root, path, rules, config)
        if not isinstance(file, NoteFile) or file.path != path:
            return None
        files[path], known[path] = file, note
    listing = Listing(files, (), (), healthy=True, problem="")
    return listing, known, plan_changes(listing, known, generation=generation)
