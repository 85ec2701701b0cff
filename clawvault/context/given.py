"""What came of putting a context together: its text, and what each part of it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clawvault.context.cutting import size_of
from clawvault.embed.token_estimate import estimate_tokens


@dataclass(frozen=True, slots=True)
class Part:
    """What one note costs.

    Attributes:
        name: Its key of ``SHARES``.
        path: The note; empty for the passages, which are of several.
        trust: ``owner``, or ``note`` for all that agents write too.
        line_start: First line that is given; 0 when there was no room.
        line_end: Last line that is given.
        n_lines: How many the note has.
        n_bytes: Of it in the context, what stands around it included.
        share_bytes: What it may always have; what others leave is added.
        truncated: There is more of it.
        n_flagged: How many lines, or passages, are left out, since they may steer a model.
        n_secrets: How many secrets are masked.
        outside_edit: ``changed`` or ``appeared``, when a person has not looked at what it says now; else empty.
    """

    name: str
    path: str
    trust: str
    line_start: int
    line_end: int
    n_lines: int
    n_bytes: int
    n_tokens: int
    share_bytes: int
    truncated: bool
    n_flagged: int
    n_secrets: int = 0
    outside_edit: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        names = {"n_bytes": "bytes", "n_tokens": "tokens", "n_flagged": "flagged", "n_secrets": "secrets"}
        return {names.get(name, name): getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Context:
    """What an agent is given.

    Attributes:
        text: Markdown, at most ``budget_bytes`` in UTF-8; empty when not even its first lines have room.
        budget_bytes: The most bytes it could have.
        parts: In order, without those that are not there.
        passages: Path, first and last line of each passage that is in it.
        notes: What a person should know, one sentence each.
        degraded: What was missing in the search, and why.
        group: Private notes are left out.
        day: Today, ISO.
        changed_outside: Identity files that a person has not looked at since they changed, whether given or left out.
    """

    text: str
    budget_bytes: int
    parts: tuple[Part, ...]
    passages: tuple[tuple[str, int, int], ...]
    notes: tuple[str, ...]
    degraded: tuple[str, ...]
    group: bool
    day: str
    changed_outside: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "text": self.text,
            "bytes": size_of(self.text),
            "tokens": estimate_tokens(self.text) if self.text else 0,
            "budget_bytes": self.budget_bytes,
            "day": self.day,
            "group": self.group,
            "parts": [part.to_dict() for part in self.parts],
            "passages": [{"path": path, "line_start": first, "line_end": last} for path, first, last in self.passages],
            "notes": list(self.notes),
            "degraded": list(self.degraded),
        }
