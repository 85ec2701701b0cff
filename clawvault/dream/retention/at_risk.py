"""Old notes of a day that hold something lasting, which fades unless somebody pins it (L2d)."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from clawvault.dream.promotion.memory_block import known_claims
from clawvault.dream.recall.statements import list_statements
from clawvault.dream.retention.durable_cues import USUAL, Cue, find_cue, is_command
from clawvault.errors import ClawvaultError
from clawvault.guard.findings import Severity
from clawvault.guard.identity import is_reserved
from clawvault.guard.injections import scan
from clawvault.guard.secret_text import mask_secrets
from clawvault.keeping.means import Means
from clawvault.search.ranking.decay import fade
from clawvault.vault.archived import is_archived
from clawvault.vault.dating import is_evergreen, note_date
from clawvault.vault.listing import NoteFile, list_notes
from clawvault.vault.markdown import ParsedNote, parse_note
from clawvault.vault.notes import read_note

# Until then a good match still comes before most.
HALF_LIVES = 2
SAYING = frozenset({"list_item", "paragraph", "quote", "table"})


@dataclass(frozen=True, slots=True)
class AtRisk:
    """One note that may be worth a pin.

    Attributes:
        path: The note.
        day: Its day.
        decay: What share of its score it keeps, 0..1.
        line: Where the cue is, 1-based.
        text: What stands there, one line, secrets masked.
        cue: What speaks for keeping it.
        strength: 2 for what names a rule, 1 for what often goes with one.
        pins_line: A pin belongs on that line; else on the whole note.
    """

    path: str
    day: date
    decay: float
    line: int
    text: str
    cue: str
    strength: int
    pins_line: bool

    @property
    def place(self) -> str:
        """Return what ``clawvault pin`` is given."""
        return f"{self.path}:{self.line}" if self.pins_line else self.path

    @property
    def command(self) -> str:
        """Return the command that pins it, quoted for the shell of this system."""
        return pin_command(self.place)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        values = {name: getattr(self, name) for name in (*self.__slots__, "place", "command")}
        return {**values, "day": self.day.isoformat(), "decay": round(self.decay, 6)}


def pin_command(place: str) -> str:
    """Return the command that pins a place, quoted for the shell of this system."""
    words = ["clawvault", "pin", *(["--"] if place.startswith("-") else []), place]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def list_at_risk(means: Means) -> list[AtRisk]:
    """List the notes past two half-lives that hold something lasting and nobody has pinned.

    Args:
        means: What to work with; its clock says which local day it is.

    Returns:
        One for each note, at its best cue: what names a rule first, then the oldest.

    Cost: Reads every note that is old enough.
    Source: L2d.
    """
    today, half_life = means.now().date(), means.config.search.half_life_days
    files = list_notes(means.root, means.ignore_rules(), means.config).files
    kept = _kept_claims(means, files.get(means.config.memory_file))
    found = []
    for path, file in files.items():
        day = note_date(path)
        if day is None or (today - day).days <= HALF_LIVES * half_life or is_archived(path) or is_reserved(path):
            continue
        text = _read(means, file)
        parsed = None if text is None else parse_note(text)
        if text is None or parsed is None or is_evergreen(path, parsed.front_matter):
            continue
        best = max(_cues(text, parsed, kept), key=lambda item: (item[0].strength, -item[1]), default=None)
        if best is not None:
            cue, line, said, on_line = best
            decay = fade((today - day).days, half_life_days=half_life)
            found.append(AtRisk(path, day, decay, line, said, cue.text, cue.strength, on_line))
    return sorted(found, key=lambda item: (-item.strength, item.day, item.path))


def _cues(text: str, parsed: ParsedNote, kept: frozenset[str]) -> Iterator[tuple[Cue, int, str, bool]]:
    """Yield each cue with its line, what stands there, and whether a pin can stand there too."""
    masked = mask_secrets(text)
    lines = masked.split("\n")
    steering = {flaw.line for flaw in scan(text) if flaw.severity >= Severity.MEDIUM}
    pinned = set(parsed.pinned_lines)
    for said in list_statements(masked):
        place = range(said.line_start, said.line_end + 1)
        if said.is_generated or said.key in kept or pinned & set(place) or steering & set(place):
            continue
        if said.kind == "fence":
            typed = next((number for number in place if is_command(lines[number - 1])), None)
            if typed is not None:
                yield Cue("a command", USUAL), typed, lines[typed - 1].strip(), False
        elif (cue := find_cue(said.text)) is not None:
            yield cue, said.line_start, said.text.lstrip("# "), said.kind in SAYING


def _kept_claims(means: Means, memory: NoteFile | None) -> frozenset[str]:
    text = None if memory is None else _read(means, memory)
    return frozenset() if text is None else frozenset(known_claims(text))


def _read(means: Means, file: NoteFile) -> str | None:
    try:
        return read_note(means.root, file, max_bytes=means.config.index.max_note_bytes).text
    except ClawvaultError:
        return None  # A note that cannot be read now cannot be pinned either.
