"""What was promoted (I38), shared by all machines and kept in the vault, and what this machine's diary told of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clawvault.dream.machines.state_files import read_state, write_state
from clawvault.dream.machines.state_lists import read_list, write_list
from clawvault.dream.promotion.memory_block import Entry
from clawvault.dream.scoring.candidates import Candidate

PROMOTED = "promoted.json"
KEPT_TOLD = 2000


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every statement that was ever promoted, by claim, as JSON values."""

    entries: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def taken_back(self) -> frozenset[str]:
        """Return the claims that a person took back."""
        return frozenset(claim for claim, values in self.entries.items() if values.get("taken_back"))

    def with_entries(self, entries: Iterable[tuple[Entry, Candidate, str]]) -> Ledger:
        """Return it with more: the entry, what it was made of, and the note it went to."""
        added = {
            entry.claim: {
                "text": entry.text,
                "path": entry.path,
                "line_start": entry.line_start,
                "line_end": entry.line_end,
                "day": entry.day.isoformat(),
                "into": into,
                "score": round(item.score.best, 6),
                "signals": {name: round(value, 6) for name, value in item.score.signals.items()},
                "also": list(item.also),
                "taken_back": False,
            }
            for entry, item, into in entries
        }
        return Ledger({**self.entries, **added})

    def with_taken_back(self, claims: Iterable[str]) -> Ledger:
        """Return it with claims that are not to be promoted again."""
        back = {claim: {**self.entries[claim], "taken_back": True} for claim in claims if claim in self.entries}
        return Ledger({**self.entries, **back})


def read_ledger(root: Path) -> Ledger:
    """Return what was promoted; empty when nothing was, or the file makes no sense."""
    raw = read_state(root, PROMOTED)
    found = raw.get("promoted") if isinstance(raw, dict) else None
    if not isinstance(found, dict):
        return Ledger()
    return Ledger({str(claim): dict(values) for claim, values in found.items() if isinstance(values, dict)})


def write_ledger(root: Path, ledger: Ledger) -> None:
    """Write it down; the same ledger is the same bytes on every machine."""
    write_state(root, {"version": 1, "promoted": ledger.entries}, PROMOTED)


def read_told(state: Path) -> list[str]:
    """Return what the diary told already."""
    return [item for item in read_list(state / "told.json") if isinstance(item, str)]


def write_told(state: Path, told: Sequence[str]) -> None:
    """Write down what the diary told."""
    write_list(state / "told.json", list(told)[-KEPT_TOLD:])
