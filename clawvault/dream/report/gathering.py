"""Gather what the report shows, and write its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path

from clawvault.dream.dreamer import Dreamer
from clawvault.dream.promotion.ledger import read_ledger
from clawvault.dream.recall.recalls import Recall
from clawvault.dream.report.page import MARK, Kept, Nearby, Report, render_report
from clawvault.dream.retention.at_risk import list_at_risk
from clawvault.dream.scoring.candidates import NUMBERS, REASONS, Candidate
from clawvault.dream.scoring.score import score_trace
from clawvault.errors import ClawvaultError, ConflictError
from clawvault.guard.secret_text import mask_secrets
from clawvault.vault.private_file import write_private_file

SHOWN_DAYS = 90
AHEAD_DAYS = 30
MOST_NEAR = 5
MOST_KEPT = 200
MOST_AT_RISK = 100
# A page that is ours says so within its head.
HEAD_BYTES = 4096


def gather_report(dreamer: Dreamer) -> Report:
    """Gather what the page shows; nothing is written, and looking counts as no recall.

    Args:
        dreamer: Promotion of the vault.
    """
    today = dreamer.today()
    items = [item for item in dreamer.look().candidates if item.text and not set(item.reasons) - NUMBERS]
    near = sorted(items, key=lambda item: (-item.score.best, item.key))[:MOST_NEAR]
    return Report(
        vault=dreamer.root.name,
        today=today,
        days=count_days(dreamer.log.read().recalls, today),
        gate=dreamer.gates.score,
        near=[_nearby(item, today) for item in near],
        kept=_kept(dreamer.root),
        at_risk=list_at_risk(dreamer.means)[:MOST_AT_RISK],
    )


def write_report(path: Path, report: Report) -> None:
    """Write the page, readable by its owner alone; an earlier page of this kind is replaced, and nothing else is.

    Raises:
        ConflictError: Something else has that name.
        ClawvaultError: The disk refused.
    """
    try:
        if path.exists() and MARK.encode() not in _head(path):
            raise ConflictError(f'"{path}" is there already and is no report.', "Choose another name.")
        write_private_file(path, render_report(report).encode("utf-8", "replace"))
    except OSError as error:
        raise ClawvaultError(
            f'Cannot write "{path}": {error.strerror or error}.', "Choose a folder that is there and can be written."
        ) from error


def count_days(recalls: Iterable[Recall], today: date) -> list[tuple[date, int]]:
    """Return how many statements were found on each day since the first recall, at most 90 days back."""
    counts = Counter(recall.day for recall in recalls if recall.day <= today)
    if not counts:
        return []
    first = max(min(counts), today - timedelta(days=SHOWN_DAYS - 1))
    days = [first + timedelta(days=at) for at in range((today - first).days + 1)]
    return [(day, counts[day]) for day in days]


def _nearby(item: Candidate, today: date) -> Nearby:
    ahead = (today + timedelta(days=at) for at in range(AHEAD_DAYS + 1))
    curve = tuple(score_trace(item.trace, day, len(item.tags)).best for day in ahead)
    needs = "; ".join(REASONS[code] for code in item.reasons) or "passes"
    return Nearby(mask_secrets(item.text), f"{item.path}:{item.line_start}", needs, curve)


def _kept(root: Path) -> list[Kept]:
    entries = [values for values in read_ledger(root).entries.values() if not values.get("taken_back")]
    made = [
        Kept(
            text=mask_secrets(str(values.get("text", ""))),
            path=str(values.get("path", "")),
            line=_number(values.get("line_start")),
            into=str(values.get("into", "")),
            day=str(values.get("day", "")),
        )
        for values in entries
    ]
    return sorted(sorted(made, key=lambda item: (item.path, item.line)), key=lambda item: item.day, reverse=True)[
        :MOST_KEPT
    ]


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(HEAD_BYTES)
