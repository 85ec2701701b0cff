"""What a vault offers about what deserves to stay; the rooms behind it are imported when one of them is asked for."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any

from clawvault.keeping.keeper import Keeper

if TYPE_CHECKING:
    from clawvault.dream.dreamer import Dreamer
    from clawvault.dream.promotion.promotion_records import PromotionRecord
    from clawvault.dream.recall.recall_log import RecallLog
    from clawvault.dream.telling.outcome import Dream
    from clawvault.search.asking.request import SearchRequest
    from clawvault.search.hits.result import SearchResult


class DreamtNotes(Keeper):
    """The calls of ``Vault`` that count what is found, and keep what deserves it."""

    @property
    def dreamer(self) -> Dreamer:
        """Return what looks for what deserves to stay."""
        from clawvault.dream.dreamer import Dreamer

        return Dreamer(self.means)

    def dream(self, *, apply: bool = False, accept: Collection[str] = (), most_failing: int | None = None) -> Dream:
        """Show what deserves to stay, or keep it.

        Args:
            apply: Write it into the long-term memory note; see ``Dreamer.apply``.
            accept: Keys of candidates that a person wants to be kept whatever their numbers are.
            most_failing: Of those that fail a gate, show only so many of the best where nothing is written.
        """
        if apply:
            return self.dreamer.apply(accept=accept)
        return self.dreamer.preview(accept=accept, most_failing=most_failing)

    def dream_undo(self) -> PromotionRecord:
        """Take the last promotion back; see ``Dreamer.undo``."""
        return self.dreamer.undo()

    def recalls(self, path: str) -> list[dict[str, Any]]:
        """Return how often each statement of a note was found; see ``Dreamer.recalls_of``."""
        return [
            {
                "key": trace.claim,
                "line": trace.line,
                "text": text,
                "recalls": trace.recalls,
                "queries": len(trace.queries),
                "days": [day.isoformat() for day in trace.days],
                "mean_score": round(trace.mean_score, 6),
            }
            for trace, text in self.dreamer.recalls_of(path)
        ]

    @cached_property
    def _recall_log(self) -> RecallLog:
        from clawvault.dream.recall.recall_log import RecallLog
        from clawvault.vault.local_time import local_now

        return RecallLog(self.state, self.config.recall, lambda: local_now(self.config).date())

    def dream_status(self) -> dict[str, Any]:
        """Return what became of the last nightly run; see ``nightly.night_log.describe_nights``."""
        from clawvault.dream.nightly.night_log import describe_nights, read_nights

        return describe_nights(read_nights(self.state), applies=self.config.dream.apply)

    def _recalled(self, request: SearchRequest, result: SearchResult) -> None:
        """Write down what an answer recalls of notes that fade, while it is given."""
        if self.config.recall.enabled and any(hit.date and not hit.evergreen for hit in result.hits):
            from clawvault.dream.recall.later import do_later

            do_later(self.state, lambda: self._recall_log.record(request, result))
