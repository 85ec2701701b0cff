"""Answer from the index, but never with a note that the disk says otherwise of (B095, I14)."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from clawvault.errors import ClawvaultError
from clawvault.search.asking.circumstances import Circumstances
from clawvault.search.asking.request import SearchRequest
from clawvault.search.hits.result import SearchResult
from clawvault.search.searcher import answer
from clawvault.vault.listing import stat_note
from clawvault.vault.paths import MARKER

# A vault that changes faster than this is stale anyway.
RECHECKS = 3


def answer_from_disk(root: Path, request: SearchRequest, at: Circumstances) -> SearchResult:
    """Answer, look at the note of each hit, and answer again without those that are gone.

    Args:
        root: The vault on disk.
        request: The question.
        at: What it meets; what the disk says otherwise is added before it is asked again.
    """
    if not os.path.isdir(root / MARKER):  # noqa: PTH112 - Path.is_dir raises where a disk fails
        missing = "the vault folder is not there; hits are from memory"
        return answer(request, replace(at, stale=True, degraded=(*at.degraded, missing)))
    result = answer(request, at)
    for _ in range(RECHECKS):
        with at.stages.stage("recheck"):
            changed, gone = _look_at(root, result, at)
        if changed <= at.changed and gone <= at.gone:
            break
        at = replace(at, changed=at.changed | changed, gone=at.gone | gone, stale=True)
        result = answer(request, at)
    return result


def _look_at(root: Path, result: SearchResult, at: Circumstances) -> tuple[frozenset[str], frozenset[str]]:
    changed: set[str] = set()
    gone: set[str] = set()
    for path in {hit.path for hit in result.hits}:
        known = at.store.find_note(path)
        try:
            file = stat_note(root, path)
        except ClawvaultError:
            changed.add(path)
            continue
        if file is None:
            gone.add(path)
        elif known is None or known.size != file.size or known.mtime_ns not in (-1, file.mtime_ns):
            changed.add(path)
    return frozenset(changed), frozenset(gone)
