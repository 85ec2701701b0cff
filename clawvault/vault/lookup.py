"""The note a person means: by its path, without its ending, or by its bare name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from clawvault.config import Config
from clawvault.errors import NotFoundError
from clawvault.vault.ignoring import IgnoreRules
from clawvault.vault.listing import list_notes
from clawvault.vault.note_file import NoteFile, Skip, find_note

SHOWN_GUESSES = 3
# Left out on purpose, or only listed so that a person may tidy up; every other reason is a note that was not read.
HARMLESS = frozenset({"ignored", "conflict-copy", "case-twin", "folder", "loop", "not-a-file"})
SEE_NOTES = 'Run "clawvault tree" to see the notes.'


def look_up(root: Path, asked: str, rules: IgnoreRules, config: Config) -> NoteFile | Skip:
    """Find the note that a path stands for.

    Args:
        root: The vault.
        asked: A vault path as ``parse_note_path`` gives it; the ending of a note may be missing.
        rules: What is ignored.
        config: ``index.extensions`` and ``index.max_note_bytes``.

    Returns:
        The note, or the reason why it is passed over.

    Raises:
        NotFoundError: There is no such note; the hint names notes of that name in other folders.
    """
    for path in (asked, *(f"{asked}.{ending}" for ending in config.index.extensions)):
        found = find_note(root, path, rules, config)
        if found is not None:
            return found
    if os.path.lexists(root / asked):
        folder = (root / asked).is_dir()
        hint = "Run clawvault tree with its path to see the notes in it." if folder else SEE_NOTES
        raise NotFoundError(f'"{asked}" is a {"folder" if folder else "file"}, not a note.', hint)
    guesses = _guesses(asked, list_notes(root, rules, config).files)
    raise NotFoundError(f'There is no note "{asked}".', f"Did you mean {guesses}?" if guesses else SEE_NOTES)


def refusal(skip: Skip) -> NotFoundError:
    """Return the error for a note that stays out of every search."""
    return NotFoundError(
        f'"{skip.path}" is left out: {describe(skip)}.', "What is left out of the search is not read either."
    )


def describe(skip: Skip) -> str:
    """Return why something is passed over, in words."""
    return f"{skip.reason} ({skip.detail})" if skip.detail else skip.reason


def is_harmless(root: Path, skip: Skip) -> bool:
    """Say whether something is left out on purpose, or is no note at all, rather than a note that cannot be read.

    A link to something that is there is left out on purpose; one to nothing is a note that is lost (B013).
    """
    if skip.reason != "symlink":
        return skip.reason in HARMLESS
    try:
        (root / skip.path).stat()
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _guesses(asked: str, paths: Iterable[str]) -> str:
    wanted = asked.casefold()
    found = [path for path in paths if wanted in _names(path.casefold())]
    return " or ".join(f'"{path}"' for path in found[:SHOWN_GUESSES])


def _names(path: str) -> set[str]:
    """Return what a note may be called by: each end of its path, with and without the ending of the file."""
    parts = path.split("/")
    ends = ["/".join(parts[start:]) for start in range(len(parts))]
    return {*ends, *(end.rpartition(".")[0] for end in ends)}
