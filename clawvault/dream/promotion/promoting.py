"""Write what deserves to stay into the long-term memory note, and take it back (L5, L15, L23, I35..I39)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from clawvault.dream.promotion.memory_block import (
    KEPT,
    Entry,
    add_lines,
    find_block,
    known_claims,
    place_entries,
    remove_lines,
)
from clawvault.dream.promotion.promotion_records import PromotionRecord, WrittenNote
from clawvault.dream.scoring.candidates import OVERRULED, Candidate, Locate, source_reasons
from clawvault.errors import ClawvaultError, NotFoundError
from clawvault.keeping.means import Means, rewrite
from clawvault.keeping.remembering import FULL_BYTES
from clawvault.search.asking.query import guess_language
from clawvault.vault.paths import open_inside
from clawvault.vault.writing import change_text, new_group, sha256_of
from clawvault.vault.writing.form import parse_form

OPERATION = "dream"
# Since its last change; who writes the note just now shall not find it changed under their hands.
QUIET_S = 60.0
# A note that keeps growing while it is written is tried so often.
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Written:
    """What a promotion did.

    Attributes:
        promoted: What was written, each with the note it went to.
        rejected: What was not, with the reason that came up while writing.
        notes: Which notes were changed, in order.
        warnings: What a person should know, one sentence each.
    """

    promoted: tuple[tuple[Entry, Candidate, str], ...] = ()
    rejected: tuple[Candidate, ...] = ()
    notes: tuple[WrittenNote, ...] = ()
    warnings: tuple[str, ...] = ()


class _NoRoomError(Exception):
    """The note grew meanwhile and has no room for what was to go there."""


def find_unrest(means: Means, last_sha256: str, *, was_written: bool) -> str:
    """Say why the long-term memory note is better left alone just now; empty when it is quiet.

    Args:
        means: What to work with.
        last_sha256: Hash of the note after our own last change, which disturbs nobody.
        was_written: There was such a note before, so that one which is missing is not simply made (B011).

    Source: reliability "Quiet time before promotion writes a file", B011, F25.
    """
    path = means.config.memory_file
    try:
        with open_inside(means.root, path) as handle:
            data, seen = handle.read(), os.fstat(handle.fileno())
    except NotFoundError:
        known = was_written or _is_known(means, path)
        return f'"{path}" is missing, and is perhaps being saved' if known else ""
    except ClawvaultError as error:
        return error.message
    except OSError as error:
        return f'"{path}" cannot be read: {error.strerror or error}'
    age_s = means.now().timestamp() - seen.st_mtime
    if abs(age_s) < QUIET_S and sha256_of(data) != last_sha256:
        return f'"{path}" was changed {abs(age_s):.0f} s ago; promotion waits for {QUIET_S:.0f} s of quiet'
    return ""


def _is_known(means: Means, path: str) -> bool:
    try:
        return means.is_known(path)
    except (ClawvaultError, OSError):
        return False


def promote(means: Means, chosen: Sequence[Candidate], locate: Locate, accepted: frozenset[str]) -> Written:
    """Write candidates; the caller holds the lock of promotion.

    Args:
        means: What to work with; its clock says which day it is.
        chosen: What is to be kept, the best first.
        locate: Finds a statement in the notes as they are at this moment.
        accepted: Claims that a person wants to be kept.

    Returns:
        What was written. The source of each line is looked at once more: what moved is followed, what is gone or was
        changed is rejected (L23, I38).

    Raises:
        UsageError: The long-term memory note is one that tools do not write.
        ConflictError: It is written by another program just now.
        ClawvaultError: The disk refused.
    """
    entries: list[tuple[Entry, Candidate]] = []
    rejected: list[Candidate] = []
    for item in chosen:
        found = _look_again(means, item, locate, accepted)
        if isinstance(found, Candidate):
            rejected.append(found)
        else:
            entries.append((found, item))
    for _ in range(ROUNDS):
        try:
            return _write(means, entries, rejected)
        except _NoRoomError:
            continue
    memory = means.config.memory_file
    return Written(rejected=tuple(rejected), warnings=(f'"{memory}" kept growing; nothing was promoted.',))


def _look_again(means: Means, item: Candidate, locate: Locate, accepted: frozenset[str]) -> Entry | Candidate:
    place = locate(item.trace)
    if place is None:
        return item.rejected("source_changed", "its note was changed a moment ago")
    source, said = place
    for code, detail in source_reasons(source, said).items():
        if item.key not in accepted or code not in OVERRULED:
            return item.rejected(code, detail)
    flaws = means.guard(said.text)
    if flaws:
        return item.rejected("flagged", f"it may steer a model, or holds a secret: {flaws[0].reason}")
    return Entry(item.key, said.text, source.path, said.line_start, said.line_end, means.now().date())


def _write(means: Means, entries: Sequence[tuple[Entry, Candidate]], rejected: Sequence[Candidate]) -> Written:
    memory = means.config.memory_file
    text = read_text(means, memory)
    known = known_claims(text)
    fresh: list[tuple[Entry, Candidate]] = []
    dropped = list(rejected)
    for entry, item in entries:
        if entry.claim in known:
            dropped.append(item.rejected("already_there", f'"{memory}" says it'))
        elif _steers_together(means, text, [*(known_entry for known_entry, _ in fresh), entry]):
            dropped.append(item.rejected("flagged", "together with what is there it may steer a model"))
        else:
            fresh.append((entry, item))
    said = text or "".join(entry.text for entry, _ in fresh)
    title = KEPT.chinese if guess_language(said) in {"zh", "ja"} else KEPT.english
    placing = place_entries(text, [entry for entry, _ in fresh], title, limit=FULL_BYTES)
    notes: list[WrittenNote] = []
    group = new_group()
    # Topic notes first: a pointer that leads nowhere is worse than a note without one.
    for topic, inside in placing.topics.items():
        notes += _add(means, f"{topic}.md", [entry.render() for entry in inside], title, limit=None, group=group)
    notes += _add(means, memory, placing.memory, title, limit=max(FULL_BYTES, _size(text)), group=group)
    into = {entry.claim: f"{topic}.md" for topic, inside in placing.topics.items() for entry in inside}
    promoted = tuple((entry, item, into.get(entry.claim, memory)) for entry, item in fresh)
    warnings = [f'"{memory}" is full; what stays is in "{topic}.md".' for topic in placing.topics]
    warnings += [f'"{memory}" has no room for a pointer to "{topic}.md": shorten it.' for topic in placing.unpointed]
    return Written(promoted, tuple(dropped), tuple(notes), tuple(warnings))


def _steers_together(means: Means, text: str, entries: Sequence[Entry]) -> bool:
    """Say whether lines that are harmless alone are an order when they stand below each other (T03)."""
    place = find_block(text)
    there = text.split("\n")[place[0] + 1 : place[1]] if place else []
    lines = [line.removesuffix("\r").partition(" <!--")[0] for line in there]
    joined = "\n".join([*lines, *(f"- {entry.text}" for entry in entries)])
    return len(means.guard(joined)) > len(means.guard("\n".join(lines)))


def _add(
    means: Means, path: str, lines: Sequence[str], title: str, *, limit: int | None, group: str
) -> list[WrittenNote]:
    """Put lines into the block of a note; what another process put there meanwhile is not put there twice."""
    if not lines:
        return []
    put: list[str] = []

    def edit(text: str, newline: str) -> str:
        known = known_claims(text)
        there = set(text.splitlines())
        put[:] = [line for line in lines if line not in there and known.keys().isdisjoint(known_claims(line))]
        changed = add_lines(text, put, title, newline)
        if limit is not None and _size(changed) > limit:
            raise _NoRoomError
        return changed

    done = rewrite(means, path, edit, operation=OPERATION, group=group)
    return [WrittenNote(path, tuple(put), done.undo_id, done.sha256, done.created)] if done.changed else []


def take_back(means: Means, record: PromotionRecord) -> tuple[WrittenNote, ...]:
    """Take a promotion back: each note gets its former bytes, or loses the lines where it was changed since.

    Returns:
        The notes as they are now; their ``undo_id`` takes back this.

    Raises:
        ConflictError: A note is written by another program just now.
        ClawvaultError: The disk refused.

    Source: L15.
    """
    changed: list[WrittenNote] = []
    for note in reversed(record.notes):
        before = _former_bytes(means, note)

        def remake(data: bytes | None, note: WrittenNote = note, before: bytes | None = before) -> bytes:
            if data is None:
                raise NotFoundError(f'There is no note "{note.path}" any more.')
            if before is not None and sha256_of(data) == note.sha256:
                return before
            return change_text(data, lambda text, _: remove_lines(text, note.lines))

        try:
            done = means.writer.change(note.path, remake, operation="undo", undoes=_undone_with(means, note))
        except NotFoundError:
            continue  # a note that a person removed holds nothing to take back
        changed.append(replace(note, undo_id=done.undo_id, sha256=done.sha256))
        means.on_written(note.path)
    return tuple(changed)


def _undone_with(means: Means, note: WrittenNote) -> str:
    """Return the undo copy of a change to take back; empty where a later one stays, which would count as undone too."""
    copies = means.writer.undo_copies.list_all()
    is_last = all(copy.path != note.path or copy.id <= note.undo_id for copy in copies)
    return note.undo_id if is_last else ""


def _former_bytes(means: Means, note: WrittenNote) -> bytes | None:
    """Return what a note was before; ``None`` when there was none, or nobody knows any more."""
    try:
        copy, before = means.writer.undo_copies.get(note.undo_id)
    except NotFoundError:
        return None
    return before if copy.existed else None


def read_text(means: Means, path: str) -> str:
    """Return the text of a note, empty when there is none.

    Raises:
        ClawvaultError: It cannot be read.
    """
    try:
        with open_inside(means.root, path) as handle:
            return parse_form(handle.read())[0]
    except NotFoundError:
        return ""
    except OSError as error:
        raise ClawvaultError(f'Cannot read "{path}": {error.strerror or error}.', "Check its permissions.") from error


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
