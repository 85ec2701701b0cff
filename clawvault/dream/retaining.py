"""What a vault offers to keep its notes in shape as they grow old; each call imports what it needs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from clawvault.keeping.keeper import Keeper

if TYPE_CHECKING:
    from clawvault.dream.retention.archive import Moved
    from clawvault.dream.retention.archive_plan import ArchivePlan
    from clawvault.dream.retention.at_risk import AtRisk
    from clawvault.dream.retention.linting import Linted


class RetainedNotes(Keeper):
    """The calls of ``Vault`` about what fades, what is kept and what is put away."""

    def lint(self) -> Linted:
        """Say what keeps the long-term memory note from being a briefing; see ``retention.linting.lint_memory``."""
        from clawvault.dream.retention.linting import lint_memory

        return lint_memory(self.root, self.config, self.state)

    def list_at_risk(self) -> list[AtRisk]:
        """List old notes that hold something lasting and are not pinned; see ``retention.at_risk.list_at_risk``."""
        from clawvault.dream.retention.at_risk import list_at_risk

        return list_at_risk(self.means)

    def write_report(self, path: Path) -> None:
        """Draw what is found, near long-term memory, kept and at risk as one page; see ``dream.report.gathering``."""
        from clawvault.dream.dreamer import Dreamer
        from clawvault.dream.report.gathering import gather_report, write_report

        write_report(path, gather_report(Dreamer(self.means)))

    def plan_archive(self, older_than: str | int | date, *, even_linked: bool = False) -> ArchivePlan:
        """Say which notes would be put away; see ``retention.archive.plan_archive``.

        Args:
            older_than: Days before today, or the day from which on notes stay.
            even_linked: Also notes that one which never fades links to.
        """
        from clawvault.dream.retention.archive import parse_age, plan_archive

        means = self.means
        return plan_archive(means, parse_age(str(older_than), means.now().date()), even_linked=even_linked)

    def archive(self, plan: ArchivePlan) -> Moved:
        """Put the notes of a plan away; see ``retention.archive.apply_archive``."""
        from clawvault.dream.retention.archive import apply_archive

        return apply_archive(self.means, plan)

    def undo_archive(self) -> Moved:
        """Bring back what was put away last; see ``retention.archive.undo_archive``."""
        from clawvault.dream.retention.archive import undo_archive

        return undo_archive(self.means)

    def restore(self, paths: Iterable[str]) -> Moved:
        """Bring single notes back from the archive; see ``retention.archive.restore``."""
        from clawvault.dream.retention.archive import restore

        return restore(self.means, paths)
