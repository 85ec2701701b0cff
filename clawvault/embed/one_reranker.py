"""The reranker of one process, opened by the first question that wants it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from clawvault.errors import ConfigError, EmbedderError

if TYPE_CHECKING:
    from clawvault.config import SearchSettings
    from clawvault.embed.protocol import Reranker


class OneReranker:
    """What reads the best hits of all questions again; may be asked for from any thread.

    Args:
        settings: Which model; without one there is no reranker.
        environment: Where keys are looked up.
    """

    def __init__(self, settings: SearchSettings, environment: Mapping[str, str]) -> None:
        self._settings = settings
        self._environment = environment
        self._found: tuple[Reranker | None, str] | None = None
        self._lock = threading.Lock()

    def at_hand(self) -> tuple[Reranker | None, str]:
        """Return the reranker, and why there is none where one is wanted; opened once, whatever comes of it."""
        if not self._settings.reranker:
            return None, ""
        with self._lock:
            if self._found is None:
                # Most vaults have none, and must not pay for importing what opens it.
                from clawvault.embed.reranking import open_reranker

                try:
                    self._found = open_reranker(self._settings, self._environment), ""
                except (ConfigError, EmbedderError) as error:
                    self._found = None, error.message
            return self._found
