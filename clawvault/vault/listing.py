"""The notes of a vault as the disk has them now: names and times, no content."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from clawvault.config import Config
from clawvault.vault.ignoring import IgnoreRules, name_reason
from clawvault.vault.note_file import (
    KEEP_REASONS,
    NoteFile,
    Skip,
    find_note,
    judge,
    key_of,
    note_extensions,
    shown,
    stat_note,
)
from clawvault.vault.paths import MARKER, is_link, open_root, visible

__all__ = ["KEEP_REASONS", "Listing", "NoteFile", "Skip", "find_note", "list_notes", "stat_note", "vault_problem"]


@dataclass(frozen=True)
class Listing:
    """Everything one look at the disk found.

    Attributes:
        files: Notes by path, in order of path.
        unreadable: Folders that could not be listed, ``""`` for the vault itself; the notes below them may
            still be there (I11).
        healthy: The vault is there and is this vault; otherwise nothing may be taken for deleted (I10).
        problem: Why it is not healthy.
        folders: Every folder that was looked into, as it is named on disk, ``""`` for the vault itself.
        warnings: What a person should look at, one sentence each.
    """

    files: dict[str, NoteFile]
    skips: tuple[Skip, ...]
    unreadable: tuple[str, ...]
    healthy: bool
    problem: str
    warnings: tuple[str, ...] = ()
    folders: tuple[str, ...] = field(default=(), compare=False)


def list_notes(root: Path, rules: IgnoreRules, config: Config, *, folder: str = "", name: str = "") -> Listing:
    """List every note of a vault, following no link.

    Args:
        root: The vault.
        rules: What is ignored.
        config: ``index.extensions`` and ``index.max_note_bytes``.
        folder: One at the top, where only its notes are wanted; the listing has these, and perhaps others.
        name: Where only notes of this name are wanted, in whichever folder; others are not looked at.

    Returns:
        The notes, and each thing passed over with its reason.

    Cost: one directory read a folder and one ``lstat`` a note that is wanted.
    Source: B029, B031, B035, B041, B043, B045, B047, F19, F20.
    """
    problem = vault_problem(root)
    if problem:
        return Listing({}, (), ("",), False, problem, rules.warnings)
    walk = _Walk(root, rules, config, folder, name)
    walk.run()
    files, twins, warnings = _settle_twins(walk.found)
    return Listing(
        files=files,
        skips=tuple(sorted([*walk.skips, *twins], key=lambda skip: skip.path)),
        unreadable=tuple(sorted(walk.unreadable)),
        healthy="" not in walk.unreadable,
        problem="The vault's folder cannot be listed." if "" in walk.unreadable else "",
        warnings=(*rules.warnings, *warnings),
        folders=tuple(walk.folders),
    )


def vault_problem(root: Path) -> str:
    """Say why a folder is not, or no longer, a vault; empty when it is one (I10)."""
    try:
        if not stat.S_ISDIR(root.stat().st_mode):
            return f'"{root}" is not a folder.'
        if not stat.S_ISDIR((root / MARKER).stat().st_mode):
            return f'"{root / MARKER}" is not a folder.'
    except FileNotFoundError as error:
        return f'"{error.filename}" is gone.'
    except OSError as error:
        return f'"{error.filename}" cannot be reached: {error.strerror}.'
    return ""


class _Walk:
    def __init__(self, root: Path, rules: IgnoreRules, config: Config, folder: str, name: str) -> None:
        self.root = os.fspath(root)
        # Another that differs in case may hold a twin of a note.
        self.only = folder.casefold()
        self.name = _form(name)
        self.rules = rules
        self.plain_rules = rules.built_in_only
        self.extensions = note_extensions(config)
        self.max_bytes = config.index.max_note_bytes
        self.found: list[NoteFile] = []
        self.skips: list[Skip] = []
        self.unreadable: list[str] = []
        self.folders: list[str] = []
        self.pending: list[tuple[str, str, tuple[int, int] | None]] = [("", "", None)]
        self.visited: set[tuple[int, int]] = set()

    def run(self) -> None:
        while self.pending:
            prefix, disk_prefix, expected = self.pending.pop()
            self.folders.append(disk_prefix.removesuffix("/"))
            try:
                with _open_folder(f"{self.root}/{disk_prefix}" if disk_prefix else self.root, expected) as entries:
                    if not self._first_visit(entries.identity, prefix):
                        continue
                    for entry in entries:
                        self._look(entry, prefix, disk_prefix)
            except OSError as error:
                folder = prefix.removesuffix("/")
                self.unreadable.append(folder)
                self.skips.append(Skip(folder, "unreadable", error.strerror or str(error)))

    def _first_visit(self, identity: tuple[int, int], prefix: str) -> bool:
        if identity[1] and identity in self.visited:
            self.skips.append(
                Skip(prefix.removesuffix("/"), "loop", "this folder is already listed under another name")
            )
            return False
        self.visited.add(identity)
        return True

    def _look(self, entry: os.DirEntry[str], prefix: str, disk_prefix: str) -> None:
        name = entry.name
        if name[0] == ".":
            self._look_at_hidden(name, prefix)
            return
        stem, _, extension = name.rpartition(".")
        is_note = bool(stem) and extension.lower() in self.extensions and (not self.name or _form(name) == self.name)
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_note and not is_folder:
                if not stem and entry.is_symlink():
                    self.skips.append(Skip(shown(prefix + name), "symlink", "links are not followed"))
                return
            path, skip = self._judge_name(prefix, name, is_folder)
            if skip is not None:
                self.skips.append(skip)
                return
            seen = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        except OSError as error:
            self.skips.append(Skip(key_of(prefix, name)[0], "unreadable", error.strerror or str(error)))
            return
        if is_folder:
            self._enter(path, disk_prefix + name, seen, is_note=is_note)
            return
        found = judge(path, disk_prefix + name, seen, self.max_bytes)
        if isinstance(found, NoteFile):
            self.found.append(found)
        else:
            self.skips.append(found)

    def _judge_name(self, prefix: str, name: str, is_folder: bool) -> tuple[str, Skip | None]:
        path, skip = key_of(prefix, name)
        if skip is None:
            why = name_reason(name)
            if why is None and not self.plain_rules:
                why = self.rules.chosen_reason(path, is_folder)
            skip = Skip(path, "ignored", why) if why else None
        return path, skip

    def _enter(self, path: str, disk_path: str, seen: os.stat_result, *, is_note: bool) -> None:
        if is_link(seen):
            self.skips.append(Skip(path, "symlink", "links are not followed"))
            return
        if self.only and self.only != path.partition("/")[0].casefold():
            return
        if is_note:
            self.skips.append(Skip(path, "folder", "a folder, not a note; what is in it is listed"))
        identity = None if os.name == "nt" else (seen.st_dev, seen.st_ino)
        self.pending.append((f"{path}/", f"{disk_path}/", identity))

    def _look_at_hidden(self, name: str, prefix: str) -> None:
        # ".Note.md.icloud" stands for "Note.md", whose content is only in the cloud (B041).
        if name.endswith(".icloud") and name[1:-7].rpartition(".")[2].lower() in self.extensions:
            path = unicodedata.normalize("NFC", shown(prefix + name[1:-7]))
            self.skips.append(Skip(path, "not-downloaded", "its content is only in the cloud"))


def _form(name: str) -> str:
    """Return what names share that differ in case or in Unicode form alone."""
    return (name if name.isascii() else unicodedata.normalize("NFC", name)).lower()


def _settle_twins(found: list[NoteFile]) -> tuple[dict[str, NoteFile], list[Skip], list[str]]:
    if len({note.path.lower() for note in found}) == len(found):
        # A path comes first in its tuple.
        return {note.path: note for note in sorted(found)}, [], []
    found.sort(key=lambda note: (note.path, note.disk_path != note.path, note.disk_path))
    folded: dict[str, list[NoteFile]] = {}
    for note in found:
        folded.setdefault(note.path.lower(), []).append(note)
    files: dict[str, NoteFile] = {}
    skips: list[Skip] = []
    warnings: list[str] = []
    for twins in folded.values():
        for skip, warning in _settle_group(twins, files):
            skips.extend(skip)
            warnings.extend(warning)
    return dict(sorted(files.items())), skips, warnings


def _settle_group(twins: list[NoteFile], files: dict[str, NoteFile]) -> Iterator[tuple[list[Skip], list[str]]]:
    inodes: dict[int, str] = {}
    for number, note in enumerate(twins):
        if note.inode in inodes:
            yield [Skip(note.path, "case-twin", f'the same file as "{visible(inodes[note.inode])}"')], []
            continue
        if note.inode:
            inodes[note.inode] = note.path
        # Two files whose names are equal in NFC: the second keeps the name it has on disk as its key.
        key = note.path if note.path not in files else note.disk_path
        kept = note if key == note.path else NoteFile(key, key, note.size, note.mtime_ns, note.ctime_ns, note.inode)
        files[key] = kept
        if number:
            names = f'"{visible(twins[0].path)}" and "{visible(key)}"'
            yield [], [f"{names} are two notes whose names differ only in case or in Unicode form."]


class _open_folder:  # noqa: N801 - used as a context manager, like open()
    """Iterate over a folder that is proved to be the one its parent listed, not a link put there since (T02)."""

    def __init__(self, path: str, expected: tuple[int, int] | None) -> None:
        self.descriptor = -1
        self.identity = (0, 0)
        if os.scandir not in os.supports_fd:
            if expected is None:
                self.descriptor = open_root(path)
            self.entries = os.scandir(path)
            return
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
        self.descriptor = os.open(path, flags) if expected else open_root(path)
        try:
            seen = os.fstat(self.descriptor)
            self.identity = (seen.st_dev, seen.st_ino)
            if expected not in {None, self.identity}:
                raise OSError(0, "the folder was replaced while it was listed")
            self.entries = os.scandir(self.descriptor)
        except OSError:
            os.close(self.descriptor)
            raise

    def __enter__(self) -> _open_folder:
        return self

    def __iter__(self) -> Iterator[os.DirEntry[str]]:
        return iter(self.entries)

    def __exit__(self, *_: object) -> None:
        self.entries.close()
        if self.descriptor >= 0:
            os.close(self.descriptor)
