"""What a scan for texts that steer a model reports."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NamedTuple

# Raised whenever other texts are flagged or masked, so that notes indexed before are read anew.
GUARD_VERSION: Final = 5


class Severity(IntEnum):
    """How bad a finding is: ``HIGH`` and ``CRITICAL`` refuse a tool's write, ``MEDIUM`` flags the passage (MN-24)."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4


class Finding(NamedTuple):
    """One text that may steer a model; sorts by place.

    Attributes:
        line: 1-based, where it begins.
        start: Offset of its first character.
        end: Offset after its last; the whole line where the text fills a part of one.
        severity: How bad it is.
        reason: A code such as ``ignore-previous``; never a word of the note (T08).
    """

    line: int
    start: int
    end: int
    severity: Severity
    reason: str

    @property
    def label(self) -> str:
        """Return severity and reason as they are stored and shown: ``critical:ignore-previous``."""
        return f"{self.severity.name.lower()}:{self.reason}"


def refusals(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings for which a tool's write is refused, in order."""
    return tuple(finding for finding in findings if finding.severity >= Severity.HIGH)


def flags_within(findings: Iterable[Finding], start: int, end: int) -> tuple[str, ...]:
    """Return the labels of findings that touch a stretch of the text, the worst first.

    Args:
        findings: Of the whole text.
        start: Offset of the first character of the stretch.
        end: Offset after its last.
    """
    inside = [
        finding
        for finding in findings
        if finding.severity >= Severity.MEDIUM and finding.start < end and finding.end > start
    ]
    return worst_first(finding.label for finding in inside)


def worst_first(labels: Iterable[str]) -> tuple[str, ...]:
    """Return labels each once, the worst first."""
    return tuple(sorted(set(labels), key=lambda label: (-Severity[label.partition(":")[0].upper()], label)))
