"""Compare what is on disk with what the index knows: pure, so that every start, wake and event does the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from clawvault.index.records import KnownNote
from clawvault.vault.listing import KEEP_REASONS, Listing, NoteFile

BRAKE_NOTES = 200
BRAKE_SHARE = 0.5
# A handful of notes is a person tidying up, whatever share of a small vault it is.
BRAKE_FLOOR = 5


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """All facts of one comparison, each tuple in path order.

    ``added`` are files the index does not know, ``suspects`` files whose stat differs (a hash tells whether they
    changed), ``vanished`` paths that are gone. ``brake`` says why vanished notes must not be pruned, or is empty; it is
    judged before anything is read, when a moved note still looks like a vanished one. ``n_unsure`` suspects are such
    only because they were read in the moment they were written.
    """

    added: tuple[NoteFile, ...]
    suspects: tuple[NoteFile, ...]
    vanished: tuple[str, ...]
    brake: str
    n_unsure: int = 0

    @property
    def is_empty(self) -> bool:
        """Say whether disk and index are surely the same."""
        return not (self.added or self.suspects or self.vanished)

    @property
    def n_behind(self) -> int:
        """Return how many notes the index is likely to be behind by."""
        return len(self.added) + len(self.suspects) + len(self.vanished) - self.n_unsure


def plan_changes(
    listing: Listing, known: Mapping[str, KnownNote], *, generation: int = 0, verify: bool = False
) -> ChangeSet:
    """Compare a listing of the vault with the index.

    Args:
        listing: What is on disk.
        known: What the index holds, by path.
        generation: Notes cut for an earlier generation than this are suspects too.
        verify: Take every file as a suspect, for a check by content (B025, F16).
    """
    added = tuple(listing.files[path] for path in sorted(listing.files.keys() - known.keys()))
    suspects = sorted(
        file
        for path, file in listing.files.items()
        if (note := known.get(path)) is not None
        and (verify or note.stale or note.generation < generation or not note.same_stat(file))
    )
    kept = {skip.path for skip in listing.skips if skip.reason in KEEP_REASONS}
    vanished = tuple(
        path for path in sorted(known.keys() - listing.files.keys() - kept) if not _below_any(path, listing.unreadable)
    )
    n_unsure = sum(known[file.path].is_unsure_of(file) for file in suspects)
    return ChangeSet(added, tuple(suspects), vanished, find_brake(listing, len(known), len(vanished)), n_unsure)


def _below_any(path: str, folders: tuple[str, ...]) -> bool:
    return any(not folder or path == folder or path.startswith(f"{folder}/") for folder in folders)


def find_brake(listing: Listing, n_known: int, n_vanished: int) -> str:
    """Say why deletions must wait for a person, or return an empty string (I10, B045, F19).

    Args:
        listing: What is on disk.
        n_known: How many notes the index held before.
        n_vanished: How many of them are gone.
    """
    if not listing.healthy:
        return listing.problem
    if n_vanished > BRAKE_NOTES or (n_vanished >= BRAKE_FLOOR and n_vanished > BRAKE_SHARE * n_known):
        return f"{n_vanished} of {n_known} notes are gone at once"
    return ""
