"""Take back what an operation did to a note, or to several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clawvault.errors import ClawvaultError, ConflictError, NotFoundError
from clawvault.keeping.means import Means, Written, report
from clawvault.vault.paths import visible
from clawvault.vault.writing import UndoCopy, sha256_of
from clawvault.vault.writing.removing import remove_made_note

# Nobody who takes back the newest change means one that took something back, a recording, or a line of the diary.
PASSED_OVER = frozenset({"undo", "record", "diary"})
NOTHING = "There is nothing to undo."


def list_undo(means: Means) -> list[UndoCopy]:
    """Return the changes that can be taken back, newest first."""
    return means.writer.undo_copies.list_all()


def taken_back(copies: Sequence[UndoCopy]) -> frozenset[str]:
    """Return the ids of changes that were taken back and not brought back since: pure.

    What took a change back took back all that was done to the note after it as well. A change that took something back
    counts no longer once it was taken back itself.

    Args:
        copies: All there are, newest first.
    """
    undone: set[str] = set()
    for place, copy in enumerate(copies):
        if copy.operation != "undo" or copy.id in undone:
            continue
        older = [other for other in copies[place + 1 :] if other.path == copy.path]
        target = copy.undoes or next((one.id for one in older if one.sha256_before == copy.sha256_after), "")
        undone.update(one.id for one in older if target and one.id >= target)
    return frozenset(undone)


def undo(means: Means, identity: str | None = None, *, force: bool = False) -> Written:
    """Give a note the bytes it had before a change; that is a change as well, which can be taken back.

    A note that the change made goes, as long as nobody else wrote in it; its bytes stay in the undo copy of that.

    Args:
        means: What to work with.
        identity: The copy; ``None`` is the newest operation that stands, in all notes it changed, and is none that took
            something back, nor a recording.
        force: Also when the note was changed since.

    Returns:
        What was done to the note, or to the first of several; the others are in its warnings.

    Raises:
        NotFoundError: There is no such copy.
        ConflictError: The note was changed since; the hint names the change before it.

    Source: I04, decisions "Every write".
    """
    copies = list_undo(means)
    if identity is not None:
        written = _take_back(means, identity, force=force)
        return _with_warnings(written, _left_of_group(copies, identity))
    operations = _standing(copies)
    for place, members in enumerate(operations):
        try:
            written = _take_back_all(means, members, force=force)
        except ConflictError as error:
            raise _with_next(error, operations[place + 1 :]) from error
        if written.changed:
            return written
    raise NotFoundError(NOTHING, "Changes are kept for 7 days, and always the last 30.")


def _standing(copies: Sequence[UndoCopy]) -> list[list[UndoCopy]]:
    """Return the operations that can be taken back, newest first, each with all it changed."""
    undone = taken_back(copies)
    touched = {copy.group for copy in copies if copy.group and copy.id in undone}
    done = set(undone)
    operations = []
    for copy in copies:
        if copy.id in done or copy.operation in PASSED_OVER or copy.group in touched:
            continue
        members = [one for one in copies if one.id == copy.id or (copy.group and one.group == copy.group)]
        done.update(one.id for one in members)
        operations.append(members)
    return operations


def _with_next(error: ConflictError, rest: Sequence[Sequence[UndoCopy]]) -> ConflictError:
    """Name the change before the one that cannot be taken back."""
    if not rest:
        return error
    before = rest[0][0]
    said = f'{before.operation} of "{visible(before.path)}"'
    return ConflictError(error.message, f"{error.hint} The change before it ({said}): clawvault undo {before.id}")


def _take_back_all(means: Means, members: Iterable[UndoCopy], *, force: bool) -> Written:
    """Take back the changes of one operation, as many as can be."""
    results: list[Written] = []
    problems: list[ClawvaultError] = []
    for copy in members:
        try:
            results.append(_take_back(means, copy.id, force=force))
        except ClawvaultError as error:
            problems.append(error)
    if not any(written.changed for written in results) and problems:
        raise problems[0]
    results.sort(key=lambda written: not written.changed)
    others = [f'"{written.path}" was given back what it held too.' for written in results[1:] if written.changed]
    return _with_warnings(results[0], [*others, *(f"{problem.message} {problem.hint}" for problem in problems)])


def _take_back(means: Means, identity: str, *, force: bool) -> Written:
    copy, before = means.writer.undo_copies.get(identity)
    if not copy.existed:
        return _take_away(means, copy)

    def remake(data: bytes | None) -> bytes:
        now = None if data is None else sha256_of(data)
        if now is not None and now not in {copy.sha256_after, copy.sha256_before} and not force:
            raise ConflictError(
                f'"{visible(copy.path)}" was changed after that.',
                f"Take back later changes first, or force it: clawvault undo {copy.id} --force",
            )
        return before

    return report(means, means.writer.change(copy.path, remake, operation="undo", undoes=copy.id), "undo")


def _take_away(means: Means, copy: UndoCopy) -> Written:
    """Remove the note that a change made."""
    change = remove_made_note(means.writer, copy)
    if change is None:
        said = ("There is no such note any more.",)
        return Written(copy.path, "undo", 1, 1, copy.sha256_before, "", False, said, True)
    kept = f"What it held is kept for about 7 days: clawvault undo {change.undo_id}"
    return report(means, change, "undo", (kept,))._replace(removed=True)


def _left_of_group(copies: Sequence[UndoCopy], identity: str) -> list[str]:
    undone = taken_back(copies)
    group = next((copy.group for copy in copies if copy.id == identity), "")
    left = [copy for copy in copies if group and copy.group == group and copy.id not in {identity, *undone}]
    return [f'The same operation changed "{visible(copy.path)}": take that back with {copy.id}.' for copy in left]


def _with_warnings(written: Written, warnings: Iterable[str]) -> Written:
    return written._replace(warnings=(*written.warnings, *warnings))
