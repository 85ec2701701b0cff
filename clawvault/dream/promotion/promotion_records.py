"""By which writing this machine promoted, so that it can be taken back: kept in its state folder (L15)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from clawvault.dream.machines.state_lists import read_list, write_list

PROMOTIONS = "promotions.json"
KEPT_PROMOTIONS = 60


@dataclass(frozen=True, slots=True)
class WrittenNote:
    """What a promotion put into one note.

    Attributes:
        path: The note.
        lines: The lines.
        undo_id: The copy of the note before.
        sha256: Of the note afterwards.
        created: The promotion made the note.
    """

    path: str
    lines: tuple[str, ...]
    undo_id: str
    sha256: str
    created: bool = False


@dataclass(frozen=True, slots=True)
class PromotionRecord:
    """One promotion of this machine.

    ``at`` is when, ISO 8601; ``claims`` what was promoted; ``notes`` what was written, in order; ``undone`` says that
    it was taken back.
    """

    at: str
    claims: tuple[str, ...]
    notes: tuple[WrittenNote, ...]
    undone: bool = False


def read_promotions(state: Path) -> list[PromotionRecord]:
    """Return the promotions of this machine, the oldest first."""
    found = []
    for raw in read_list(state / PROMOTIONS):
        with suppress(TypeError, KeyError):
            notes = tuple(WrittenNote(**{**note, "lines": tuple(note["lines"])}) for note in raw["notes"])
            found.append(PromotionRecord(raw["at"], tuple(raw["claims"]), notes, bool(raw["undone"])))
    return found


def write_promotions(state: Path, records: Sequence[PromotionRecord]) -> None:
    """Write them down, the newest of them."""
    write_list(state / PROMOTIONS, [asdict(record) for record in records[-KEPT_PROMOTIONS:]])
