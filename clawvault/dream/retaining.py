"""What a vault offers to keep its notes in shape as they grow old; each call imports what it needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clawvault.config import Config

if TYPE_CHECKING:
    from clawvault.dream.linting import Linted


class RetainedNotes:
    """The calls of ``Vault`` about what fades, what is kept and what is put away."""

    root: Path
    config: Config
    state: Path

    def lint(self) -> Linted:
        """Say what keeps the long-term memory note from being a briefing; see ``dream.linting.lint_memory``."""
        from clawvault.dream.linting import lint_memory

        return lint_memory(self.root, self.config, self.state)
