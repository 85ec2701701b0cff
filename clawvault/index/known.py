"""Whether the index knows a note, asked without opening more of it than that."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from clawvault.index.connection import INDEX_NAME, connect, index_faults


def is_indexed(state: Path, path: str) -> bool:
    """Say whether a note was there when the index was last brought up to date; ``False`` without an index.

    Args:
        state: The state folder of the vault.
        path: Vault path of the note.

    Raises:
        IndexFaultError: The index cannot be read.
    """
    if not (state / INDEX_NAME).exists():
        return False
    with index_faults(), closing(connect(state / INDEX_NAME, writer=False)) as connection:
        return connection.execute("SELECT 1 FROM notes WHERE path = ?", (path,)).get is not None
