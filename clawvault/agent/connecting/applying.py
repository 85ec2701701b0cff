"""Show what connecting changes, change it, and take it back to the byte."""

from __future__ import annotations

import difflib
import itertools
import os
import secrets
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from clawvault.agent.connecting.agents import Plan, vault_named_in
from clawvault.agent.connecting.parts import Part
from clawvault.agent.connecting.records import Record, forget_record, hash_of, read_record, write_record
from clawvault.errors import ClawvaultError, ConflictError

MAX_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file before and after; ``None`` is no file. ``original`` is what it was before it was ever connected."""

    path: Path
    before: bytes | None
    after: bytes | None
    original: bytes | None


def plan_changes(plan: Plan, state: Path) -> list[FileChange]:
    """Return what connecting changes; files that have it all already are left out.

    Raises:
        ClawvaultError: A file cannot be read, or is not what the agent would understand.
    """
    changes = []
    for path, parts in plan.files.items():
        before = _read(path)
        text = _added(path, parts, before)
        if text != before:
            changes.append(FileChange(path, before, text, _original(path, plan, before, state)))
    return changes


def plan_undo(plan: Plan, state: Path) -> list[FileChange]:
    """Return what taking the connection back changes: to the byte where a file is as it was left, else our part only.

    Raises:
        ClawvaultError: A file cannot be read, or the agent is connected to another vault alone.
    """
    found = {path: before for path in plan.files if (before := _read(path)) is not None}
    named = {path: _vaults_of(path, plan, before) for path, before in found.items()}
    others = set().union(*named.values()) - {_same(plan.root)}
    if others and not any(_same(plan.root) in vaults for vaults in named.values()):
        other = min(others)
        raise ClawvaultError(
            f'The agent is connected to "{other}", not to "{plan.root}"; nothing is changed.',
            f'To take that back, name its vault: clawvault --vault "{other}" connect ... --undo',
        )
    changes = []
    for path, before in found.items():
        if _is_of_another(path, plan, before):
            continue
        after = _undone(path, plan.files[path], before, read_record(path, state))
        if after != before:
            changes.append(FileChange(path, before, after, None))
    return changes


def find_former(changes: Iterable[FileChange], plan: Plan) -> str | None:
    """Return the vault whose connection an undo brings back, or ``None``."""
    vaults = {vault for change in changes for vault in _vaults_of(change.path, plan, change.after)}
    return min(vaults - {_same(plan.root)}, default=None)


def find_lost(changes: Iterable[FileChange], plan: Plan, state: Path) -> str | None:
    """Return the vault whose connection was there before and does not come back, as its file was changed since."""
    changes = list(changes)
    records = [(change.path, read_record(change.path, state)) for change in changes]
    before = {vault for path, record in records if record for vault in _vaults_of(path, plan, record.original)}
    return None if find_former(changes, plan) else min(before - {_same(plan.root)}, default=None)


def apply_changes(changes: Iterable[FileChange], plan: Plan, state: Path) -> None:
    """Write the files of ``plan_changes``, each in one step, and remember what they were.

    Raises:
        ConflictError: A file is not as it was when the change was shown.
        ClawvaultError: A file cannot be written.
    """
    changes = list(changes)
    for change in changes:
        if _read(change.path) != change.before:
            raise ConflictError(f'"{change.path}" was changed meanwhile.', "Run the command again.")
        try:
            if change.after is not None:
                # Written first: a file that changed without a record could not be put back.
                _remember(change, state)
                _write(change.path, change.after)
        except OSError as error:
            raise ClawvaultError(f'Cannot write "{change.path}": {error.strerror}.', "Check its folder.") from error
    if any(_is_of_another(change.path, plan, change.before) for change in changes):
        # What both connections have alike stays when this one goes and the other comes back.
        for path in plan.files.keys() - {change.path for change in changes}:
            there = _read(path)
            with suppress(OSError):
                _remember(FileChange(path, there, there, there), state)


def undo_changes(changes: Iterable[FileChange], plan: Plan, state: Path) -> None:
    """Write or remove the files of ``plan_undo``, and forget what they were.

    Raises:
        ConflictError: A file is not as it was when the change was shown.
        ClawvaultError: A file cannot be written.
    """
    changes = list(changes)
    for change in changes:
        if _read(change.path) != change.before:
            raise ConflictError(f'"{change.path}" was changed meanwhile.', "Run the command again.")
        try:
            if change.after is None:
                change.path.unlink()
            else:
                _write(change.path, change.after)
        except OSError as error:
            raise ClawvaultError(f'Cannot write "{change.path}": {error.strerror}.', "Check its folder.") from error
    records = [record for path in plan.files if (record := read_record(path, state)) is not None]
    _remove_folders({folder for record in records for folder in record.folders}, plan.kept)
    to_former = find_former(changes, plan) is not None
    for path in plan.files:
        forget_record(path, state, to_former=to_former)


def render_diff(changes: Iterable[FileChange]) -> str:
    """Return the changes as a unified diff."""
    parts = []
    for change in changes:
        old, new = (_lines(data) for data in (change.before, change.after))
        name, nothing = str(change.path), os.devnull
        diff = difflib.unified_diff(old, new, nothing if change.before is None else name, name if new else nothing)
        parts += [line if line.endswith("\n") else f"{line}\n" for line in diff]
    return "".join(parts)


def _lines(data: bytes | None) -> list[str]:
    return [] if data is None else data.decode("utf-8", "replace").replace("\r\n", "\n").splitlines(keepends=True)


def _added(path: Path, parts: list[Part], before: bytes | None) -> bytes:
    text = _decode(path, before or b"")
    for part in parts:
        text = _named(path, part.add, text)
    return text.encode("utf-8")


def _removed(path: Path, parts: list[Part], before: bytes, record: Record | None) -> bytes | None:
    """Return a file without our part; what that leaves empty stays where no record says that it was not there."""
    text = _decode(path, before)
    for part in reversed(parts):
        text = _named(path, part.remove, text)
    if record is not None and text.encode("utf-8") != before:
        original = _decode(path, record.original or b"")
        for part in reversed(parts):
            text = _named(path, partial(part.tidy, original=original), text) if text.strip() else text
    return text.encode("utf-8") if text.strip() else None


def _undone(path: Path, parts: list[Part], before: bytes, record: Record | None) -> bytes | None:
    if record is not None and record.after_sha256 == hash_of(before):
        return record.original
    return _removed(path, parts, before, record)


def _vaults_of(path: Path, plan: Plan, data: bytes | None) -> set[str]:
    """Return the vaults that a file names where connecting puts one."""
    text = _decode(path, data or b"")
    if not text.strip():
        return set()
    values: list[object] = []
    for part in plan.files[path]:
        with suppress(ClawvaultError):
            values += part.find(text)
    return {_same(vault) for value in values if (vault := vault_named_in(value)) is not None}


def _is_of_another(path: Path, plan: Plan, data: bytes | None) -> bool:
    vaults = _vaults_of(path, plan, data)
    return bool(vaults) and _same(plan.root) not in vaults


def _same(vault: str | Path) -> str:
    return os.path.normcase(os.path.realpath(vault))


def _named(path: Path, act: Callable[[str], str], text: str) -> str:
    try:
        return act(text)
    except ClawvaultError as error:
        raise ClawvaultError(f'Cannot change "{path}": {error.message}', error.hint) from error


def _original(path: Path, plan: Plan, before: bytes | None, state: Path) -> bytes | None:
    """Return what a file was without us, though it may have been connected before."""
    if before is None:
        return None
    if _is_of_another(path, plan, before):
        # What another vault's connection is comes back with an undo.
        return before
    return _undone(path, plan.files[path], before, read_record(path, state))


def _decode(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ClawvaultError(f'"{path}" is not UTF-8 text.', "Save it as UTF-8, then try again.") from error


def _read(path: Path) -> bytes | None:
    try:
        if not path.exists():
            return None
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            raise ClawvaultError(f'"{path}" is not a file of settings.', "Look at it.")
        return path.read_bytes()
    except OSError as error:
        raise ClawvaultError(f'Cannot read "{path}": {error.strerror}.', "Check its permissions.") from error


def _write(path: Path, data: bytes) -> None:
    # A link, as people who keep their settings elsewhere have it, stays one.
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            temporary.chmod(mode)
        os.replace(temporary, path)  # noqa: PTH105 - Path.replace would hide that this is the atomic step
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def _remove_folders(made: Iterable[Path], kept: tuple[Path, ...]) -> None:
    """Remove those of some folders that are empty, the deepest first."""
    for folder in sorted(made, key=lambda folder: len(folder.parts), reverse=True):
        if not any(Path(os.path.realpath(place)).is_relative_to(folder) for place in kept):
            with suppress(OSError):
                folder.rmdir()


def _missing_folders(path: Path) -> tuple[Path, ...]:
    folder = Path(os.path.realpath(path)).parent
    return tuple(itertools.takewhile(lambda folder: not folder.exists(), (folder, *folder.parents)))


def _remember(change: FileChange, state: Path) -> None:
    known = read_record(change.path, state)
    folders, former = _missing_folders(change.path), known.former if known else ()
    if known is not None:
        if change.original is not None and change.original == change.before:
            # Somebody else's connection has come between, and ours comes back when both are taken back.
            former = (replace(known, former=()), *former)
        folders = (*known.folders, *(folder for folder in folders if folder not in known.folders))
    write_record(change.path, state, Record(change.original, hash_of(change.after or b""), folders, former))
