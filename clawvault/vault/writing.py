"""The only place that writes notes, so that one set of rules holds for every writer (I01, I02)."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import unicodedata
from contextlib import suppress
from pathlib import Path

from clawvault.errors import ClawvaultError, ConflictError, UsageError
from clawvault.vault.paths import CAN_WALK_HANDLES, is_link, name_problem, parse_note_path, visible

NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
# Where a system can tell, a link put in place of the temporary file is not followed (T11).
FOLLOWS = os.link not in os.supports_follow_symlinks
NO_FOLDER_SYNC = frozenset({errno.EINVAL, errno.EACCES, errno.EBADF, errno.EPERM})


LEFTOVER = re.compile(r"\.clawvault-[0-9a-f]{16}\.tmp")
LEFTOVER_AGE_S = 3600.0


def remove_leftovers(root: Path, now: float) -> int:
    """Remove what a creation that was cut short left behind (F01).

    Args:
        root: The vault.
        now: Seconds since 1970; a file younger than an hour may still be in use.

    Returns:
        How many files were removed.
    """
    removed = 0
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if not name.startswith(".")]
        for name in filter(LEFTOVER.fullmatch, names):
            path = os.path.join(folder, name)  # noqa: PTH118 - names stay as they are
            # One that cannot be removed is hidden and does no harm.
            with suppress(OSError):
                found = os.lstat(path)
                if stat.S_ISREG(found.st_mode) and now - found.st_mtime > LEFTOVER_AGE_S:
                    os.unlink(path)  # noqa: PTH108
                    removed += 1
    return removed


def create_note(root: Path, relative: str, data: bytes) -> bool:
    """Create a file of the vault, whole or not at all, and never over another.

    Args:
        root: The vault.
        relative: Its path; folders on the way are made.
        data: Its whole content.

    Returns:
        Whether it was created; ``False`` when something of that name is already there, in any Unicode form.

    Raises:
        UsageError: The path is not one inside the vault.
        ConflictError: The note exists and its content is still in the cloud (B041).
        ClawvaultError: A link is in the way, or the disk refused.

    Source: I02, B041, T02, T11.
    """
    parts = parse_note_path(relative).split("/")
    if problem := next((found for part in parts if (found := name_problem(part))), ""):
        raise UsageError(f'Cannot create "{visible(relative)}": {problem}.')
    try:
        folder = _Folder.reach(root, parts[:-1])
        try:
            return _create(folder, parts[-1], data, relative)
        finally:
            folder.close()
    except OSError as error:
        raise ClawvaultError(
            f'Cannot create "{visible(relative)}": {error.strerror or error}.',
            "Check that the vault is writable and has space, and that no link is in the way.",
        ) from error


def _create(folder: _Folder, name: str, data: bytes, relative: str) -> bool:
    taken = {unicodedata.normalize("NFC", found) for found in folder.names()}
    if name in taken:
        return False
    if f".{name}.icloud" in taken:
        raise ConflictError(
            f'"{visible(relative)}" is not downloaded: its content is only in the cloud.',
            "Open it once so that it is downloaded, then try again.",
        )
    temporary = f".clawvault-{secrets.token_hex(8)}.tmp"
    folder.write_new(temporary, data)
    try:
        created = folder.give_name(temporary, name, data)
    finally:
        with suppress(FileNotFoundError):
            folder.remove(temporary)
    folder.sync()
    return created


class _Folder:
    """A folder of the vault, held open where the platform can, so that nobody swaps it for a link meanwhile."""

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self.descriptor = descriptor

    @classmethod
    def reach(cls, root: Path, parts: list[str]) -> _Folder:
        flags = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
        here = cls(os.fspath(root), os.open(root, flags) if CAN_WALK_HANDLES else -1)
        for part in parts:
            try:
                inner = here.step(part, flags)
            finally:
                here.close()
            here = inner
        return here

    def step(self, part: str, flags: int) -> _Folder:
        name = next((found for found in self.names() if unicodedata.normalize("NFC", found) == part), part)
        place, at = self._at(name)
        with suppress(FileExistsError):
            os.mkdir(place, dir_fd=at)
        seen = os.stat(place, dir_fd=at, follow_symlinks=False)
        if is_link(seen) or not stat.S_ISDIR(seen.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, f'"{visible(part)}" is a link or a file, not a folder')
        descriptor = os.open(place, flags | os.O_NOFOLLOW, dir_fd=at) if at is not None else -1
        return _Folder(os.path.join(self.path, name), descriptor)  # noqa: PTH118 - names stay as they are

    def names(self) -> list[str]:
        return os.listdir(self.descriptor if self.descriptor >= 0 else self.path)

    def write_new(self, name: str, data: bytes) -> None:
        place, at = self._at(name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(place, flags | getattr(os, "O_CLOEXEC", 0), 0o666, dir_fd=at)
        try:
            with os.fdopen(descriptor, "wb") as handle:
                handle.write(data)
                handle.flush()
                os.fsync(handle.fileno())
        except OSError:
            self.remove(name)
            raise

    def give_name(self, temporary: str, name: str, data: bytes) -> bool:
        old, at = self._at(temporary)
        new, _ = self._at(name)
        try:
            if os.name == "nt":
                os.rename(old, new)  # noqa: PTH104 - never replaces on Windows
            else:
                os.link(old, new, src_dir_fd=at, dst_dir_fd=at, follow_symlinks=FOLLOWS)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
            # FAT and some network disks have no hard links; an exclusive create still overwrites nothing.
            try:
                self.write_new(name, data)
            except FileExistsError:
                return False
        return True

    def remove(self, name: str) -> None:
        place, at = self._at(name)
        os.unlink(place, dir_fd=at)

    def sync(self) -> None:
        if self.descriptor < 0:
            return  # Windows writes folder entries through by itself
        try:
            os.fsync(self.descriptor)
        except OSError as error:
            if error.errno not in NO_FOLDER_SYNC:
                raise

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def _at(self, name: str) -> tuple[str, int | None]:
        if self.descriptor >= 0:
            return name, self.descriptor
        return os.path.join(self.path, name), None  # noqa: PTH118
