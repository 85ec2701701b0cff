"""Change one note: the only way any part of the project does (I01..I05)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from clawvault.errors import ClawvaultError, ConflictError, UsageError
from clawvault.guard.identity import RESERVED_FOLDER, find_protected, is_reserved
from clawvault.vault.paths import visible
from clawvault.vault.writing.creating import create_in, disk_faults, parse_parts
from clawvault.vault.writing.folder import Folder, temporary_name
from clawvault.vault.writing.form import sha256_of
from clawvault.vault.writing.locking import notes_lock
from clawvault.vault.writing.standing import StandingNote, find_standing
from clawvault.vault.writing.undo_copies import KEPT_BYTES, Deed, UndoCopies

RETRIES = 8
LATE_RETRIES = 200
MAX_BYTES = 5_000_000
LATE = "late-edit"

# Takes the bytes of a note, ``None`` when there is none, and gives those it shall have. It is called again whenever the
# note changed meanwhile, so it must do nothing else. Raising refuses the change.
Remake = Callable[[bytes | None], bytes]


class Change(NamedTuple):
    """What became of a note.

    Attributes:
        path: Vault path in NFC.
        before: Its bytes before; ``None`` when there was no such note.
        after: Its bytes now.
        undo_id: The copy that takes it back; empty when nothing changed.
        warnings: What a person should know, one sentence each.
    """

    path: str
    before: bytes | None
    after: bytes
    undo_id: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """Return the hash of the note as it is now."""
        return sha256_of(self.after)

    @property
    def is_change(self) -> bool:
        """Say whether anything was written."""
        return bool(self.undo_id)


def _now() -> datetime:
    return datetime.now(UTC)


class NoteWriter:
    """The writer of one vault.

    Args:
        root: The vault.
        state: Its state folder, which holds the lock and the undo copies.
        max_bytes: No note larger than this is changed or made.
        now: The clock that dates undo copies.
        undo_bytes: About the most bytes of all undo copies together.
    """

    def __init__(
        self,
        root: Path,
        state: Path,
        max_bytes: int = MAX_BYTES,
        now: Callable[[], datetime] = _now,
        undo_bytes: int = KEPT_BYTES,
    ) -> None:
        self.root = root
        self.state = state
        self.max_bytes = max_bytes
        self.now = now
        self.undo_bytes = undo_bytes

    @property
    def undo_copies(self) -> UndoCopies:
        """Return the undo copies of this vault."""
        return UndoCopies(self.state, most_bytes=self.undo_bytes)

    def change(self, relative: str, remake: Remake, *, operation: str, group: str = "", undoes: str = "") -> Change:
        """Change or make one note, so that at any moment it has its old bytes or its new ones.

        Args:
            relative: Its vault path.
            remake: Gives the new bytes for the present ones, as often as it is asked.
            operation: One word for the undo copy.
            group: Shared by the changes of one operation on several notes.
            undoes: The undo copy that this change takes back.

        Returns:
            What became of it; equal bytes write nothing.

        Raises:
            UsageError: The path is not one inside the vault, or is not for tools to write.
            ConflictError: The note kept changing, or its content is only in the cloud.
            LockedError: Another process hangs while it writes.
            ClawvaultError: A link is in the way, or the disk refused; also whatever ``remake`` raises.

        Source: I02, I03, I04, IW-79, MN-52, MN-53, B135, F02, F25, F28, T02, T05, T11.
        """
        return self._change(relative, remake, Deed(operation, group, undoes), is_recorder=False)

    def record(self, relative: str, remake: Remake) -> Change:
        """Change or make one note of a recorded conversation, which nothing but a recorder does.

        Args:
            relative: Its vault path, below ``threads/``.
            remake: See ``change``.

        Raises:
            UsageError: The path is anywhere else.

        Source: MN-52.
        """
        return self._change(relative, remake, Deed("record"), is_recorder=True)

    def _change(self, relative: str, remake: Remake, deed: Deed, *, is_recorder: bool) -> Change:
        parts = parse_parts(relative)
        path = "/".join(parts)
        attempt = _Attempt(self, path, parts, remake, deed, is_recorder=is_recorder)
        attempt.refuse_protected()
        with notes_lock(self.state), disk_faults("write", path):
            for _ in range(RETRIES):
                if (done := attempt.run()) is not None:
                    return done
            # The note is written; only what came in meanwhile is still to be brought into it.
            for _ in range(LATE_RETRIES):
                if attempt.done is None:
                    break
                if (done := attempt.run()) is not None:
                    return done
            if attempt.done is not None:
                return attempt.rescue()
        raise ConflictError(
            f'"{visible(path)}" keeps changing while it is written.', "Try again when nothing else writes it."
        )


class _Attempt:
    """One change, tried until nobody is in its way."""

    def __init__(
        self, writer: NoteWriter, path: str, parts: list[str], remake: Remake, deed: Deed, *, is_recorder: bool
    ) -> None:
        self.writer = writer
        self.path = path
        self.parts = parts
        self.remake = remake
        self.deed = deed
        self.is_recorder = is_recorder
        self.undo = writer.undo_copies
        self.done: Change | None = None
        self.mine: bytes | None = None
        self.late: bytes | None = None
        self.refusal: ClawvaultError | None = None

    def refuse_protected(self, note: StandingNote | None = None) -> None:
        name = find_protected(self.writer.root, self.path, note.seen if note else None)
        if name:
            raise UsageError(
                f'"{visible(self.path)}" is not written by tools: it is {name}, which says who an agent is.',
                "Edit it yourself, in any editor.",
            )
        if self.is_recorder and not self.path.startswith(f"{RESERVED_FOLDER}/"):
            raise UsageError(f'"{visible(self.path)}" is not recorded to: conversations are kept in "threads/".')
        if is_reserved(self.path) and not self.is_recorder:
            raise UsageError(
                f'"{visible(self.path)}" is not written by tools: "threads/" holds recorded conversations.',
                "Choose another folder.",
            )

    def run(self) -> Change | None:
        """Try once; ``None`` when the note changed meanwhile."""
        try:
            folder = Folder.reach(self.writer.root, self.parts[:-1], make=False)
        except FileNotFoundError:
            return self.make()
        with closing(folder):
            note = find_standing(folder, self.parts[-1], self.path, max_bytes=self.writer.max_bytes)
            if note is None:
                return self.make()
            with closing(note):
                return self.rework(note)

    def make(self) -> Change | None:
        data = self.remade(None)
        with closing(Folder.reach(self.writer.root, self.parts[:-1])) as folder:
            folder.refuse_taken(self.parts[-1], self.path)
            undo_id = self.keep(None, data)
            try:
                created = create_in(folder, self.parts[-1], data, self.path)
            except BaseException:
                self.undo.drop(undo_id)
                raise
            if not created:
                self.undo.drop(undo_id)
                return None
        return self.settle(Change(self.path, None, data, undo_id))

    def rework(self, note: StandingNote) -> Change | None:
        self.refuse_protected(note)
        data = self.remade(note.data)
        if data == note.data:
            return self.settle(Change(self.path, note.data, data))
        undo_id = self.keep(self.late if self.late is not None and note.data == self.mine else note.data, data)
        try:
            replaced = _put_in_place(note, data, self.path)
        except BaseException:
            self.undo.drop(undo_id)
            raise
        if not replaced:
            self.undo.drop(undo_id)
            return None
        change = Change(self.path, note.data, data, undo_id)
        late = note.late_bytes()
        if late is None:
            return self.settle(change)
        self.take_in(change, late)
        return None

    def remade(self, data: bytes | None) -> bytes:
        new = self.remake(data)
        if len(new) > self.writer.max_bytes:
            raise UsageError(
                f'"{visible(self.path)}" would have {len(new)} bytes, more than {self.writer.max_bytes}.',
                "Split it into several notes.",
            )
        return new

    def keep(self, before: bytes | None, after: bytes) -> str:
        return self.undo.keep(self.path, before, after, **self.deed._asdict(), now=self.writer.now())

    def take_in(self, change: Change, late: bytes) -> None:
        """Bring in what an editor wrote into the old file while it was replaced; the next attempt writes it (F25)."""
        self.done = self.done or change
        self.mine, self.late = change.after, late
        before, after, remake = change.before or b"", change.after, self.remake

        def joined(now: bytes | None) -> bytes:
            there = after if now is None else now
            # What comes after the end of the old text comes after the end of the new one, whatever changed in it.
            if late.startswith(before):
                return there + late[len(before) :]
            if there == after:
                try:
                    return remake(late)
                except ClawvaultError as error:
                    self.refusal = error
                    return late
            self.rescue()
            return there

        self.remake = joined

    def rescue(self) -> Change:
        """Keep aside what another program wrote, where it cannot be brought into the note."""
        assert self.done is not None  # noqa: S101 - there is nothing late before the note was written once
        if self.late is not None:
            kept = self.undo.keep(self.path, self.late, self.done.after, operation=LATE, now=self.writer.now())
            self.done = self.done._replace(warnings=(*self.done.warnings, _rescued(kept)))
            self.late = None
        return self.done

    def settle(self, change: Change) -> Change:
        if self.refusal is not None:
            raise self.refusal
        if self.done is None:
            return change
        return self.done._replace(after=change.after, undo_id=change.undo_id or self.done.undo_id)


def _put_in_place(note: StandingNote, data: bytes, path: str) -> bool:
    temporary = temporary_name()
    note.folder.write_new(temporary, data, like=note.seen)
    try:
        note.refuse_open(path)
        if not note.is_still():
            return False
        note.folder.replace(temporary, note.name)
    finally:
        with suppress(FileNotFoundError):
            note.folder.remove(temporary)
    note.folder.sync()
    return True


def _rescued(kept: str) -> str:
    return f"Another program wrote the note at the same moment; what it wrote is in undo copy {kept}."
