"""What a person or an agent asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import date
from typing import Any

from clawvault.errors import UsageError
from clawvault.index.records import Filters
from clawvault.vault.archived import ARCHIVE, ARCHIVED_GLOB

MODES = ("hybrid", "fts", "vector")
FUSIONS = ("score", "rrf", "weighted", "adaptive")
KINDS = ("dated", "evergreen")
GROUPS = ("chunk", "note")
ASKERS = ("", "person", "agent", "context", "evaluation", "audit", "dream")
# Folders that a search leaves out, unless it is asked to look at them or ``path`` names them: field, folder, glob.
ASIDE = (("threads", "threads", "threads/*"), ("archive", ARCHIVE, ARCHIVED_GLOB))
MAX_QUERY_CHARS = 100_000
MAX_LIMIT = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """One question (design, section 4).

    Args:
        query: Any text of up to 100,000 characters; longer text is cut.
        limit: The most hits, 1..1000.
        mode: ``hybrid``, ``fts`` or ``vector``.
        fusion: How lanes are joined; ``None`` takes the vault's setting.
        since: First day, ISO; ``None`` is open.
        until: Last day, ISO, inclusive; ``None`` is open.
        path: A glob over vault paths, or a folder.
        tag: A tag without ``#``; finds its sub-tags too.
        kind: ``dated`` or ``evergreen``.
        group: ``note`` keeps the best chunk of each note.
        explain: Give the reason of every step.
        sync: Bring the index up to date first, however long that takes.
        timings: Say in the answer how long each stage took.
        asked_by: Who asks, one of ``ASKERS``; what was given as context alone says nothing of what is worth keeping.
        threads: Look at recorded conversations too; ``None`` looks at them only where ``path`` names them (MN-47).
        archive: The same for notes that were put away.
    """

    query: str
    limit: int = 10
    mode: str = "hybrid"
    fusion: str | None = None
    since: str | None = None
    until: str | None = None
    path: str | None = None
    tag: str | None = None
    kind: str | None = None
    group: str = "chunk"
    explain: bool = False
    sync: bool = False
    timings: bool = False
    asked_by: str = ""
    threads: bool | None = None
    archive: bool | None = None

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises:
            UsageError: A field is out of range.
        """
        _check_choice("mode", self.mode, MODES)
        _check_choice("fusion", self.fusion, (None, *FUSIONS))
        _check_choice("kind", self.kind, (None, *KINDS))
        _check_choice("group", self.group, GROUPS)
        _check_choice("asked_by", self.asked_by, ASKERS)
        if not 1 <= self.limit <= MAX_LIMIT:
            raise UsageError(f"The limit is {self.limit}.", f"Ask for 1 to {MAX_LIMIT} hits.")
        for name in ("since", "until"):
            _check_day(name, getattr(self, name))
        for name in ("path", "tag"):
            _check_text(name, getattr(self, name))
        if len(self.query) > MAX_QUERY_CHARS:
            object.__setattr__(self, "query", self.query[:MAX_QUERY_CHARS])

    @property
    def has_days(self) -> bool:
        """Say whether the caller gave days."""
        return self.since is not None or self.until is not None

    @property
    def filters(self) -> Filters:
        """Return which notes the question is about."""
        evergreen = None if self.kind is None else self.kind == "evergreen"
        tag = None if self.tag is None else self.tag.lstrip("#").lower()
        without = tuple(glob for name, _, glob in ASIDE if getattr(self, name) is False)
        return Filters(
            since=self.since, until=self.until, path=self.path, tag=tag, evergreen=evergreen, without=without
        )

    @property
    def undecided(self) -> dict[str, str]:
        """Return the fields that leave out a folder the question does not name, each with the glob of its notes."""
        named = None if self.path is None else self.path.partition("/")[0]
        return {name: glob for name, folder, glob in ASIDE if getattr(self, name) is None and folder != named}

    def to_dict(self) -> dict[str, Any]:
        """Return the request as JSON-safe values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SearchRequest:
        """Make a request from JSON values.

        Raises:
            UsageError: A field is unknown, of the wrong type or out of range.
        """
        known = {item.name for item in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown or not isinstance(values.get("query"), str):
            raise UsageError(f'The request has no usable field "{(unknown or ["query"])[0]}".')
        try:
            return cls(**values)
        except TypeError as error:
            raise UsageError(f"The request is malformed: {error}.") from error


def _check_choice(name: str, value: str | None, choices: tuple[str | None, ...]) -> None:
    if value not in choices:
        raise UsageError(f'The {name} is "{value}".', f"Use one of: {', '.join(c for c in choices if c)}.")


def _check_text(name: str, value: str | None) -> None:
    if value is not None and not (isinstance(value, str) and value.isprintable()):
        raise UsageError(f"The {name} holds characters that no {name} has.")


def _check_day(name: str, value: str | None) -> None:
    if value is None:
        return
    try:
        valid = date.fromisoformat(value).isoformat() == value
    except ValueError:
        valid = False
    if not valid:
        raise UsageError(f'"{value}" is not a day for --{name}.', "Write it as YYYY-MM-DD.")
