"""Show what connecting changes, change it, and take it back to the byte."""

from __future__ import annotations

import base64
import difflib
import hashlib
import json
import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from clawvault.agent.connecting.agents import Plan
from clawvault.agent.connecting.parts import Part
from clawvault.errors import ClawvaultError, ConflictError
from clawvault.vault.private_file import write_private_file

RECORDS = "connections"
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
            changes.append(FileChange(path, before, text, _original(path, parts, before, state)))
    return changes


def plan_undo(plan: Plan, state: Path) -> list[FileChange]:
    """Return what taking the connection back changes: to the byte where a file is as it was left, else our part only.

    Raises:
        ClawvaultError: A file cannot be read.
    """
    changes = []
    for path, parts in plan.files.items():
        before = _read(path)
        if before is None:
            continue
        record = _read_record(path, state)
        unchanged = record is not None and record[1] == _hash(before)
        after = record[0] if record is not None and unchanged else _removed(path, parts, before)
        if after != before:
            changes.append(FileChange(path, before, after, None))
    return changes


def apply_changes(changes: Iterable[FileChange], state: Path) -> None:
    """Write the files, each in one step, and remember what they were.

    Raises:
        ConflictError: A file is not as it was when the change was shown.
        ClawvaultError: A file cannot be written.
    """
    for change in changes:
        if _read(change.path) != change.before:
            raise ConflictError(f'"{change.path}" was changed meanwhile.', "Run the command again.")
        try:
            if change.after is not None:
                # Written first: a file that changed without a record could not be put back.
                _write_record(change, state)
                _write(change.path, change.after)
        except OSError as error:
            raise ClawvaultError(f'Cannot write "{change.path}": {error.strerror}.', "Check its folder.") from error


def undo_changes(changes: Iterable[FileChange], plan: Plan, state: Path) -> None:
    """Write or remove the files of ``plan_undo``, and forget what they were.

    Raises:
        ConflictError: A file is not as it was when the change was shown.
        ClawvaultError: A file cannot be written.
    """
    for change in changes:
        if _read(change.path) != change.before:
            raise ConflictError(f'"{change.path}" was changed meanwhile.', "Run the command again.")
        try:
            if change.after is None:
                change.path.unlink()
                _remove_empty_folders(change.path.parent)
            else:
                _write(change.path, change.after)
        except OSError as error:
            raise ClawvaultError(f'Cannot write "{change.path}": {error.strerror}.', "Check its folder.") from error
    for path in plan.files:
        with suppress(OSError):
            _record_path(path, state).unlink()


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


def _removed(path: Path, parts: list[Part], before: bytes) -> bytes | None:
    text = _decode(path, before)
    for part in reversed(parts):
        text = _named(path, part.remove, text)
    return text.encode("utf-8") if text.strip() else None


def _named(path: Path, act: object, text: str) -> str:
    try:
        return str(act(text))  # type: ignore[operator]
    except ClawvaultError as error:
        raise ClawvaultError(f'Cannot change "{path}": {error.message}', error.hint) from error


def _original(path: Path, parts: list[Part], before: bytes | None, state: Path) -> bytes | None:
    """Return what a file was without us, though it may have been connected before."""
    record = _read_record(path, state)
    if before is None:
        return None
    if record is not None and record[1] == _hash(before):
        return record[0]
    return _removed(path, parts, before)


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


def _remove_empty_folders(folder: Path) -> None:
    # Only what connecting may have made: skills/clawvault, skills, .claude.
    for _ in range(3):
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def _record_path(path: Path, state: Path) -> Path:
    return state / RECORDS / f"{hashlib.sha256(os.fsencode(os.path.abspath(path))).hexdigest()[:24]}.json"


def _write_record(change: FileChange, state: Path) -> None:
    place = _record_path(change.path, state)
    place.parent.mkdir(mode=0o700, exist_ok=True)
    original = None if change.original is None else base64.b64encode(change.original).decode("ascii")
    record = {"path": str(change.path), "original": original, "after_sha256": _hash(change.after or b"")}
    write_private_file(place, json.dumps(record).encode("utf-8", "surrogateescape"))


def _read_record(path: Path, state: Path) -> tuple[bytes | None, str] | None:
    try:
        record = json.loads(_record_path(path, state).read_bytes())
        original = record["original"]
        return None if original is None else base64.b64decode(original), str(record["after_sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
