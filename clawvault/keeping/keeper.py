"""The operations of one vault, as the Python interface and every door to it have them; each imports what it needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawvault.config import Config
from clawvault.keeping.arguments import insist_on_lists, insist_on_numbers, insist_on_texts

if TYPE_CHECKING:
    from clawvault.keeping.forgetting import Forgotten, ForgottenLine
    from clawvault.keeping.means import Guard, Means, Written
    from clawvault.keeping.profile import Value
    from clawvault.vault.writing import UndoCopy


class Keeper:
    """Whatever changes the notes of one vault, and its profile (MN-04).

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
        on_written: Callable[[str], None] = lambda _: None,
        is_known: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.root = root
        self.config = config
        self.state = state
        self._guard = guard
        self._now = now
        self._on_written = on_written
        self._is_known = is_known

    @cached_property
    def means(self) -> Means:
        """Return what the operations work with, made for the first of them."""
        from clawvault.guard.checking import find_flaws
        from clawvault.keeping.means import Means
        from clawvault.vault.local_time import local_now
        from clawvault.vault.writing import NoteWriter

        now = self._now or (lambda: local_now(self.config))
        limits = {"max_bytes": self.config.index.max_note_bytes, "undo_bytes": self.config.undo_bytes}
        writer = NoteWriter(self.root, self.state, now=now, **limits)
        return Means(self.root, self.config, writer, now, self._guard or find_flaws, self._on_written, self._is_known)

    def write(self, path: str, content: str, *, expected_hash: str | None = None, by_person: bool = False) -> Written:
        """Make a note, or replace one that still has the hash it was read with; see ``keeping.noting.write_note``."""
        from clawvault.keeping.noting import write_note

        insist_on_texts(path=path, content=content)
        return write_note(self.means, path, content, expected_hash=expected_hash, by_person=by_person)

    def append(self, path: str, text: str, *, by_person: bool = False) -> Written:
        """Put an entry at the end of a note; see ``keeping.noting.append``."""
        from clawvault.keeping.noting import append

        insist_on_texts(path=path, text=text)
        return append(self.means, path, text, by_person=by_person)

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
        """Put one text in the place of another; see ``keeping.noting.patch``."""
        from clawvault.keeping.noting import patch

        insist_on_texts(path=path, old=old, new=new)
        return patch(
            self.means, path, old, new, replace_all=replace_all, allow_delete=allow_delete, by_person=by_person
        )

    def remember(self, text: str, category: str | None = None, *, even_if_similar: bool = False) -> Written:
        """Keep one fact where it belongs, once; see ``keeping.remembering.remember``."""
        from clawvault.keeping.remembering import remember

        insist_on_texts(text=text, **_given(category=category))
        return remember(self.means, text, category, even_if_similar=even_if_similar)

    def log(self, text: str) -> Written:
        """Put an entry with the time into today's note; see ``keeping.daily.log``."""
        from clawvault.keeping.daily import log

        insist_on_texts(text=text)
        return log(self.means, text)

    def forget(self, text: str, *, dry_run: bool = False, shown: Collection[ForgottenLine] | None = None) -> Forgotten:
        """Remove the lines that say something; see ``keeping.forgetting.forget``."""
        from clawvault.keeping.forgetting import forget

        insist_on_texts(text=text)
        return forget(self.means, text, dry_run=dry_run, shown=shown)

    def profile_get(self, key: str | None = None) -> Any:
        """Return one value of the profile, or all of it; see ``keeping.profile.get_value``."""
        from clawvault.keeping.profile import get_value

        insist_on_texts(**_given(key=key))
        return get_value(self.means, key)

    def profile_read(self) -> dict[str, Any]:
        """Return all of the profile, empty when there is none; see ``keeping.profile.read_profile``."""
        return dict(self.profile_get())

    def profile_set(self, key: str, value: Value) -> Written:
        """Set one value of the profile; see ``keeping.profile.set_value``."""
        from clawvault.keeping.profile import set_value

        insist_on_texts(key=key)
        return set_value(self.means, key, value)

    def pin(self, path: str, line: int | None = None, *, importance: int | None = None) -> Written:
        """Keep a note, or one place of it, from fading; see ``keeping.pinning.pin``."""
        from clawvault.keeping.pinning import pin

        insist_on_texts(path=path)
        insist_on_numbers(**_given(line=line, importance=importance))
        return pin(self.means, path, line, importance)

    def unpin(self, path: str, line: int | None = None) -> Written:
        """Let a note, or one place of it, fade again; see ``keeping.pinning.unpin``."""
        from clawvault.keeping.pinning import unpin

        insist_on_texts(path=path)
        insist_on_numbers(**_given(line=line))
        return unpin(self.means, path, line)

    def record_interaction(self, thread_id: str, run_id: str, messages: Sequence[Mapping[str, Any]]) -> Written:
        """Write one run of a conversation, over what was recorded of it before; see ``keeping.recording``."""
        from clawvault.keeping.recording import record_interaction

        insist_on_texts(thread_id=thread_id, run_id=run_id)
        insist_on_lists(messages=messages)
        return record_interaction(self.means, thread_id, run_id, messages)

    def undo_list(self) -> list[UndoCopy]:
        """Return the changes that can be taken back, newest first."""
        from clawvault.keeping.undoing import list_undo

        return list_undo(self.means)

    def undo(self, identity: str | None = None, *, force: bool = False) -> Written:
        """Take one change back; see ``keeping.undoing.undo``."""
        from clawvault.keeping.undoing import undo

        insist_on_texts(**_given(identity=identity))
        return undo(self.means, identity, force=force)


def _given(**values: object) -> dict[str, object]:
    """Return the arguments that are not left out."""
    return {name: value for name, value in values.items() if value is not None}
