"""The operations of one vault, as the Python interface and every door to it have them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from clawvault.config import Config
from clawvault.guard.checking import find_flaws
from clawvault.keeping import daily, forgetting, noting, pinning, profile, recording, remembering, undoing
from clawvault.keeping.forgetting import Forgotten, ForgottenLine
from clawvault.keeping.means import Guard, Means, Written
from clawvault.vault.local_time import local_now
from clawvault.vault.writing import NoteWriter, UndoCopy


class Keeper:
    """Whatever changes the notes of one vault.

    Args:
        root: The vault.
        config: Its settings.
        state: Its state folder.
        guard: Finds what must not be written where a model reads it; ``None`` is that of the guard room.
        now: The clock; ``None`` is that of the machine in the zone of the settings.
        on_written: Told the path of each note that was written.
        is_known: Says whether a note was there a moment ago.
    """

    def __init__(
        self,
        root: Path,
        config: Config,
        state: Path,
        *,
        guard: Guard | None = None,
        now: Callable[[], datetime] | None = None,
        on_written: Callable[[str], None] | None = None,
        is_known: Callable[[str], bool] | None = None,
    ) -> None:
        clock = now or (lambda: local_now(config))
        given = {"guard": guard or find_flaws, "on_written": on_written, "is_known": is_known}
        chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        writer = NoteWriter(root, state, max_bytes=config.index.max_note_bytes, now=clock)
        self.means = Means(root, config, writer, clock, **chosen)

    def write(self, path: str, content: str, *, expected_hash: str | None = None, by_person: bool = False) -> Written:
        """Make a note, or replace one that is still as it was read; see ``noting.write_note``."""
        return noting.write_note(self.means, path, content, expected_hash=expected_hash, by_person=by_person)

    def append(self, path: str, text: str, *, by_person: bool = False) -> Written:
        """Put an entry at the end of a note; see ``noting.append``."""
        return noting.append(self.means, path, text, by_person=by_person)

    def patch(
        self,
        path: str,
        old: str,
        new: str,
        *,
        replace_all: bool = False,
        allow_delete: bool = False,
        by_person: bool = False,
    ) -> Written:
        """Put one text in the place of another; see ``noting.patch``."""
        return noting.patch(
            self.means, path, old, new, replace_all=replace_all, allow_delete=allow_delete, by_person=by_person
        )

    def remember(self, text: str, category: str | None = None, *, even_if_similar: bool = False) -> Written:
        """Keep one fact where it belongs, once; see ``remembering.remember``."""
        return remembering.remember(self.means, text, category, even_if_similar=even_if_similar)

    def log(self, text: str) -> Written:
        """Put an entry with the time into today's note; see ``daily.log``."""
        return daily.log(self.means, text)

    def forget(self, text: str, *, dry_run: bool = False, shown: Collection[ForgottenLine] | None = None) -> Forgotten:
        """Remove the lines that say something; see ``forgetting.forget``."""
        return forgetting.forget(self.means, text, dry_run=dry_run, shown=shown)

    def profile_get(self, key: str | None = None) -> Any:
        """Return one key of the profile, or all of it; see ``profile.get_value``."""
        return profile.get_value(self.means, key)

    def profile_set(self, key: str, value: profile.Value) -> Written:
        """Set one key of the profile; see ``profile.set_value``."""
        return profile.set_value(self.means, key, value)

    def record_interaction(self, thread_id: str, run_id: str, messages: Sequence[Mapping[str, Any]]) -> Written:
        """Write one run of a conversation, over what was recorded of it before; see ``recording``."""
        return recording.record_interaction(self.means, thread_id, run_id, messages)

    def pin(self, path: str, line: int | None = None, importance: int | None = None) -> Written:
        """Keep a note, or one place of it, from fading; see ``pinning.pin``."""
        return pinning.pin(self.means, path, line, importance)

    def unpin(self, path: str, line: int | None = None) -> Written:
        """Let a note, or one place of it, fade again; see ``pinning.unpin``."""
        return pinning.unpin(self.means, path, line)

    def undo_list(self) -> list[UndoCopy]:
        """Return the changes that can be taken back, newest first."""
        return undoing.list_undo(self.means)

    def undo(self, identity: str | None = None, *, force: bool = False) -> Written:
        """Take one change back; see ``undoing.undo``."""
        return undoing.undo(self.means, identity, force=force)
