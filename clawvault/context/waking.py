"""Read HEARTBEAT.md for an agent that is woken without a question (IW-75)."""

from __future__ import annotations

from clawvault.context.heartbeat import Heartbeat, find_open_items
from clawvault.context.sources import Shelf, read_source
from clawvault.vault.prompt_files import HEARTBEAT


def read_heartbeat(shelf: Shelf) -> Heartbeat:
    """Return the open items of the list; none when there is no such note.

    Raises:
        ClawvaultError: It is there and cannot be given.
    """
    source = read_source(shelf, "heartbeat", HEARTBEAT)
    if source is None:
        return Heartbeat()
    return Heartbeat(find_open_items(source.lines), source.n_flagged)
