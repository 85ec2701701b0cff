"""What the index holds, as plain values: notes, chunks, generations and the filters of a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from clawvault.index.packing import hash_text

if TYPE_CHECKING:
    # A search reads what was stored; it must not pay for what cuts and parses notes.
    from clawvault.embed.probe import Reading
    from clawvault.index.chunking import Chunk
    from clawvault.vault.listing import NoteFile
    from clawvault.vault.markdown import Link

# Stands for the time of a file that was read in the moment it was written, and may have changed again since.
UNSURE_MTIME = -1


class KnownNote(NamedTuple):
    """What the index remembers of one file, enough to tell whether it changed."""

    id: int
    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    sha256: bytes
    stale: str
    generation: int

    def same_stat(self, file: NoteFile) -> bool:
        """Say whether the file looks untouched; ctime and inode tell what a restored mtime hides (B025)."""
        return self[2:6] == file[2:6]

    def is_unsure_of(self, file: NoteFile) -> bool:
        """Say whether only the forgotten time of a fresh write keeps the file from looking untouched."""
        same = (self.size, self.ctime_ns, self.inode) == (file.size, file.ctime_ns, file.inode)
        return self.mtime_ns == UNSURE_MTIME and same and not self.stale


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """One note as it is written to the index.

    ``date`` is the ISO day of a dated note or of its front matter; ``evergreen`` notes do not fade (OC-09).
    """

    file: NoteFile
    sha256: bytes
    encoding: str
    title: str
    date: str | None
    evergreen: bool
    importance: int | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    warnings: tuple[str, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class ChunkText:
    """One chunk with its text, secrets masked, and the hash that keys its vector.

    ``flags`` are labels of what in it may steer a model, such as ``critical:ignore-previous``, the worst first.
    """

    chunk: Chunk
    text: str
    flags: tuple[str, ...] = ()

    @property
    def text_hash(self) -> bytes:
        """Return the first 16 bytes of the text's SHA-256."""
        return hash_text(self.text)


@dataclass(frozen=True, slots=True)
class Generation:
    """One way of cutting and embedding the notes.

    ``settings`` are the ``chunks`` and ``embedding`` settings it was begun with; ``space_id`` is ``None`` when
    it has no vectors. ``readings`` say how well its model reads each language, empty while that is not known.
    """

    id: int
    state: str
    chunker: str
    space_id: int | None
    space_key: str
    dims: int
    readings: Mapping[str, Reading]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which notes a question is about; ``None`` means all.

    ``since`` and ``until`` are inclusive ISO days, ``path`` a glob over vault paths, ``tag`` also finds its sub-tags,
    ``without`` are globs of paths that are left out, at most two.
    """

    since: str | None = None
    until: str | None = None
    path: str | None = None
    tag: str | None = None
    evergreen: bool | None = None
    without: tuple[str, ...] = ()

    @property
    def narrow(self) -> bool:
        """Say whether any note may be left out."""
        return self != Filters()

    @property
    def wide(self) -> bool:
        """Say whether most notes are likely to count: only some folders are left out."""
        return self == Filters(without=self.without)

    def parameters(self) -> dict[str, Any]:
        """Return the values for ``FILTER_SQL``."""
        path = self.path
        if path is not None and not any(sign in path for sign in "*?["):
            path = path.rstrip("/")
        return {
            "since": self.since,
            "until": self.until,
            "path": path,
            "below": None if path is None else f"{path}/*",
            "tag": self.tag,
            "subtag": None if self.tag is None else f"{self.tag}/",
            "evergreen": None if self.evergreen is None else int(self.evergreen),
            **dict(zip(("without", "nor"), (*self.without, None, None), strict=False)),
        }


# One fixed condition for every question: no SQL is ever put together from a person's words (T13).
FILTER_SQL = """
    (:since IS NULL OR n.date >= :since)
    AND (:until IS NULL OR n.date <= :until)
    AND (:path IS NULL OR n.path GLOB :path OR n.path GLOB :below)
    AND (:tag IS NULL OR EXISTS (
        SELECT 1 FROM json_each(n.tags)
        WHERE value = :tag OR substr(value, 1, length(:subtag)) = :subtag))
    AND (:evergreen IS NULL OR (n.evergreen OR c.pinned) = :evergreen)
    AND (:without IS NULL OR n.path NOT GLOB :without)
    AND (:nor IS NULL OR n.path NOT GLOB :nor)
"""
