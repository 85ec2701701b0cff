"""What one look at the recalls found: plain values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Any

from clawvault.dream.promotion.memory_block import Entry
from clawvault.dream.scoring.candidates import Candidate
from clawvault.errors import NotFoundError


@dataclass(frozen=True, slots=True)
class Dream:
    """What one look at the recalls found, and what was done.

    Attributes:
        day: The local day.
        candidates: The best first; those without reasons were promoted, or would be.
        promoted: Lines that were written, each with the note they went to.
        applied: It was asked to write, and could.
        waiting: Why it could not write just now; empty when it could or was not asked.
        warnings: What a person should know, one sentence each.
        n_statements: How many statements were recalled.
        n_more: How many candidates fail a gate and are not among ``candidates``, since nobody asked for so many.
    """

    day: date
    candidates: tuple[Candidate, ...] = ()
    promoted: tuple[tuple[Entry, str], ...] = ()
    applied: bool = False
    waiting: str = ""
    warnings: tuple[str, ...] = ()
    n_statements: int = 0
    n_more: int = 0

    @property
    def passing(self) -> tuple[Candidate, ...]:
        """Return what was promoted, or would be."""
        return tuple(item for item in self.candidates if item.passes)

    def count_reasons(self) -> dict[str, int]:
        """Return how many candidates were rejected for each reason, the most frequent first."""
        return dict(Counter(code for item in self.candidates for code in item.reasons).most_common())

    def find(self, key: str) -> Candidate:
        """Return the candidate whose key begins with these signs.

        Raises:
            NotFoundError: There is none, or more than one.
        """
        found = [item for item in self.candidates if item.key.startswith(key.lower())] if key else []
        if len(found) != 1:
            many = "more than one candidate" if found else "no candidate"
            raise NotFoundError(f'There is {many} "{key}".', 'List them with "clawvault dream".')
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "day": self.day.isoformat(),
            "applied": self.applied,
            "waiting": self.waiting,
            "promoted": [
                {"key": entry.claim, "text": entry.text, "path": entry.path, "line": entry.line_start, "into": into}
                for entry, into in self.promoted
            ],
            "candidates": [item.to_dict() for item in self.candidates],
            "reasons": self.count_reasons(),
            "statements": self.n_statements,
            "warnings": list(self.warnings),
        }
