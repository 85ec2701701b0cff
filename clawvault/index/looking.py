"""Tell by a glance that a comparison would find what the last one found: nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from clawvault.index.store import Store
from clawvault.vault.glance import Glance, take_glance
from clawvault.vault.listing import Listing

# A glance trusts the times of folders, which not every disk keeps: so often everything is listed all the same.
FULL_AGAIN_S = 10.0
# What a glance remembers takes some 300 bytes a note.
MOST_NOTES = 20_000


class LastLook:
    """What a writer that compares again and again remembers of a comparison that found nothing to do.

    Questions to a daemon have it look at the disk, and wait for that. A glance takes a third of the time of listing
    everything and reading the table of notes.

    Args:
        root: The vault.
        store: The index; whatever is written to it ends what is remembered.
        clock: Seconds that only grow.
    """

    def __init__(self, root: Path, store: Store, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._root = root
        self._store = store
        self._clock = clock
        self._found: tuple[Listing, int] | None = None
        self._glance: Glance | None = None
        self._version = 0
        self._compared_at = 0.0

    def remember(self, listing: Listing, listed_ns: int) -> None:
        """Remember a listing that the index was found to equal.

        Args:
            listing: What was listed.
            listed_ns: When that began, by the wall clock.
        """
        self.forget()
        if len(listing.files) <= MOST_NOTES:
            self._found = listing, listed_ns
            self._version, self._compared_at = self._store.version(), self._clock()

    def forget(self) -> None:
        """Have the next comparison list everything."""
        self._found = self._glance = None

    def find_unchanged(self) -> Listing | None:
        """Return what was listed last if neither disk nor index was touched since, else ``None``.

        Cost: one ``lstat`` a note and a folder.
        """
        if self._found is None:
            return None
        listing, listed_ns = self._found
        if self._version == self._store.version() and self._clock() - self._compared_at < FULL_AGAIN_S:
            if self._glance is None:
                self._glance = take_glance(self._root, listing, listed_ns=listed_ns)
                is_true = self._glance is not None
            else:
                is_true = self._glance.is_still_true()
            if is_true:
                return listing
        self.forget()
        return None
