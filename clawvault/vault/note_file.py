"""One note as the disk describes it, and the reasons why a file with a note's name is passed over."""

from __future__ import annotations

import os
import re
import stat
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from clawvault.config import Config
from clawvault.vault.ignoring import IgnoreRules
from clawvault.vault.paths import is_link, same_name, sign_problem, visible

# Few names need these patterns, so they are made for the first that does.
# Dropbox, Nextcloud, ownCloud, Box, Obsidian Sync, Seafile, Synology, Resilio, Syncthing, Unison, Git merge tools.
# "Note 2.md" of iCloud and "Note-PC.md" of OneDrive are left out: many notes that are nobody's copy are named so.
CONFLICT = (
    r"(?i)\.sync-conflict-[0-9]{8}-[0-9]{6}"
    r"|[(\[][^()\[\]]*(?:conflicted copy|case conflict|sfconflict|conflict on |conflicted\b"
    r"|copie en conflit|copia en conflicto|in konflikt stehende kopie|konfliktkopie"
    r"|cópia em conflito|copia in conflitto|冲突副本|衝突複本|競合コピー|충돌)"
    r"|_conflict(?:-[0-9]{8}-[0-9]{6})?\.|_[0-9]{4}_conflict|\.conflict\.|_(?:BACKUP|LOCAL|REMOTE|BASE)_[0-9]+\."
)
CONFLICT_HINT = "(?i)onfli|冲突|衝突|競合|충돌|_(?:backup|local|remote|base)_"
# One of these is in every plain path that the pattern finds; they are looked for in a fraction of its time.
PLAIN_HINTS = ("onfli", "_b", "_l", "_r")
DATALESS = 0x40000000  # SF_DATALESS of macOS: reading would fetch the file from the cloud
RECALL = 0x00400000 | 0x00001000  # RECALL_ON_DATA_ACCESS and OFFLINE of Windows
FOLDS_CASE = sys.platform in {"win32", "darwin"}
# A note under one of these reasons is still there: what is known of it stays, marked stale (I11).
KEEP_REASONS = frozenset({"too-large", "unreadable", "not-downloaded", "deferred", "changed"})


class NoteFile(NamedTuple):
    """One note as its folder describes it; a tuple, since every comparison makes one of each note.

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


def note_extensions(config: Config) -> frozenset[str]:
    """Get the file endings that make a note, lower case, without their dot."""
    return frozenset(extension.lower().lstrip(".") for extension in config.index.extensions)


MAX_TIME_NS = 2**63 - 1


def note_of(path: str, disk_path: str, seen: os.stat_result) -> NoteFile:
    """Make the description of a note from its stat, the same from a folder's entry, a path or an open file."""
    # An entry of a Windows folder does not know its file number, so there none is ever compared.
    inode = 0 if os.name == "nt" else seen.st_ino
    mtime_ns, ctime_ns = seen.st_mtime_ns, seen.st_ctime_ns
    if not (-MAX_TIME_NS <= mtime_ns <= MAX_TIME_NS and -MAX_TIME_NS <= ctime_ns <= MAX_TIME_NS):
        mtime_ns, ctime_ns = _storable(mtime_ns), _storable(ctime_ns)
    return NoteFile(path, disk_path, seen.st_size, mtime_ns, ctime_ns, inode)


def _storable(time_ns: int) -> int:
    """Keep a time within 64 bits: a file dated after 2262 must not end the run (F15)."""
    return max(-MAX_TIME_NS, min(MAX_TIME_NS, time_ns))


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
    if _may_conflict(path) and re.search(CONFLICT, path.rpartition("/")[2]):
        return Skip(path, "conflict-copy", "two versions of a note to bring together")
    return note_of(path, disk_path, seen)


def _may_conflict(path: str) -> bool:
    if path.isascii():
        lower = path.lower()
        for hint in PLAIN_HINTS:
            if hint in lower:
                break
        else:
            return False
    return re.search(CONFLICT_HINT, path) is not None


def find_note(root: Path, relative: str, rules: IgnoreRules, config: Config) -> NoteFile | Skip | None:
    """Look at one path as ``list_notes`` would.

    Returns:
        The note, the reason why it is passed over, or ``None`` when nothing is there or it has no note's name.
    """
    extensions = note_extensions(config)
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
    path, skip = key_of("", disk_path)
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
    return note_of(unicodedata.normalize("NFC", disk_path), disk_path, seen)


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


def match_folders(root: Path, relative: str) -> str:
    """Return a path with its folders as the disk has them, where they differ in case alone (B031).

    Args:
        root: The vault.
        relative: A vault path in NFC; its last name is left as it is.
    """
    *folders, name = relative.split("/")
    here, matched = os.fspath(root), list[str]()
    for folder in folders:
        found = _folder_on_disk(here, folder)
        here = f"{here}/{found}"
        matched.append(unicodedata.normalize("NFC", found))
    return "/".join([*matched, name])


def _folder_on_disk(above: str, folder: str) -> str:
    if not FOLDS_CASE and os.path.lexists(f"{above}/{folder}"):
        return folder
    try:
        names = os.listdir(above)
    except OSError:
        return folder
    name = same_name(folder, names)
    folded = folder.casefold()
    twins = (found for found in sorted(names) if unicodedata.normalize("NFC", found).casefold() == folded)
    return name if name in names else next(twins, folder)


def _name_on_disk(folder: str, part: str) -> str:
    if FOLDS_CASE:
        names = os.listdir(folder)
        name = part if part in names else same_name(part, names)
        if name not in names:
            raise FileNotFoundError(name)
        return name
    if part.isascii() or os.path.lexists(f"{folder}/{part}"):
        return part
    return same_name(part, os.listdir(folder))


def key_of(prefix: str, name: str) -> tuple[str, Skip | None]:
    """Make the key of a name on disk, and the reason when no command could be given such a name (B035)."""
    path = prefix + name
    if name.isascii() and name.isprintable() and "\\" not in name:
        return path, None
    try:
        name.encode()
    except UnicodeEncodeError:
        return shown(path), Skip(shown(path), "not-utf8-name", "its name is not UTF-8")
    path = unicodedata.normalize("NFC", path)
    if problem := sign_problem(name):
        return shown(path), Skip(shown(path), "bad-name", problem)
    return path, None


def shown(path: str) -> str:
    """Make a path safe to print, long enough to tell it from another."""
    return visible(path, 1000)
