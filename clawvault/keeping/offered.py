"""What a vault offers to change its notes; the operations are imported when one of them is asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from clawvault.keeping.forgetting import Forgotten, ForgottenLine
    from clawvault.keeping.keeper import Keeper
    from clawvault.keeping.means import Written
    from clawvault.keeping.profile import Value
    from clawvault.vault.writing import UndoCopy

Answer = TypeVar("Answer")


class KeptNotes:
    """The calls of ``Vault`` that change notes, and those of the profile (MN-04)."""

    @property
    def keeper(self) -> Keeper:
        """Return the operations that change notes."""
        raise NotImplementedError

    def write(self, path: str, content: str, *, expected_hash: str | None = None, by_person: bool = False) -> Written:
        """Make a note, or replace one that still has the hash it was read with; see ``keeping.noting.write_note``."""
        return self._changing(self.keeper.write(path, content, expected_hash=expected_hash, by_person=by_person))

    def append(self, path: str, text: str, *, by_person: bool = False) -> Written:
        """Put an entry at the end of a note; see ``keeping.noting.append``."""
        return self._changing(self.keeper.append(path, text, by_person=by_person))

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
        return self._changing(
            self.keeper.patch(path, old, new, replace_all=replace_all, allow_delete=allow_delete, by_person=by_person)
        )

    def remember(self, text: str, category: str | None = None, *, even_if_similar: bool = False) -> Written:
        """Keep one fact where it belongs, once; see ``keeping.remembering.remember``."""
        return self._changing(self.keeper.remember(text, category, even_if_similar=even_if_similar))

    def log(self, text: str) -> Written:
        """Put an entry with the time into today's note; see ``keeping.daily.log``."""
        return self._changing(self.keeper.log(text))

    def forget(self, text: str, *, dry_run: bool = False, shown: Collection[ForgottenLine] | None = None) -> Forgotten:
        """Remove the lines that say something; see ``keeping.forgetting.forget``."""
        return self._changing(self.keeper.forget(text, dry_run=dry_run, shown=shown))

    def profile_get(self, key: str | None = None) -> Any:
        """Return one value of the profile, or all of it; see ``keeping.profile.get_value``."""
        return self.keeper.profile_get(key)

    def profile_set(self, key: str, value: Value) -> Written:
        """Set one value of the profile; see ``keeping.profile.set_value``."""
        return self._changing(self.keeper.profile_set(key, value))

    def pin(self, path: str, line: int | None = None, *, importance: int | None = None) -> Written:
        """Keep a note, or one place of it, from fading; see ``keeping.pinning.pin``."""
        return self._changing(self.keeper.pin(path, line, importance))

    def unpin(self, path: str, line: int | None = None) -> Written:
        """Let a note, or one place of it, fade again; see ``keeping.pinning.unpin``."""
        return self._changing(self.keeper.unpin(path, line))

    def record_interaction(self, thread_id: str, run_id: str, messages: Sequence[Mapping[str, Any]]) -> Written:
        """Write one run of a conversation, over what was recorded of it before; see ``keeping.recording``."""
        return self._changing(self.keeper.record_interaction(thread_id, run_id, messages))

    def profile_read(self) -> dict[str, Any]:
        """Return all of the profile, empty when there is none; see ``keeping.profile.read_profile``."""
        return dict(self.keeper.profile_get(None))

    def undo_list(self) -> list[UndoCopy]:
        """Return the changes that can be taken back, newest first."""
        return self.keeper.undo_list()

    def undo(self, identity: str | None = None, *, force: bool = False) -> Written:
        """Take one change back; see ``keeping.undoing.undo``."""
        return self._changing(self.keeper.undo(identity, force=force))

    def _changing(self, changed: Answer) -> Answer:
        """Let the next question see what was written."""
        raise NotImplementedError
