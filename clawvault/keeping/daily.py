"""The note of today (TC-29)."""

from __future__ import annotations

from clawvault.errors import UsageError
from clawvault.keeping.editing import append_entry, append_item
from clawvault.keeping.means import Means, Written, check_text, rewrite
from clawvault.keeping.targets import daily_note


def log(means: Means, text: str) -> Written:
    """Put an entry with the time into today's note, which is made when missing.

    Args:
        means: What to work with; its clock says which day and hour it is.
        text: One or more lines; further ones are indented, so that they stay part of the entry.

    Raises:
        UsageError: There is no text, or it is refused.

    Source: TC-29, IW-78, decisions "Append", B129.
    """
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if not lines:
        raise UsageError("There is nothing to log.", "Give a text.")
    warnings = check_text(means, text)
    now = means.now()
    item = "\n".join([f"- {now:%H:%M} {lines[0]}", *(f"  {line}".rstrip() for line in lines[1:])])

    def edit(old: str, newline: str) -> str:
        if not old.strip():
            # Below a heading no list goes on, which takes no parser to tell.
            return append_entry(f"{old}# {now:%Y-%m-%d}{newline}{newline}", item, newline)
        return append_item(old, item, newline)

    return rewrite(means, daily_note(means), edit, operation="log", warnings=warnings)
