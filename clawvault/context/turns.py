"""Take out of a recorded conversation the turns that may steer a model, and keep the others: pure (T03, MN-48)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from clawvault.guard.findings import Severity
from clawvault.guard.injections import scan

# As ``keeping.recording`` writes the heading of a message; no line inside one looks so.
_TURN = re.compile(r"^## \d+ [a-z][a-z_-]*(?: \(.*\))?$", re.MULTILINE)


def without_flagged_turns(hits: Iterable[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], int]:
    """Return hits in conversations without the turns that may steer a model.

    Args:
        hits: Best first, as ``Hit.to_dict`` gives them.

    Returns:
        The hits, one that lost turns in its middle in several parts, and how many turns were left out. A hit that is
        flagged for what no turn of it shows by itself stays as it is, for whoever leaves it out as a whole.
    """
    kept: list[Mapping[str, Any]] = []
    gone: set[tuple[str, int]] = set()
    for hit in hits:
        parts, lines = _split(hit)
        kept += parts
        gone |= {(hit["path"], line) for line in lines}
    return kept, len(gone)


def _split(hit: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], list[int]]:
    """Return what is left of a hit, and the first line of each turn that is not."""
    text, first = str(hit["text"]), int(hit["line_start"])
    findings = [finding for finding in scan(text) if finding.severity >= Severity.MEDIUM]
    unseen = {*hit.get("flagged", ())} - {finding.label for finding in findings}
    # The last of several chunks of one line has as many lines as it says; only then do the numbers tell anything.
    if not findings or unseen or first + text.removesuffix("\n").count("\n") != hit["line_end"]:
        return [hit], []
    turns = [
        (start, end, any(finding.start < end and finding.end > start for finding in findings))
        for start, end in _spans(text)
    ]
    gone = [first + text.count("\n", 0, start) for start, _, is_flagged in turns if is_flagged]
    parts: list[Mapping[str, Any]] = []
    for is_flagged, run in groupby(turns, key=lambda turn: turn[2]):
        spans = list(run)
        part = text[spans[0][0] : spans[-1][1]]
        if is_flagged or not _says_anything(part):
            continue
        begin = first + text.count("\n", 0, spans[0][0])
        end = begin + part.removesuffix("\n").count("\n")
        parts.append({**hit, "text": part, "line_start": begin, "line_end": end, "flagged": []})
    return parts, gone


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each turn; what stands before the first heading is one too."""
    starts = [0, *(found.start() for found in _TURN.finditer(text) if found.start())]
    yield from zip(starts, [*starts[1:], len(text)], strict=True)


def _says_anything(part: str) -> bool:
    return any(line.strip() and not line.startswith("#") for line in part.split("\n"))
