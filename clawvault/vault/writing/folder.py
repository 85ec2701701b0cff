"""A folder of the vault held open while a note in it is made or replaced."""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from contextlib import suppress
from pathlib import Path

from clawvault.errors import ConflictError
from clawvault.vault.held_folder import IN_BINARY, NO_FOLLOW, HeldFolder
from clawvault.vault.note_file import FOLDS_CASE
from clawvault.vault.paths import is_link, visible

NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
# Where a system can tell, a link put in place of the temporary file is not followed (T11).
FOLLOWS = os.link not in os.supports_follow_symlinks
NO_FOLDER_SYNC = frozenset({errno.EINVAL, errno.EACCES, errno.EBADF, errno.EPERM})


class Folder(HeldFolder):
    """A folder of the vault in which notes are written."""

    @classmethod
    def reach(cls, root: Path, parts: list[str], *, make: bool = True) -> Folder:
        """Open a folder, following no link.

        Args:
            root: The vault.
            parts: Names of the folders on the way, in NFC.
            make: Make those that are missing.

        Raises:
            FileNotFoundError: One is missing and is not to be made.
            NotADirectoryError: A link or a file is in the way.
            ConflictError: One to be made is there under a name that differs in case (B031).
        """
        flags = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
        here = cls.top(root)
        for depth, part in enumerate(parts, 1):
            try:
                inner = here._step(part, flags, "/".join(parts[:depth]) if make else "")
            finally:
                here.close()
            here = inner
        return here

    def _step(self, part: str, flags: int, to_make: str) -> Folder:
        """Open a folder in this one; ``to_make`` is its path where it is made when missing."""
        name = self.name_on_disk(part)
        place, at = self.at(name)
        if to_make and not self._holds(name):
            self.refuse_taken(name, to_make)
            with suppress(FileExistsError):
                os.mkdir(place, dir_fd=at)
        seen = os.stat(place, dir_fd=at, follow_symlinks=False)
        if is_link(seen) or not stat.S_ISDIR(seen.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, f'"{visible(part)}" is a link or a file, not a folder')
        descriptor = os.open(place, flags | os.O_NOFOLLOW, dir_fd=at) if at is not None else -1
        return Folder(os.path.join(self.path, name), descriptor)  # noqa: PTH118 - names stay as they are

    def _holds(self, name: str) -> bool:
        try:
            self.stat(name)
        except FileNotFoundError:
            return False
        return True

    def name_on_disk(self, name: str) -> str:
        """Return the name a thing has on disk: equal in NFC; the name itself when there is none (B029)."""
        if name.isascii() and not FOLDS_CASE:
            return name
        return next((found for found in self.names() if unicodedata.normalize("NFC", found) == name), name)

    def refuse_taken(self, name: str, relative: str) -> None:
        """Refuse a new name that stands for a note in the cloud, or for another thing where case does not count.

        Raises:
            ConflictError: It does (B031, B041).
        """
        taken = {unicodedata.normalize("NFC", found) for found in self.names()}
        if f".{name}.icloud" in taken:
            raise ConflictError(
                f'"{visible(relative)}" is not downloaded: its content is only in the cloud.',
                "Open it once so that it is downloaded, then try again.",
            )
        folded = name.casefold()
        twin = next((found for found in taken if found != name and found.casefold() == folded), None)
        if twin is not None:
            raise ConflictError(
                f'Cannot make "{visible(relative)}": "{visible(twin)}" is there, and many disks take them for one.',
                f'Write to "{visible(twin)}", or choose another name.',
            )

    def write_new(self, name: str, data: bytes, *, like: os.stat_result | None = None) -> None:
        """Write a file that was not there, down to the disk.

        Args:
            name: Its name; anything that has it already makes this fail (T11).
            data: Its content.
            like: The file whose mode and owner it gets; ``None`` gives it those of any new file.
        """
        place, at = self.at(name)
        mode = 0o666 if like is None else 0o600
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | IN_BINARY, mode, dir_fd=at)
        try:
            try:
                if like is not None and hasattr(os, "fchmod"):
                    _take_after(descriptor, like)
                left = memoryview(data)
                while left:
                    left = left[os.write(descriptor, left) :]
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError:
            self.remove(name)
            raise

    def give_name(self, temporary: str, name: str) -> bool:
        """Give a new file its name; ``False`` when something has it already."""
        old, at = self.at(temporary)
        new, _ = self.at(name)
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
            # FAT and some network disks have no hard links; taking the name first still overwrites nothing.
            try:
                self.write_new(name, b"")
            except FileExistsError:
                return False
            self.replace(temporary, name)
        return True

    def replace(self, temporary: str, name: str) -> None:
        """Put a file in the place of another, in one step."""
        old, at = self.at(temporary)
        new, _ = self.at(name)
        os.replace(old, new, src_dir_fd=at, dst_dir_fd=at)

    def remove(self, name: str) -> None:
        """Remove a file of our own making."""
        place, at = self.at(name)
        os.unlink(place, dir_fd=at)

    def sync(self) -> None:
        """Bring the names in the folder down to the disk."""
        if self.descriptor < 0:
            return  # Windows writes folder entries through by itself
        try:
            os.fsync(self.descriptor)
        except OSError as error:
            if error.errno not in NO_FOLDER_SYNC:
                raise


def temporary_name() -> str:
    """Return a name nobody can guess, which no listing takes for a note."""
    return f".clawvault-{os.urandom(8).hex()}.tmp"


def _take_after(descriptor: int, like: os.stat_result) -> None:
    """Give an open file the owner and mode of another; one's own file in a shared folder stays one's own."""
    mine = os.fstat(descriptor)
    if (mine.st_uid, mine.st_gid) != (like.st_uid, like.st_gid):
        with suppress(OSError):
            os.fchown(descriptor, like.st_uid, like.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(like.st_mode) & 0o777)
