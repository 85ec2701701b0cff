"""The notes of a vault as the disk has them now: names and times, no content."""

from __future__ import annotations

import os
import re
import stat
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clawvault.config import Config
from clawvault.vault.ignoring import IgnoreRules, name_reason
from clawvault.vault.paths import MARKER, is_link, path_problem, same_name, visible

# Dropbox, Nextcloud, ownCloud, Box, Obsidian Sync, Seafile, Synology, Resilio, Syncthing, Unison, Git merge tools.
# "Note 2.md" of iCloud and "Note-PC.md" of OneDrive are left out: many notes that are nobody's copy are named so.
CONFLICT = re.compile(
    r"\.sync-conflict-[0-9]{8}-[0-9]{6}"
    r"|[(\[][^()\[\]]*(?:conflicted copy|case conflict|sfconflict|conflict on |conflicted\b"
    r"|copie en conflit|copia en conflicto|in konflikt stehende kopie|konfliktkopie"
    r"|cópia em conflito|copia in conflitto|冲突副本|衝突複本|競合コピー|충돌)"
    r"|_conflict(?:-[0-9]{8}-[0-9]{6})?\.|_[0-9]{4}_conflict|\.conflict\.|_(?:BACKUP|LOCAL|REMOTE|BASE)_[0-9]+\.",
    re.IGNORECASE,
)
CONFLICT_HINT = re.compile("onfli|冲突|衝突|競合|충돌|_(?:backup|local|remote|base)_", re.IGNORECASE)
DATALESS = 0x40000000  # SF_DATALESS of macOS: reading would fetch the file from the cloud
RECALL = 0x00400000 | 0x00001000  # RECALL_ON_DATA_ACCESS and OFFLINE of Windows
FOLDS_CASE = sys.platform in {"win32", "darwin"}
# A note under one of these reasons is still there: what is known of it stays, marked stale (I11).
KEEP_REASONS = frozenset({"too-large", "unreadable", "not-downloaded", "deferred", "changed"})


@dataclass(frozen=True, slots=True)
class NoteFile:
    """One note as its folder describes it.

    Attributes:
        path: Vault-relative, ``/`` between parts, NFC: the key of the note.
        disk_path: The same with the names exactly as the disk has them.
    """

    path: str
    disk_path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Skip:
    """One thing that looks like a note, or holds notes, and is not indexed.

    Attributes:
        reason: A stable code word: ``ignored``, ``symlink``, ``not-a-file``, ``folder``, ``too-large``,
            ``unreadable``, ``bad-name``, ``not-utf8-name``, ``conflict-copy``, ``case-twin``,
            ``not-downloaded``, ``loop``.
        detail: The rest of the reason in words.
    """

    path: str
    reason: str
    detail: str = ""


@dataclass(frozen=True)
class Listing:
    """Everything one look at the disk found.

    Attributes:
        files: Notes by path, in order of path.
        unreadable: Folders that could not be listed, each with a ``/`` at its end, ``""`` for the vault
            itself, so that ``path.startswith`` tells which notes may still be there.
        healthy: The vault is there and is this vault; otherwise nothing may be taken for deleted (I10).
        problem: Why it is not healthy.
        warnings: What a person should look at, one sentence each.
    """

    files: dict[str, NoteFile]
    skips: tuple[Skip, ...]
    unreadable: tuple[str, ...]
    healthy: bool
    problem: str
    warnings: tuple[str, ...] = ()


