"""What a vault offers to whoever starts or leads a conversation; each call imports what it needs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawvault.config import Config

if TYPE_CHECKING:
    from clawvault.context.fetching import Ask
    from clawvault.context.given import Context
    from clawvault.context.heartbeat import Heartbeat
    from clawvault.context.lanes import LaneAnswer
    from clawvault.context.sources import Shelf


class GivenContext(ABC):
    """The calls of ``Vault`` that give an agent what it should know (MN-04, MN-41)."""

    root: Path
    config: Config
    state: Path

    @abstractmethod
    def ask(self, fields: dict[str, Any]) -> Mapping[str, Any]:
        """Answer a search given as the fields of ``SearchRequest``; see ``SearchResult.to_dict``."""

    def context(
        self,
        query: str = "",
        *,
        budget_bytes: int | None = None,
        group: bool = False,
        ask: Ask | None = None,
        read_on: Callable[[str, int], str] | None = None,
    ) -> Context:
        """Return what an agent should be given at the start of a conversation; see ``context.assembling.assemble``.

        Args:
            query: What the conversation is about; empty leaves passages out.
            budget_bytes: The most bytes; ``None`` takes ``context.budget_bytes``.
            group: Others read along: leave out what is private.
            ask: Answers the search in place of this vault, such as a daemon.
            read_on: Says how to read on where a note is cut.
        """
        from clawvault.context.assembling import assemble, read_on_by_command
        from clawvault.vault.local_time import local_now

        return assemble(
            self.root,
            self.config,
            self.state,
            day=local_now(self.config).date(),
            ask=ask or self.ask,
            query=query,
            budget_bytes=budget_bytes,
            group=group,
            read_on=read_on or read_on_by_command,
        )

    def read_long_term(self, query: str = "", *, limit: int = 8, ask: Ask | None = None) -> LaneAnswer:
        """Return the beginning of long-term memory and what a search finds; see ``context.lanes.read_long_term``."""
        from clawvault.context.lanes import read_long_term

        return read_long_term(self._shelf(), query, ask=ask or self.ask, limit=limit)

    def read_short_term(
        self, thread_id: str | None, query: str, *, limit: int = 8, ask: Ask | None = None
    ) -> LaneAnswer:
        """Return what a search finds in one recorded conversation; see ``context.lanes.read_short_term``."""
        from clawvault.context.lanes import read_short_term

        return read_short_term(thread_id, query, ask=ask or self.ask, limit=limit)

    def heartbeat(self) -> Heartbeat:
        """Return what an agent is to look at when it is woken without a question; see ``read_heartbeat``."""
        from clawvault.context.heartbeat import read_heartbeat

        return read_heartbeat(self._shelf())

    def _shelf(self) -> Shelf:
        from clawvault.context.sources import open_shelf

        return open_shelf(self.root, self.config, self.state)
