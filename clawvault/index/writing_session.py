"""Everything the writer of an index needs, opened together, with a damaged file set aside first."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clawvault.config import Config
from clawvault.embed.protocol import Embedder
from clawvault.index.connection import INDEX_NAME, DamagedIndexError
from clawvault.index.damage import check_integrity, set_aside
from clawvault.index.embedding import EmbeddingQueue
from clawvault.index.generations import keep_spaces
from clawvault.index.indexer import Indexer
from clawvault.index.store import Store

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class WritingSession:
    """The index open for writing. Its holder must hold the vault's writer lock.

    ``was_damaged`` says that the index found was set aside and this one begun.
    """

    store: Store
    queue: EmbeddingQueue
    indexer: Indexer
    was_damaged: bool = False

    def close(self) -> None:
        """Close the index."""
        self.store.close()


def open_writing_session(
    root: Path,
    state: Path,
    config: Config,
    environment: Mapping[str, str],
    embedder: Embedder | None,
    *,
    check: bool = False,
) -> WritingSession:
    """Open the index for writing; a damaged one is set aside and an empty one begun (I20).

    Args:
        check: Look through the file for damage first; costs a read of all of it.

    Raises:
        IndexFaultError: The file cannot be opened, or was damaged too often.
    """
    path = state / INDEX_NAME
    was_damaged = False
    try:
        store = Store(path, writer=True)
        problem = check_integrity(store.connection) if check else ""
        if problem:
            store.close()
            raise DamagedIndexError(f"The index is damaged: {problem}.")
    except DamagedIndexError as error:
        logger.warning("%s", error.message)
        logger.warning("set aside: %s", ", ".join(file.name for file in set_aside(path)))
        was_damaged = True
        store = Store(path, writer=True)
    keep_spaces(store)
    queue = EmbeddingQueue(store, config, environment, embedder)
    return WritingSession(store, queue, Indexer(root, state, config, store, queue), was_damaged)
