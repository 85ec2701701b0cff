"""Take back what an operation did to a note."""

from __future__ import annotations

from clawvault.errors import ClawvaultError, ConflictError, NotFoundError
from clawvault.keeping.means import Means, Written, report
from clawvault.vault.paths import visible
from clawvault.vault.writing import UndoCopy, sha256_of

# What took something back itself, and recordings, which nobody means by their last change.
PASSED_OVER = frozenset({"undo", "record"})

# Nobody who takes back the newest change means one that took something back, or a line of the diary.
BESIDE = frozenset({"undo", "diary"})


def list_undo(means: Means) -> list[UndoCopy]:
    """Return the changes that can be taken back, newest first."""
    return means.writer.undo_copies.list_all()


def undo(means: Means, identity: str | None = None, *, force: bool = False) -> Written:
    """Give a note the bytes it had before a change; that is a change as well, which can be taken back.

    Args:
        means: What to work with.
        identity: The copy; ``None`` is the newest change that is neither one taken back nor a recording.
        force: Also when the note was changed since.

    Raises:
        NotFoundError: There is no such copy.
        ConflictError: The note was changed since.
        ClawvaultError: The change made the note; nothing is ever deleted.

    Source: I04, decisions "Every write".
    """
    if identity is None:
        newest = next((copy.id for copy in list_undo(means) if copy.operation not in PASSED_OVER), None)
        if newest is None:
            raise NotFoundError("There is nothing to undo.", "Changes are kept for 7 days, and always the last 30.")
        identity = newest
    copy, before = means.writer.undo_copies.get(identity)
    if not copy.existed:
        raise ClawvaultError(
            f'That change made "{visible(copy.path)}", and nothing is ever deleted.', "Delete the note yourself."
        )

    def remake(data: bytes | None) -> bytes:
        now = None if data is None else sha256_of(data)
        if now is not None and now not in {copy.sha256_after, copy.sha256_before} and not force:
            raise ConflictError(
                f'"{visible(copy.path)}" was changed after that.', "Take back later changes first, or force it."
            )
        return before

    return report(means, means.writer.change(copy.path, remake, operation="undo"), "undo")
