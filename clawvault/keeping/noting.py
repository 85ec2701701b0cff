"""Write, append to and patch a note (IW-90, MN-53, MN-54)."""

from __future__ import annotations

from clawvault.errors import ConflictError, UsageError
from clawvault.keeping.daily import log
from clawvault.keeping.editing import append_entry, find_places, line_of, replace_everywhere, replace_whole
from clawvault.keeping.means import Means, Written, check_text, report, rewrite
from clawvault.keeping.targets import check_prompt_file, far_day_warning, resolve_target
from clawvault.vault.paths import visible
from clawvault.vault.writing import change_text, sha256_of, with_line_ends

SHOWN_LINES = 20


def write_note(
    means: Means, path: str, content: str, *, expected_hash: str | None = None, by_person: bool = False
) -> Written:
    """Make a note, or replace one that is still as it was read.

    Args:
        means: What to work with.
        path: Where; see ``resolve_target``.
        content: The whole note.
        expected_hash: The hash of the note as it was read, in hexadecimal digits; ``None`` makes a new note only.
        by_person: A person writes, who may write what agents take orders from.

    Raises:
        ConflictError: The note is there and no hash is given, or it is another by now.
        UsageError: The content is empty or refused, or the path is not for tools.

    Source: IW-90, I03, B139.
    """
    target = resolve_target(means, path)
    if not content.strip():
        raise UsageError(f'There is nothing to write to "{visible(target)}".', "To remove lines, use forget.")
    told = check_prompt_file(target, by_person=by_person)
    warnings = (*told, *check_text(means, content), *far_day_warning(means, target))

    def remake(data: bytes | None) -> bytes:
        _insist_on_hash(target, data, expected_hash)
        return change_text(data, lambda text, newline: replace_whole(text, content, newline))

    return report(means, means.writer.change(target, remake, operation="write"), "write", warnings)


def append(means: Means, path: str, text: str, *, by_person: bool = False) -> Written:
    """Put an entry at the end of a note, which is made when missing.

    Args:
        means: What to work with.
        path: Where; see ``resolve_target``. ``daily_log`` gets the time as well; see ``log``.
        text: One or more lines.
        by_person: See ``write_note``.

    Raises:
        UsageError: There is no text or it is refused, or the path is not for tools.

    Source: MN-54, TC-29.
    """
    if path == "daily_log":
        return log(means, text)
    target = resolve_target(means, path)
    if not text.strip():
        raise UsageError(f'There is nothing to append to "{visible(target)}".', "Give a text.")
    told = check_prompt_file(target, by_person=by_person)
    warnings = (*told, *check_text(means, text), *far_day_warning(means, target))
    return rewrite(
        means,
        target,
        lambda old, newline: append_entry(old, text, newline),
        operation="append",
        warnings=warnings,
    )


def patch(
    means: Means,
    path: str,
    old: str,
    new: str,
    *,
    replace_all: bool = False,
    allow_delete: bool = False,
    by_person: bool = False,
) -> Written:
    """Put one text in the place of another.

    Args:
        means: What to work with.
        path: The note; see ``resolve_target``.
        old: What stands there, exactly, whatever its line ends.
        new: What shall stand there.
        replace_all: Replace it wherever it stands; otherwise it must stand once.
        allow_delete: ``new`` may be empty.
        by_person: See ``write_note``.

    Raises:
        NotFoundError: There is no such note.
        ConflictError: ``old`` is not there, or more than once.
        UsageError: A text is empty or refused.

    Source: MN-53, B077.
    """
    target = resolve_target(means, path)
    if not old or (not new.strip() and not allow_delete):
        missing = "The text to replace is empty." if not old else "The new text is empty, which would delete the old."
        raise UsageError(missing, "Give both texts; to remove lines, use forget.")
    warnings = (*check_prompt_file(target, by_person=by_person), *check_text(means, new))

    def edit(text: str, newline: str) -> str:
        places = find_places(text, old)
        if not places or (len(places) > 1 and not replace_all):
            raise _not_once(target, text, places)
        if replace_all:
            changed = replace_everywhere(text, old, new, newline)
        else:
            (start, end) = places[0]
            changed = text[:start] + with_line_ends(new, newline) + text[end:]
        _check_joined(means, text, changed)
        if not changed.strip() and not allow_delete:
            raise UsageError(f'"{visible(target)}" would be empty.', "Use forget to remove lines.")
        return changed

    return rewrite(means, target, edit, operation="patch", must_exist=True, warnings=warnings)


def _insist_on_hash(path: str, data: bytes | None, expected: str | None) -> None:
    if data is None:
        if expected:
            raise ConflictError(f'"{visible(path)}" is gone; there is nothing to replace.', "Write it without a hash.")
        return
    found = sha256_of(data)
    if not expected:
        raise ConflictError(
            f'"{visible(path)}" exists; its hash is {found}.',
            "Read it, then give that hash to replace it; or append, or patch.",
        )
    if found != expected.strip().lower():
        raise ConflictError(
            f'"{visible(path)}" changed since it was read; its hash is {found}.',
            "Read it again and make the change on what is there now.",
        )


def _not_once(path: str, text: str, places: list[tuple[int, int]]) -> ConflictError:
    if not places:
        return ConflictError(f'The text to replace is not in "{visible(path)}".', "Read the note and copy it exactly.")
    lines = list(dict.fromkeys(line_of(text, start) for start, _ in places))
    shown = ", ".join(str(line) for line in lines[:SHOWN_LINES]) + (" and more" if len(lines) > SHOWN_LINES else "")
    return ConflictError(
        f'The text to replace stands {len(places)} times in "{visible(path)}": line {shown}.',
        "Give more of what stands around it, or replace all.",
    )


def _check_joined(means: Means, old: str, new: str) -> None:
    """Refuse lines that say only together with what was there what must not be written."""
    before = set(old.split("\n"))
    touched = [line for line in new.split("\n") if line not in before]
    if touched:
        check_text(means, "\n".join(touched), what="The changed line")
