"""Look at the long-term memory note of a vault as the briefing it should be (CS-26..31, L5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawvault.config import Config
from clawvault.dream.retention.briefing import MEND, Finding, lint_briefing
from clawvault.dream.retention.link_targets import NoteNames, means_note
from clawvault.errors import ClawvaultError
from clawvault.keeping.remembering import FULL_BYTES, WARN_BYTES
from clawvault.vault.ignoring import read_ignore_rules
from clawvault.vault.inline_marks import Link
from clawvault.vault.listing import NoteFile, list_notes
from clawvault.vault.markdown import fold_heading, parse_note
from clawvault.vault.notes import read_note
from clawvault.vault.paths import visible


@dataclass(frozen=True, slots=True)
class Linted:
    """What is to be said of the long-term memory note.

    Attributes:
        path: The note.
        n_bytes: Of its text in UTF-8; 0 when there is none.
        findings: In order of place; what is about the whole note comes first.
    """

    path: str
    n_bytes: int
    findings: tuple[Finding, ...]

    @property
    def n_mend(self) -> int:
        """Return how many of them are to be mended."""
        return sum(finding.severity == MEND for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "path": self.path,
            "n_bytes": self.n_bytes,
            "soft_cap_bytes": WARN_BYTES,
            "hard_cap_bytes": FULL_BYTES,
            "n_mend": self.n_mend,
            "findings": [finding.to_dict() for finding in self.findings],
        }


def lint_memory(root: Path, config: Config, state: Path) -> Linted:
    """Look at the long-term memory note and at the notes it points to; nothing is changed.

    Args:
        root: The vault.
        config: ``memory_file`` names the note.
        state: The state folder of the vault.

    Returns:
        Nothing to say when there is no such note.

    Raises:
        NoteUnreadableError: The note cannot be read.

    Cost: A listing of the vault, and one read for each note that a heading is linked in.
    """
    files = list_notes(root, read_ignore_rules(root, config, state), config).files
    file = files.get(config.memory_file)
    if file is None:
        return Linted(config.memory_file, 0, ())
    text = read_note(root, file, max_bytes=config.index.max_note_bytes).text
    pointers = _Pointers(root, config, files)
    found = lint_briefing(text, pointers.find_fault)
    return Linted(config.memory_file, len(text.encode("utf-8", "surrogatepass")), found)


class _Pointers:
    """Follow links of the memory note to the notes on disk, each read once."""

    def __init__(self, root: Path, config: Config, files: Mapping[str, NoteFile]) -> None:
        self.root = root
        self.config = config
        self.files = files
        self.names = NoteNames(files)
        self.known: dict[str, tuple[frozenset[str], frozenset[str]] | None] = {}

    def find_fault(self, link: Link) -> str:
        """Say where a link does not lead; empty when it leads somewhere."""
        if not means_note(link.target):
            return ""
        path = self.names.find(link.target, self.config.memory_file)
        if path is None:
            return f'There is no note "{visible(link.target)}".'
        places = self.places(path) if link.heading else None
        if places is None:
            return ""
        headings, block_ids = places
        if link.heading.startswith("^"):
            missing = link.heading[1:].casefold() not in block_ids
        else:
            missing = any(fold_heading(part) not in headings for part in link.heading.split("#") if part)
        return f'"{path}" has no "{visible(link.heading)}".' if missing else ""

    def places(self, path: str) -> tuple[frozenset[str], frozenset[str]] | None:
        """Return the folded headings and the block ids of a note; ``None`` when it cannot be read now."""
        if path not in self.known:
            try:
                text = read_note(self.root, self.files[path], max_bytes=self.config.index.max_note_bytes).text
            except ClawvaultError:
                self.known[path] = None
            else:
                parsed = parse_note(text)
                headings = frozenset(fold_heading(b.title) for b in parsed.blocks if b.kind == "heading")
                self.known[path] = headings, frozenset(name.casefold() for name, _ in parsed.block_ids)
        return self.known[path]
