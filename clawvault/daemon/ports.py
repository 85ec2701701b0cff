"""What the daemon needs of a vault, so that its loop can be tested without an index."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import SearchResult

Progress = Callable[[str], None]


class Skipped(Protocol):
    """Something that looks like a note and is not indexed."""

    @property
    def path(self) -> str:
        """Its vault path."""


class SyncFacts(Protocol):
    """What one comparison of disk and index did, counted in notes."""

    @property
    def added(self) -> int:
        """Notes the index did not know."""

    @property
    def changed(self) -> int:
        """Notes whose bytes differed."""

    @property
    def removed(self) -> int:
        """Notes taken out."""

    @property
    def moved(self) -> int:
        """Notes found under another path with equal bytes."""

    @property
    def deferred(self) -> tuple[str, ...]:
        """Paths to look at again: perhaps gone, empty for the moment, or not readable now."""

    @property
    def hashed(self) -> int:
        """Notes whose bytes were read."""

    @property
    def skipped(self) -> Sequence[Skipped]:
        """What is not indexed, of the whole vault."""

    @property
    def pending_chunks(self) -> int:
        """Chunks that have no vector yet."""

    @property
    def brake(self) -> str:
        """Why deletions wait for a person, or an empty string (I10)."""


class WatchedVault(Protocol):
    """One vault, opened for writing.

    ``sweep`` and ``apply_paths`` are called by the worker alone, ``embed_pending`` by one other thread at the same
    time, the rest by any thread.
    """

    def is_replaced(self) -> bool:
        """Say whether files of the index were taken away, so that a comparison has to begin it anew; must be cheap."""

    def sweep(self, progress: Progress, *, verify: bool = False, accept_deletions: bool = False) -> SyncFacts:
        """Compare everything on disk with the index, with ``verify`` by content.

        ``accept_deletions`` says that a person agreed that missing notes are gone (I10).

        ``progress`` is called as the work goes on, with the path at hand, or with an empty string.
        """

    def apply_paths(self, paths: Collection[str], progress: Progress) -> SyncFacts:
        """Compare these paths only, or the notes below them."""

    def embed_pending(self, deadline_s: float) -> bool:
        """Embed for about so many seconds; return whether that was all that waited before."""

    def warm_up(self) -> None:
        """Load the model, if there is one; may take many seconds."""

    def search(
        self, request: Mapping[str, object], *, degraded: tuple[str, ...] = (), stale: bool = False
    ) -> dict[str, object]:
        """Answer a search as the JSON of design section 4."""

    def status(self) -> dict[str, object]:
        """Return the facts of the index as JSON."""

    def why(self, path: str, request: Mapping[str, object], *, degraded: tuple[str, ...] = ()) -> dict[str, object]:
        """Say why a note is not among the hits, as JSON."""

    def close(self) -> None:
        """Let go of the index."""


class Dreaming(Protocol):
    """What looks once a local date for what deserves to stay; the room that does lies above this one."""

    def record(self, request: SearchRequest, result: SearchResult) -> None:
        """Write down what an answer recalls; never fails."""

    def is_due(self) -> bool:
        """Say whether it is time; called every half minute."""

    def run(self) -> object:
        """Look, and write where that is wanted; may take long, and says itself what failed."""

    def status(self) -> dict[str, object]:
        """Return what became of the last run, as JSON."""
