"""The notes that candidates come from, read as they are now (L23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from clawvault.config import Config
from clawvault.dream.recall.recalls import Trace
from clawvault.dream.recall.statements import Statement, list_statements
from clawvault.errors import ClawvaultError
from clawvault.guard.findings import Severity
from clawvault.guard.injections import scan
from clawvault.guard.secret_text import find_secrets, mask_secrets
from clawvault.vault.dating import is_evergreen, note_date
from clawvault.vault.front_matter import parse_front_matter
from clawvault.vault.ignoring import IgnoreRules
from clawvault.vault.note_file import NoteFile, find_note
from clawvault.vault.notes import read_note

UNTRUSTED_WORDS = frozenset({"untrusted", "low", "none", "false", "no"})
UNTRUSTED_KINDS = frozenset({"clip", "clipping", "web", "chat", "transcript", "conversation", "tool", "tool-output"})
WEB = ("http://", "https://", "www.")


@dataclass(frozen=True)
class Source:
    """One note as it is now.

    Attributes:
        path: Its vault path.
        is_dated: It belongs to a day and fades.
        untrusted: Why its text is not its owner's, in a few words; empty when it is.
        is_generated: It says that a program made it.
        statements: By claim hash; the first of equal ones.
        text: All of it.
    """

    path: str
    is_dated: bool
    untrusted: str
    is_generated: bool
    statements: Mapping[str, Statement]
    text: str = field(repr=False)

    @cached_property
    def flagged(self) -> frozenset[int]:
        """Return the lines with text that may steer a model, looked for when they are first asked for."""
        findings = [found for found in scan(self.text) if found.severity >= Severity.MEDIUM]
        return _lines([(one.line, one.line + self.text.count("\n", one.start, one.end)) for one in findings])

    @cached_property
    def secret(self) -> frozenset[int]:
        """Return the lines with a secret, looked for when they are first asked for."""
        secrets = find_secrets(self.text)
        return _lines([(one.line, one.line + self.text.count("\n", one.start, one.end)) for one in secrets])

    def touches(self, said: Statement, lines: frozenset[int]) -> bool:
        """Say whether a statement lies on one of some lines."""
        return not lines.isdisjoint(range(said.line_start, said.line_end + 1))


def read_source(text: str, path: str, untrusted_folders: tuple[str, ...]) -> Source:
    """Return what a note says and what there is to know about it; pure."""
    front_matter, _, body_line = parse_front_matter(text)
    # The index holds masked text, so statements are known by the hash of that.
    statements: dict[str, Statement] = {}
    for said in list_statements(mask_secrets(text), body_line=body_line):
        statements.setdefault(said.key, said)
    return Source(
        path=path,
        is_dated=note_date(path) is not None and not is_evergreen(path, front_matter),
        untrusted=untrusted_reason(path, front_matter, untrusted_folders),
        is_generated=front_matter.get("generated") is True or front_matter.get("clawvault") is not None,
        statements=statements,
        text=text,
    )


def untrusted_reason(path: str, front_matter: Mapping[str, object], folders: tuple[str, ...]) -> str:
    """Say why the text of a note is not its owner's: it lies in such a folder, or says so itself (I39, T03)."""
    parts = [part.casefold() for part in path.split("/")[:-1]]
    chosen = {folder.strip("/").casefold() for folder in folders}
    inside = next(
        (part for number, part in enumerate(parts) if part in chosen or "/".join(parts[: number + 1]) in chosen), ""
    )
    if inside:
        return f'it lies in "{inside}"'
    said = {
        key: str(front_matter.get(key, "")).strip().casefold() for key in ("trust", "type", "kind", "source", "url")
    }
    if said["trust"] in UNTRUSTED_WORDS:
        return "its front matter says so"
    if said["type"] in UNTRUSTED_KINDS or said["kind"] in UNTRUSTED_KINDS or said["source"] in UNTRUSTED_KINDS:
        return "it is a record of others' words"
    if said["url"] or said["source"].startswith(WEB):
        return "it comes from the web"
    return ""


def _lines(spans: list[tuple[int, int]]) -> frozenset[int]:
    return frozenset(line for first, last in spans for line in range(first, last + 1))


class Sources:
    """The notes of a vault, each read once.

    Args:
        root: The vault.
        config: Its settings.
        rules: What is never a note.
    """

    def __init__(self, root: Path, config: Config, rules: IgnoreRules) -> None:
        self._root = root
        self._config = config
        self._rules = rules
        self._read: dict[str, Source | None] = {}
        self._elsewhere: dict[str, str] | None = None

    def locate(self, trace: Trace, *, everywhere: bool) -> tuple[Source, Statement] | None:
        """Find a statement where it was recalled, else where it was moved to.

        Args:
            trace: What is looked for.
            everywhere: Look through all dated notes when it is not in its own.

        Returns:
            ``None`` when nothing says it any more.

        Cost: Looking everywhere reads each dated note once.
        Source: L23, B133.
        """
        found = self._in_note(trace.path, trace.claim)
        if found is None and everywhere:
            elsewhere = self._claims_elsewhere().get(trace.claim)
            found = None if elsewhere is None else self._in_note(elsewhere, trace.claim)
        return found

    def read(self, path: str) -> Source | None:
        """Return a note as it is now; ``None`` when it is gone or out of the search."""
        if path not in self._read:
            file = find_note(self._root, path, self._rules, self._config)
            self._read[path] = self._read_file(file) if isinstance(file, NoteFile) else None
        return self._read[path]

    def _in_note(self, path: str, claim: str) -> tuple[Source, Statement] | None:
        source = self.read(path)
        said = None if source is None else source.statements.get(claim)
        return None if source is None or said is None else (source, said)

    def _read_file(self, file: NoteFile) -> Source | None:
        try:
            text = read_note(self._root, file, max_bytes=self._config.index.max_note_bytes).text
        except (ClawvaultError, OSError):
            return None
        return read_source(text, file.path, self._config.dream.untrusted)

    def _claims_elsewhere(self) -> dict[str, str]:
        if self._elsewhere is None:
            from clawvault.vault.listing import list_notes

            self._elsewhere = {}
            # The newest note wins, since text is moved forward.
            dated = [path for path in list_notes(self._root, self._rules, self._config).files if note_date(path)]
            for path in sorted(dated, key=lambda name: (note_date(name), name), reverse=True):
                source = self.read(path)
                for claim in source.statements if source else ():
                    self._elsewhere.setdefault(claim, path)
        return self._elsewhere
