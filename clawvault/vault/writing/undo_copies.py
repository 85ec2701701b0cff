"""What notes were before each change: kept outside the vault, for a while."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from clawvault.errors import ClawvaultError, NotFoundError
from clawvault.vault.paths import make_private, visible
from clawvault.vault.writing.form import sha256_of

FOLDER_NAME = "undo"
KEPT = 30
KEPT_DAYS = 7
KEPT_BYTES = 100_000_000
# Looking through thousands of copies takes as long as writing a note. So what is old is looked for once an hour, and
# what all take is added up for each change that is large, for others the less often the smaller they are; then so much
# of the room is made free that the next one finds some.
GLANCE_S = 3600.0
GLANCED_NAME = "glanced"
LARGE_SHARE, FULL_SHARE = 0.01, 0.9
SELDOM, SELDOM_LARGE = 1 / 256, 1 / 16
LONGEST_LINE = 100_000
_STAMP = "%Y%m%dT%H%M%S%fZ"
_ID = re.compile(r"\d{8}T\d{12}Z-[0-9a-f]{6}")


class UndoCopy(NamedTuple):
    """One change that can be taken back.

    Attributes:
        id: Sorts by time.
        path: The note.
        at: When it was changed, ISO 8601 in UTC.
        operation: What changed it, one word.
        existed: There was such a note before.
        sha256_before: Of its bytes before; of nothing when there was none.
        sha256_after: Of its bytes after.
        size_bytes: How many bytes it had before.
        group: Shared by the changes of one operation on several notes; empty for a change by itself.
        undoes: The copy that this change took back; empty for any other.
    """

    id: str
    path: str
    at: str
    operation: str
    existed: bool
    sha256_before: str
    sha256_after: str
    size_bytes: int
    group: str = ""
    undoes: str = ""


class Deed(NamedTuple):
    """What changes a note.

    Attributes:
        operation: One word.
        group: See ``UndoCopy``.
        undoes: See ``UndoCopy``.
    """

    operation: str
    group: str = ""
    undoes: str = ""


def new_group() -> str:
    """Return a name for the changes of one operation."""
    return os.urandom(6).hex()


class UndoCopies:
    """The undo copies of one vault, each a file of one line about the change and the bytes of the note before it.

    They go when they are older than ``KEPT_DAYS`` and not among the newest ``KEPT``, and the oldest first where all
    together are too large; the newest of each note stays.

    Args:
        state: The state folder of the vault.
        most_bytes: About the most bytes of all copies together.
    """

    def __init__(self, state: Path, *, most_bytes: int = KEPT_BYTES) -> None:
        self.folder = state / FOLDER_NAME
        self.most_bytes = most_bytes

    def keep(
        self,
        path: str,
        before: bytes | None,
        after: bytes,
        *,
        operation: str,
        now: datetime,
        group: str = "",
        undoes: str = "",
    ) -> str:
        """Keep what a note is before it is changed, and let go of what is old.

        Args:
            path: The note.
            before: Its bytes; ``None`` when there is none yet.
            after: What it is about to become.
            operation: What changes it.
            now: Aware.
            group: See ``UndoCopy``.
            undoes: See ``UndoCopy``.

        Returns:
            The id of the copy.

        Raises:
            OSError: The disk refused; then the note must not be changed either.
        """
        moment = now.astimezone(UTC)
        entry = UndoCopy(
            id=f"{moment.strftime(_STAMP)}-{os.urandom(3).hex()}",
            path=path,
            at=moment.isoformat(timespec="milliseconds"),
            operation=operation,
            existed=before is not None,
            sha256_before=sha256_of(before or b""),
            sha256_after=sha256_of(after),
            size_bytes=len(before or b""),
            group=group,
            undoes=undoes,
        )
        self.folder.mkdir(mode=0o700, exist_ok=True)
        make_private(self.folder)
        self._write(entry, before or b"")
        self._prune(moment)
        if self._is_turn(entry):
            self._make_room()
        return entry.id

    def drop(self, identity: str) -> None:
        """Forget the copy of a change that did not happen."""
        with suppress(OSError):
            os.unlink(self.folder / identity)  # noqa: PTH108

    def list_all(self) -> list[UndoCopy]:
        """Return the changes that can be taken back, newest first."""
        found = []
        for identity in sorted(self._ids(), reverse=True):
            with suppress(ClawvaultError):
                found.append(self.get(identity)[0])
        return found

    def get(self, identity: str) -> tuple[UndoCopy, bytes]:
        """Return one change, and the bytes of the note before it.

        Raises:
            NotFoundError: There is no such copy, or it was cut short and holds nothing of use.
        """
        missing = NotFoundError(f'There is no undo copy "{visible(identity)}".', 'List them with "clawvault undo".')
        if not _ID.fullmatch(identity):
            raise missing
        try:
            line, _, before = (self.folder / identity).read_bytes().partition(b"\n")
            entry = UndoCopy(**json.loads(line))
        except (OSError, ValueError, TypeError) as error:
            raise missing from error
        if sha256_of(before) != entry.sha256_before:
            raise missing
        return entry, before

    def _ids(self) -> list[str]:
        try:
            return [name for name in os.listdir(self.folder) if _ID.fullmatch(name)]
        except FileNotFoundError:
            return []

    def _write(self, entry: UndoCopy, before: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(self.folder / entry.id, flags | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            try:
                left = memoryview(json.dumps(entry._asdict()).encode() + b"\n" + before)
                while left:
                    left = left[os.write(descriptor, left) :]
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError:
            self.drop(entry.id)
            raise

    def _prune(self, now: datetime) -> None:
        if self._was_glanced_at(now):
            return
        oldest = (now - timedelta(days=KEPT_DAYS)).strftime(_STAMP)
        for identity in sorted(self._ids())[:-KEPT]:
            if identity < oldest:
                self.drop(identity)

    def _was_glanced_at(self, now: datetime) -> bool:
        """Say whether what is old was looked for within the hour; if not, it will have been."""
        mark, moment = self.folder / GLANCED_NAME, now.timestamp()
        try:
            if 0 <= moment - os.stat(mark).st_mtime < GLANCE_S:  # noqa: PTH116
                return True
        except FileNotFoundError:
            mark.touch(mode=0o600)
        os.utime(mark, (moment, moment))
        return False

    def _is_turn(self, entry: UndoCopy) -> bool:
        """Say whether all copies are added up after this one; its id holds what chance says."""
        share = entry.size_bytes / (LARGE_SHARE * self.most_bytes)
        return share >= 1 or int(entry.id[-6:], 16) < max(SELDOM, SELDOM_LARGE * share) * 16**6

    def _make_room(self) -> None:
        """Let go of the oldest where all copies together are too large."""
        with os.scandir(self.folder) as entries:
            sizes = {entry.name: _size_of(entry) for entry in entries if _ID.fullmatch(entry.name)}
        over = sum(sizes.values()) - self.most_bytes
        if over <= 0:
            return
        over += int((1 - FULL_SHARE) * self.most_bytes)
        old_first = sorted(sizes)
        newest: dict[str, str] = {}
        young_first = reversed(old_first)
        for identity in old_first:
            if over <= 0:
                return
            note = self._note_of(identity)
            # Of thousands only as many are opened as it takes to find a newer one of the same note.
            while note and note not in newest and (young := next(young_first, "")):
                newest.setdefault(self._note_of(young), young)
            if not note or newest.get(note) != identity:
                self.drop(identity)
                over -= sizes[identity]

    def _note_of(self, identity: str) -> str:
        """Return the note of a copy; empty when it was cut short and holds nothing of use."""
        with suppress(OSError, ValueError, KeyError, TypeError), (self.folder / identity).open("rb") as copy:
            return str(json.loads(copy.readline(LONGEST_LINE))["path"])
        return ""


def _size_of(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat().st_size
    except FileNotFoundError:
        # Another process let go of it.
        return 0