def list_notes(root: Path, rules: IgnoreRules, config: Config) -> Listing:
    """List every note of a vault, following no link.

    Args:
        root: The vault.
        rules: What is ignored.
        config: ``index.extensions`` and ``index.max_note_bytes``.

    Returns:
        The notes, and each thing passed over with its reason.

    Cost: one directory read a folder and one ``lstat`` a note.
    Source: B029, B031, B035, B041, B043, B045, B047, F19, F20.
    """
    problem = vault_problem(root)
    if problem:
        return Listing({}, (), ("",), False, problem, rules.warnings)
    walk = _Walk(root, rules, config)
    walk.run()
    files, twins, warnings = _settle_twins(walk.found)
    return Listing(
        files=files,
        skips=tuple(sorted([*walk.skips, *twins], key=lambda skip: skip.path)),
        unreadable=tuple(sorted(walk.unreadable)),
        healthy="" not in walk.unreadable,
        problem="The vault's folder cannot be listed." if "" in walk.unreadable else "",
        warnings=(*rules.warnings, *warnings),
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
    def __init__(self, root: Path, rules: IgnoreRules, config: Config) -> None:
        self.root = os.fspath(root)
        self.rules = rules
        self.plain_rules = rules.built_in_only
        self.extensions = frozenset(extension.lower().lstrip(".") for extension in config.index.extensions)
        self.max_bytes = config.index.max_note_bytes
        self.found: list[NoteFile] = []
        self.skips: list[Skip] = []
        self.unreadable: list[str] = []
        self.pending: list[tuple[str, str, tuple[int, int] | None]] = [("", "", None)]
        self.visited: set[tuple[int, int]] = set()

    def run(self) -> None:
        while self.pending:
            prefix, disk_prefix, expected = self.pending.pop()
            try:
                with _open_folder(f"{self.root}/{disk_prefix}" if disk_prefix else self.root, expected) as entries:
                    if not self._first_visit(entries.identity, prefix):
                        continue
                    for entry in entries:
                        self._look(entry, prefix, disk_prefix)
            except OSError as error:
                self.unreadable.append(prefix)
                self.skips.append(Skip(prefix, "unreadable", error.strerror or str(error)))

    def _first_visit(self, identity: tuple[int, int], prefix: str) -> bool:
        if identity[1] and identity in self.visited:
            self.skips.append(Skip(prefix, "loop", "this folder is already listed under another name"))
            return False
        self.visited.add(identity)
        return True

    def _look(self, entry: os.DirEntry[str], prefix: str, disk_prefix: str) -> None:
        name = entry.name
        if name[0] == ".":
            self._look_at_hidden(name, prefix)
            return
        is_note = name.rpartition(".")[2].lower() in self.extensions and "." in name
        is_folder = entry.is_dir(follow_symlinks=False)
        if not is_note and not is_folder:
            if "." not in name and entry.is_symlink():
                self.skips.append(Skip(_shown(prefix + name), "symlink", "links are not followed"))
            return
        path, skip = _key(prefix, name)
        if skip is None and (not self.plain_rules or name_reason(name)):
            why = name_reason(name) or self.rules.chosen_reason(path, is_folder)
            skip = Skip(path, "ignored", why) if why else None
        if skip is not None:
            self.skips.append(skip)
        elif is_folder:
            if is_note:
                self.skips.append(Skip(path, "folder", "a folder, not a note; what is in it is listed"))
            seen = entry.stat(follow_symlinks=False)
            if is_link(seen):
                self.skips.append(Skip(path, "symlink", "links are not followed"))
                return
            identity = None if os.name == "nt" else (seen.st_dev, seen.st_ino)
            self.pending.append((f"{path}/", f"{disk_prefix}{name}/", identity))
        else:
            self._look_at_note(entry, path, disk_prefix + name)

    def _look_at_note(self, entry: os.DirEntry[str], path: str, disk_path: str) -> None:
        try:
            seen = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        except OSError as error:
            self.skips.append(Skip(path, "unreadable", error.strerror or str(error)))
            return
        found = judge(path, disk_path, seen, self.max_bytes)
        if isinstance(found, NoteFile):
            self.found.append(found)
        else:
            self.skips.append(found)

    def _look_at_hidden(self, name: str, prefix: str) -> None:
        # ".Note.md.icloud" stands for "Note.md", whose content is only in the cloud (B041).
        if name.endswith(".icloud") and name[1:-7].rpartition(".")[2].lower() in self.extensions:
            path = unicodedata.normalize("NFC", _shown(prefix + name[1:-7]))
            self.skips.append(Skip(path, "not-downloaded", "its content is only in the cloud"))


def judge(path: str, disk_path: str, seen: os.stat_result, max_bytes: int) -> NoteFile | Skip:
    """Decide from its stat whether a file with a note's name is a note that can be read."""
    if not stat.S_ISREG(seen.st_mode) or is_link(seen):
        if is_link(seen):
            return Skip(path, "symlink", "links are not followed")
        return Skip(path, "not-a-file", "not a regular file")
    if seen.st_size > max_bytes:
        return Skip(path, "too-large", f"{seen.st_size} bytes, more than index.max_note_bytes = {max_bytes}")
    if getattr(seen, "st_flags", 0) & DATALESS or getattr(seen, "st_file_attributes", 0) & RECALL:
        return Skip(path, "not-downloaded", "its content is only in the cloud")
    if CONFLICT_HINT.search(path) and CONFLICT.search(path.rpartition("/")[2]):
        return Skip(path, "conflict-copy", "two versions of a note to bring together")
    return NoteFile(path, disk_path, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


def find_note(root: Path, relative: str, rules: IgnoreRules, config: Config) -> NoteFile | Skip | None:
    """Look at one path as ``list_notes`` would.

    Returns:
        The note, the reason why it is passed over, or ``None`` when nothing is there or it has no note's name.
    """
    extensions = {extension.lower().lstrip(".") for extension in config.index.extensions}
    name = relative.rpartition("/")[2]
    if "." not in name or name.rpartition(".")[2].lower() not in extensions:
        return None
    found = _locate(root, relative)
    if found is None:
        folder = relative.rpartition("/")[0]
        waits = os.path.lexists(os.path.join(root, folder, f".{name}.icloud"))  # noqa: PTH118
        return Skip(relative, "not-downloaded", "its content is only in the cloud") if waits else None
    if isinstance(found, Skip):
        return found
    disk_path, seen = found
    path, skip = _key("", disk_path)
    if skip:
        return skip
    why = rules.reason(path, stat.S_ISDIR(seen.st_mode))
    if why:
        return Skip(path, "ignored", why)
    return judge(path, disk_path, seen, config.index.max_note_bytes)


def stat_note(root: Path, relative: str) -> NoteFile | None:
    """Look at one note, following no link; ``None`` when no regular file has that name.

    Args:
        root: The vault.
        relative: Its path in NFC or as it is on disk. A name that differs in case is another name, also on a
            disk that would open it (B031).
    """
    found = _locate(root, relative)
    if found is None or isinstance(found, Skip) or not stat.S_ISREG(found[1].st_mode):
        return None
    disk_path, seen = found
    key = unicodedata.normalize("NFC", disk_path)
    return NoteFile(key, disk_path, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


def _locate(root: Path, relative: str) -> tuple[str, os.stat_result] | Skip | None:
    parts = relative.split("/")
    if any(part in {"", ".", ".."} or "\0" in part for part in parts):
        return None
    here, disk_parts = os.fspath(root), list[str]()
    seen = None
    for part in parts:
        try:
            name = _name_on_disk(here, part)
            here = f"{here}/{name}"
            seen = os.lstat(here)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            return Skip(relative, "unreadable", getattr(error, "strerror", "") or str(error))
        disk_parts.append(name)
        if is_link(seen):
            return Skip(relative, "symlink", "links are not followed")
    return None if seen is None else ("/".join(disk_parts), seen)


def _name_on_disk(folder: str, part: str) -> str:
    if FOLDS_CASE:
        return same_name(part, names) if part not in (names := os.listdir(folder)) else part
    if part.isascii() or os.path.lexists(f"{folder}/{part}"):
        return part
    return same_name(part, os.listdir(folder))


def _key(prefix: str, name: str) -> tuple[str, Skip | None]:
    path = prefix + name
    if name.isascii() and name.isprintable() and "\\" not in name:
        return path, None
    try:
        name.encode()
    except UnicodeEncodeError:
        return _shown(path), Skip(_shown(path), "not-utf8-name", "its name is not UTF-8")
    path = unicodedata.normalize("NFC", path)
    problem = path_problem(name.replace("/", "")) if name.isascii() or not name.isprintable() else ""
    if problem:
        return _shown(path), Skip(_shown(path), "bad-name", problem)
    return path, None


def _shown(path: str) -> str:
    return visible(path, 1000)


def _settle_twins(found: list[NoteFile]) -> tuple[dict[str, NoteFile], list[Skip], list[str]]:
    found.sort(key=lambda note: (note.path, note.disk_path != note.path, note.disk_path))
    folded: dict[str, list[NoteFile]] = {}
    for note in found:
        folded.setdefault(note.path.lower(), []).append(note)
    if len(folded) == len(found):
        return {note.path: note for note in found}, [], []
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
    for note in twins:
        first = inodes.setdefault(note.inode, note.path) if note.inode else note.path
        if note.inode and first != note.path:
            yield [Skip(note.path, "case-twin", f'the same file as "{first}"')], []
            continue
        # Two files whose names are equal in NFC: the second keeps the name it has on disk as its key.
        key = note.path if note.path not in files else note.disk_path
        kept = note if key == note.path else NoteFile(key, key, note.size, note.mtime_ns, note.ctime_ns, note.inode)
        files[key] = kept
        if note is not twins[0]:
            yield (
                [],
                [f'"{visible(twins[0].path)}" and "{visible(key)}" are two notes whose names differ only in form.'],
            )


class _open_folder:  # noqa: N801 - used as a context manager, like open()
    """Iterate over a folder that is proved to be the one its parent listed, not a link put there since (T02)."""

    def __init__(self, path: str, expected: tuple[int, int] | None) -> None:
        self.descriptor = -1
        self.identity = (0, 0)
        if os.scandir not in os.supports_fd:
            self.entries = os.scandir(path)
            return
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | (os.O_NOFOLLOW if expected else 0)
        self.descriptor = os.open(path, flags)
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
