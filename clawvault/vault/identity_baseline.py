"""What the identity files were when a person last saw them, so that a change from elsewhere is seen (T05).

People edit these files with any editor, so no change is refused; but every agent reads them, so none goes unseen.
What they are is remembered in the state folder as hashes, and what differs is told until a person has looked at it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
import time
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clawvault.config import Config
from clawvault.errors import ClawvaultError
from clawvault.guard.identity import IDENTITY_NAMES, fold_name
from clawvault.vault.held_folder import HeldFolder
from clawvault.vault.listing import vault_problem
from clawvault.vault.note_file import Skip, judge
from clawvault.vault.paths import is_link, open_inside, visible
from clawvault.vault.private_file import write_private_file
from clawvault.vault.prompt_files import list_prompt_files

BASELINE_NAME = "identity-baseline.json"
CHANGED, APPEARED, VANISHED, RESTORED = "changed", "appeared", "vanished", "restored"
# A larger file is known by its size and time: it is too large for a note, and no agent is given it.
MAX_BYTES = 5_000_000
# Another edit within the same tick of the disk's clock, two seconds on FAT, would leave times and size as they are.
TICK_NS = 2_000_000_000
WAIT_S = 1.0
_FOLDED = frozenset(fold_name(name) for name in IDENTITY_NAMES)
_FORMAT = 1

log = logging.getLogger("clawvault.vault.identity_baseline")


@dataclass(frozen=True, slots=True)
class OutsideEdit:
    """One identity file that is not, or was not, what a person last saw.

    Attributes:
        path: Its name on disk, safe to print.
        change: ``changed``, ``appeared``, ``vanished``, or ``restored``: it was another for a while.
        noticed_at: When it was seen, ISO 8601 in UTC.
    """

    path: str
    change: str
    noticed_at: str


@dataclass(frozen=True, slots=True)
class _Edit:
    change: str
    noticed_at: str
    mark: str | None
    had_other_text: bool


@dataclass(frozen=True, slots=True)
class _Baseline:
    """What is remembered: the accepted mark of each name, the stamp and mark last seen, and what waits for a person."""

    accepted: dict[str, str] = field(default_factory=dict)
    stamps: dict[str, tuple[list[int], str]] = field(default_factory=dict)
    edits: dict[str, _Edit] = field(default_factory=dict)


def is_identity_name(name: str) -> bool:
    """Say whether a name at the top of a vault is one of an identity file, in any form of case and Unicode."""
    # Nearly every name is plain, and telling that costs a fraction of folding it.
    return (name.lower().rstrip(". ") if name.isascii() else fold_name(name)) in _FOLDED


def notice_edits(root: Path, state: Path) -> tuple[OutsideEdit, ...]:
    """Look at the identity files, and remember what became of them.

    Args:
        root: The vault. One that is not there now says nothing of its files (I10).
        state: Its state folder; where it cannot be written, what is found is returned all the same, and
            where what is remembered cannot be read, every identity file counts as one that appeared.

    Returns:
        What waits for a person, in order of name. At the first look of all there is nothing.

    Cost: One listing of the top folder and a stat of each identity file; a file is read only when its stat differs.
    Source: T05, decisions "Identity files".
    """
    try:
        found = _read(state)
    except OSError as error:
        # Nobody can tell what the person has seen, so nothing counts as seen.
        log.info("%s cannot be read, so every identity file counts as new: %s", BASELINE_NAME, error.strerror)
        found = _Baseline()
    changed = _looked_at(root, found)
    if changed is not None and changed != found:
        # Most looks find nothing to remember, and a lock takes a while to import.
        from clawvault.vault.writing.locking import notes_lock

        try:
            # Under the lock it is looked at again: another process may have accepted or noticed it meanwhile.
            with notes_lock(state, wait_s=WAIT_S):
                before = _read(state)
                changed = _looked_at(root, before) or changed
                _write(state, changed)
            _tell(before, changed)
        except (ClawvaultError, OSError):
            log.info("what became of the identity files could not be written down")
    return () if changed is None else _edits_of(changed)


def accept_edits(root: Path, state: Path, names: Iterable[str] | None = None) -> tuple[OutsideEdit, ...]:
    """Take identity files as they are now for what a person has seen.

    Args:
        root: The vault.
        state: Its state folder.
        names: Names at the top of the vault; one that stands for no file there is taken for all whose names differ from
            it in case or Unicode form alone. ``None`` accepts all.

    Returns:
        What is not told any more.

    Raises:
        ClawvaultError: The state folder cannot be written.
    """
    from clawvault.vault.writing.locking import notes_lock

    with notes_lock(state):
        try:
            known = _looked_at(root, _read(state))
            if known is None:
                return ()
            chosen = set(known.edits) if names is None else _named(known, names)
            seen = {name: mark for name, (_, mark) in known.stamps.items()}
            accepted = {name: mark for name, mark in known.accepted.items() if name not in chosen}
            accepted |= {name: seen[name] for name in chosen if name in seen}
            waiting = {name: edit for name, edit in known.edits.items() if name not in chosen}
            _write(state, replace(known, accepted=accepted, edits=waiting))
        except OSError as error:
            raise ClawvaultError(
                f'Cannot write "{BASELINE_NAME}" in the state folder: {error.strerror or error}.',
                "Check its permissions.",
            ) from error
    return tuple(edit for edit in _edits_of(known) if edit.path in {visible(name) for name in chosen})


def prompt_facts(root: Path, state: Path, config: Config) -> dict[str, Any]:
    """Return what a person should know of the files that agents load, as JSON values.

    Returns:
        ``prompt_files`` that are not given to agents, and ``identity_changes`` that wait for a person.
    """
    return {
        "prompt_files": list(list_prompt_files(root, config)),
        "identity_changes": [asdict(edit) for edit in notice_edits(root, state)],
    }


def _named(known: _Baseline, names: Iterable[str]) -> set[str]:
    there = {*known.edits, *known.accepted, *known.stamps}
    chosen: set[str] = set()
    for name in names:
        chosen |= {name} if name in there else {other for other in there if fold_name(other) == fold_name(name)}
    return chosen


def _looked_at(root: Path, known: _Baseline | None) -> _Baseline | None:
    """Return what is to be remembered after a look; the same as before where nothing happened."""
    before = known or _Baseline()
    seen = _look(root, before.stamps)
    if seen is None:
        return known
    marks = {name: mark for name, (_, mark) in seen.items()}
    if known is None:
        return _Baseline(marks, _lasting(seen), {})
    now = datetime.now(UTC).isoformat(timespec="seconds")
    edits = {
        name: edit
        for name in sorted({*before.accepted, *before.edits, *marks})
        if (edit := _judge(before.accepted.get(name), marks.get(name), before.edits.get(name), now)) is not None
    }
    return _Baseline(before.accepted, _lasting(seen), edits)


def _judge(accepted: str | None, mark: str | None, before: _Edit | None, now: str) -> _Edit | None:
    """Say what became of one file (pure)."""
    had_other = (before is not None and before.had_other_text) or (mark is not None and mark != accepted)
    if mark == accepted:
        # A file that was only away for a moment, as some editors save, said nothing to anybody.
        change = RESTORED if had_other else ""
    else:
        change = APPEARED if accepted is None else VANISHED if mark is None else CHANGED
    if not change:
        return None
    is_old = before is not None and (before.change, before.mark) == (change, mark)
    return before if is_old else _Edit(change, now, mark, had_other)


def _look(root: Path, stamps: Mapping[str, tuple[list[int], str]]) -> dict[str, tuple[list[int], str]] | None:
    """Return stamp and mark of every identity file; ``None`` when the vault cannot be looked at."""
    if vault_problem(root):
        return None
    seen: dict[str, tuple[list[int], str]] = {}
    try:
        with closing(HeldFolder.top(root)) as folder:
            for name in filter(is_identity_name, folder.names()):
                before = stamps.get(name)
                try:
                    found = _look_at(root, folder, name, before)
                except FileNotFoundError:
                    continue
                except (OSError, ClawvaultError):
                    # What cannot be read now is taken for what it was: nobody else reads it either.
                    found = before
                if found is not None:
                    seen[name] = found
    except OSError:
        return None
    return seen


def _look_at(
    root: Path, folder: HeldFolder, name: str, before: tuple[list[int], str] | None
) -> tuple[list[int], str] | None:
    there = folder.stat(name)
    stamp = _stamp_of(there)
    if is_link(there):
        return _look_through(root, folder, name, stamp, before)
    if not stat.S_ISREG(there.st_mode):
        return stamp, f"kind {stat.S_IFMT(there.st_mode):o}"
    if before is not None and before[0] == stamp:
        return before
    found = judge(name, name, there, MAX_BYTES)
    if isinstance(found, Skip) and found.reason == "not-downloaded":
        return before
    if there.st_size > MAX_BYTES:
        return stamp, f"large {there.st_size} {there.st_mtime_ns}"
    with os.fdopen(folder.open(name), "rb") as handle:
        opened = os.fstat(handle.fileno())
        if not stat.S_ISREG(opened.st_mode):
            return before
        return _stamp_of(opened), hashlib.sha256(handle.read(MAX_BYTES)).hexdigest()


def _look_through(
    root: Path, folder: HeldFolder, name: str, stamp: list[int], before: tuple[list[int], str] | None
) -> tuple[list[int], str]:
    """Return the mark of a link: where it leads, and the text there when that is in the vault.

    What is outside is not read, here as everywhere.
    """
    place, at = folder.at(name)
    leads = hashlib.sha256(os.fsencode(os.readlink(place, dir_fd=at))).hexdigest()
    relative = ""
    with suppress(OSError, ValueError, RuntimeError):
        relative = (root / name).resolve(strict=True).relative_to(root.resolve()).as_posix()
    if not relative:
        return stamp, f"link {leads}"
    with suppress(ClawvaultError, OSError), open_inside(root, relative) as handle:
        stamp += _stamp_of(os.fstat(handle.fileno()))
        if before is not None and before[0] == stamp:
            return before
        return stamp, f"link {leads} {hashlib.sha256(handle.read(MAX_BYTES)).hexdigest()}"
    return stamp, f"link {leads}"


def _stamp_of(there: os.stat_result) -> list[int]:
    # The time of the last change of the file's entry tells of a write whose other time was put back.
    return [there.st_size, there.st_mtime_ns, there.st_ctime_ns, 0 if os.name == "nt" else there.st_ino]


def _lasting(seen: dict[str, tuple[list[int], str]]) -> dict[str, tuple[list[int], str]]:
    """Return what was seen, with no stamp for a file so new that its times may hide another edit."""
    now = time.time_ns()
    return {
        name: ([], mark) if any(abs(now - when) < TICK_NS for when in (*stamp[1:3], *stamp[5:7])) else (stamp, mark)
        for name, (stamp, mark) in seen.items()
    }


def _edits_of(known: _Baseline) -> tuple[OutsideEdit, ...]:
    return tuple(OutsideEdit(visible(name), edit.change, edit.noticed_at) for name, edit in sorted(known.edits.items()))


def _tell(before: _Baseline | None, after: _Baseline) -> None:
    old = {} if before is None else before.edits
    for name, edit in after.edits.items():
        if old.get(name) != edit:
            log.info("the identity file %s was %s outside clawvault", visible(name), edit.change)


def _read(state: Path) -> _Baseline | None:
    """Return what is remembered; ``None`` before the first look.

    One that makes no sense is taken for empty: then every file counts as new, and a person looks at it.
    """
    try:
        data = (state / BASELINE_NAME).read_bytes()
    except FileNotFoundError:
        return None
    try:
        values: dict[str, Any] = json.loads(data)
        return _Baseline(
            {str(name): str(mark) for name, mark in values["accepted"].items()},
            {str(name): ([int(part) for part in stamp], str(mark)) for name, (stamp, mark) in values["seen"].items()},
            {str(name): _Edit(**edit) for name, edit in values["edits"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return _Baseline()


def _write(state: Path, known: _Baseline) -> None:
    values = {
        "format": _FORMAT,
        "accepted": known.accepted,
        "seen": known.stamps,
        "edits": {name: asdict(edit) for name, edit in known.edits.items()},
    }
    data = json.dumps(values, indent=1, sort_keys=True).encode() + b"\n"
    write_private_file(state / BASELINE_NAME, data, lasting=True)
