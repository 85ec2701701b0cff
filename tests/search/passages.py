"""Passages as they come from the index, for tests of what is done with them."""

from __future__ import annotations

from clawvault.search.lanes.candidates import Passage


def make_passage(chunk_id: int = 0, text: str = "", *, path: str = "", date: str | None = None) -> Passage:
    """Return a passage of one line; its note is named after its number unless a path is given."""
    return Passage(
        chunk_id=chunk_id,
        path=path or f"{chunk_id}.md",
        title="",
        date=date,
        evergreen=False,
        char_start=0,
        line_start=1,
        line_end=1,
        heading=(),
        text=text,
        stale="",
    )
