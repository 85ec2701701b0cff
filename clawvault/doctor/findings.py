"""What a check says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

OK, WARN, FAIL = "ok", "warn", "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check.

    Attributes:
        check: What was looked at, in a word or two.
        level: ``ok``, ``warn`` (works, but look at it) or ``fail`` (does not work).
        message: What was found, one sentence.
        hint: What to do; empty when there is nothing to do.
        details: Single things it is about, such as notes; empty when there are none.
    """

    check: str
    level: str
    message: str
    hint: str = ""
    details: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as JSON values."""
        return {**asdict(self), "details": list(self.details)}
