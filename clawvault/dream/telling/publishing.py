"""What people read of dreaming: the view of the recalls, the proposal and the diary (OC-41, L35)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from clawvault.dream.machines.state_files import FOLDER, write_state
from clawvault.dream.promotion.ledger import read_told, write_told
from clawvault.dream.promotion.promoting import read_text
from clawvault.dream.recall.recalls import Trace
from clawvault.dream.scoring.candidates import Candidate
from clawvault.dream.scoring.concepts import concept_tags
from clawvault.dream.telling.diary import add_story, find_story, is_diary, render_story
from clawvault.dream.telling.outcome import Dream
from clawvault.errors import ConflictError
from clawvault.keeping.means import Means, rewrite
from clawvault.search.asking.query import guess_language

VIEW = "short-term-recall.json"
PROPOSAL = "proposal.json"
MOST_VIEWED = 500
HIDDEN = frozenset({"secret", "flagged"})


def write_view(root: Path, traces: Iterable[Trace], candidates: Sequence[Candidate]) -> None:
    """Write the recalls as JSON that people can read, the most recalled 500 (OC-36..41)."""
    items = {item.key: item for item in candidates}
    kept = sorted(traces, key=lambda one: (-one.recalls, one.claim))[:MOST_VIEWED]
    entries = {trace.claim: _view_of(trace, items.get(trace.claim)) for trace in kept}
    _write_unless_empty(root, {"version": 1, "entries": entries}, VIEW, is_empty=not entries)


def _view_of(trace: Trace, item: Candidate | None) -> dict[str, Any]:
    text = item.text if item is not None and HIDDEN.isdisjoint(item.reasons) else ""
    return {
        "path": item.path if item else trace.path,
        "startLine": item.line_start if item else trace.line,
        "endLine": item.line_end if item else trace.line,
        "snippet": text,
        "recallCount": trace.recalls,
        "totalScore": round(trace.total_score, 6),
        "maxScore": round(trace.max_score, 6),
        "firstRecalledOn": trace.days[0].isoformat(),
        "lastRecalledOn": trace.days[-1].isoformat(),
        "queryHashes": list(trace.queries),
        "recallDays": [day.isoformat() for day in trace.days],
        "conceptTags": list(concept_tags(trace.path, text)),
    }


def write_proposal(root: Path, items: Sequence[Candidate]) -> None:
    """Write what would be promoted, for a person to look at; an empty list once nothing waits."""
    lines = [{"key": item.key, "text": item.text, "path": item.path, "line": item.line_start} for item in items]
    _write_unless_empty(root, lines, PROPOSAL, is_empty=not lines)


def _write_unless_empty(root: Path, value: Any, name: str, *, is_empty: bool) -> None:
    # A vault in which nothing was ever found gets no files of ours.
    if not is_empty or os.path.lexists(root.joinpath(*FOLDER, name)):
        write_state(root, value, name)


def write_diary(means: Means, dream: Dream, *, written: bool) -> None:
    """Tell in the diary what there is to tell of a night, once.

    Raises:
        ConflictError: A note of that name is a person's own.
        ClawvaultError: The disk refused.
    """
    path, state = means.config.dream.diary, means.writer.state
    if not path:
        return
    told = read_told(state)
    promoted = {entry.claim for entry, _ in dream.promoted}
    kept = [item for item in dream.candidates if item.key in promoted] if written else list(dream.passing)
    story = find_story(dream.day, dream.candidates, kept, told, written=written)
    if not story.told():
        return
    if not is_diary(read_text(means, path)):
        raise ConflictError(f'"{path}" is a note of your own.', "Name another one in dream.diary.")
    chinese = guess_language("".join(item.text for item in (*story.kept, *story.nearly, *story.fading))) == "zh"
    section = render_story(story, chinese=chinese)
    rewrite(means, path, lambda text, newline: add_story(text, section, newline, chinese=chinese), operation="diary")
    write_told(state, [*told, *story.told()])
