"""Where a vault is, what its paths look like, and how a file in it is opened without leaving it."""

from __future__ import annotations

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from clawvault.config import Config
from clawvault.errors import ClawvaultError, ConfigError, NotFoundError, UsageError
from clawvault.vault.state_place import read_place, read_vault_id, sha256_of_bytes, state_base

MARKER = ".clawvault"
MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 4096
WINDOWS = os.name == "nt"
DEVICES = frozenset({"AUX", "COM", "CON", "LPT", "NUL", "PRN"})
# An extension does not free a reserved name: "CON.md" still opens the console.
RESERVED = r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])\s*(?:\..*)?"
# What is not seen, or turns the order of what is: a name may show as another. Joiners are not among them, which emoji
# and some scripts need.
_HIDDEN = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f"
UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Not every platform has every one of these names.
LATER_NAMES = ("EAGAIN", "EBUSY", "EDEADLK", "EINTR", "EIO", "EMFILE", "ENFILE", "ENOMEM", "ENETDOWN", "EHOSTDOWN")
LATER = frozenset(getattr(errno, name, -1) for name in (*LATER_NAMES, "ESTALE", "ETIMEDOUT")) - {-1}
LINK_TAGS = frozenset({0xA000000C, 0xA0000003})  # symbolic link and junction; cloud placeholders have other tags
CAN_WALK_HANDLES = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")


class NoteUnreadableError(ClawvaultError):
    """Say that a note is there and cannot be read.

    Args:
        message: What failed and why.
        hint: The next step.
        reason: A stable code word, the same words as ``Skip.reason``.
        deferred: The fault may pass by itself: try later and keep what is known of the note (I11).
    """

    def __init__(self, message: str, hint: str = "", *, reason: str = "unreadable", deferred: bool = False) -> None:
        super().__init__(message, hint)
        self.reason = reason
        self.deferred = deferred


def find_vault(start: Path) -> Path | None:
    """Find the nearest folder, upward from ``start``, that holds ``.clawvault/``."""
    here = Path(os.path.abspath(start))
    for folder in (here, *here.parents):
        if (folder / MARKER).is_dir():
            return folder
    return None


def parse_note_path(text: str) -> str:
    """Turn a path as a caller gave it into the one form the project uses.

    Args:
        text: A path relative to the vault, with ``/`` between its parts.

    Returns:
        The same path in Unicode NFC.

    Raises:
        UsageError: The path is absolute, climbs, is empty somewhere, or holds what no note name may hold.

    Source: T01, MN-56, MN-57, MN-58, B037.
    """
    problem = path_problem(text)
    if problem:
        raise UsageError(
            f'"{visible(text)}" is not a path inside the vault: {problem}.',
            'Give a path relative to the vault, such as "memory/2026-03-09.md".',
        )
    return unicodedata.normalize("NFC", text)


def path_problem(text: str) -> str:
    """Say why a text is no path inside a vault; empty when it is one."""
    if not text:
        return "it is empty"
    if problem := sign_problem(text):
        return problem
    if text.startswith("/"):
        return "it is absolute"
    if text.startswith("~"):
        first = text.partition("/")[0]
        if first == "~" or "/" in text:
            return "it starts at a home folder"
    if text[1:2] == ":" and text[0].isascii() and text[0].isalpha():
        return "it names a drive"
    if len(text.encode()) > MAX_PATH_BYTES:
        return f"it is longer than {MAX_PATH_BYTES} bytes"
    return next((problem for part in text.split("/") if (problem := name_problem(part))), "")


def sign_problem(text: str) -> str:
    """Say which character of a text no path may hold; empty when there is none."""
    if not text.isascii() or not text.isprintable():
        for character in text:
            if unicodedata.category(character) in UNPRINTABLE:
                return f"it holds the control character U+{ord(character):04X}"
    return 'parts are separated by "/", not by a backslash' if "\\" in text else ""


def hidden_sign(text: str) -> str:
    """Return the first character of a text that is not seen, or turns others around, as ``U+202E``; else nothing."""
    found = None if text.isascii() else re.search(f"[{_HIDDEN}]", text)
    return f"U+{ord(found[0]):04X}" if found else ""


def name_problem(part: str) -> str:
    """Say why a text cannot be the name of a file or folder in a path; empty when it can."""
    if not part:
        return "a part of it is empty"
    if part in {".", ".."}:
        return f'"{part}" is not allowed'
    if len(part.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
        return f"a name in it is longer than {MAX_NAME_BYTES} bytes"
    # Few names begin like a device, so few processes need the pattern made.
    if part[:3].upper() in DEVICES and re.fullmatch(RESERVED, part, re.IGNORECASE):
        return f'"{part}" is a device name on Windows'
    if WINDOWS and (part[-1] in ". " or not set('<>:"|?*').isdisjoint(part)):
        return f'Windows has no file named "{part}"'
    return ""


def visible(text: str, limit: int = 200) -> str:
    """Make a name safe to print: control, bidi and undecodable characters become escapes (T19)."""
    shown = "".join(
        character if character == " " or character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text[:limit]
    )
    return shown + ("…" if len(text) > limit else "")


def open_inside(root: Path, relative: str) -> BinaryIO:
    """Open a regular file of the vault for reading, following no link on the way.

    Args:
        root: The vault; this folder itself may be reached through a link.
        relative: Path with ``/`` as it is on disk, or in NFC where the disk keeps another form.

    Raises:
        NotFoundError: There is no such file.
        NoteUnreadableError: It is a link, leads through one, is no regular file, or cannot be opened.

    Cost: never waits for another process; a FIFO is refused at once.
    Source: T02, B149, I40.
    """
    parts = relative.split("/")
    if any(part in {"", ".", ".."} or "\0" in part for part in parts) or (WINDOWS and not _plain(relative)):
        raise NotFoundError(f'There is no note "{visible(relative)}".')
    opener = _open_by_handles if CAN_WALK_HANDLES else _open_by_names
    try:
        descriptor = opener(root, parts)
    except OSError as error:
        raise _open_fault(relative, error) from error
    except UnicodeEncodeError as error:
        raise NotFoundError(f'There is no note "{visible(relative)}".') from error
    return os.fdopen(descriptor, "rb")


def _plain(relative: str) -> bool:
    return "\\" not in relative and ":" not in relative


def read_fault(relative: str, error: OSError) -> NoteUnreadableError:
    """Make the error for a note whose reading failed (B039)."""
    later = error.errno in LATER or getattr(error, "winerror", None) in {32, 33}
    return NoteUnreadableError(
        f'Cannot read "{visible(relative)}": {error.strerror or error}.',
        "It is tried again by itself." if later else "Check the permissions of the file.",
        reason="deferred" if later else "unreadable",
        deferred=later,
    )


def _open_fault(relative: str, error: OSError) -> ClawvaultError:
    if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}:
        return NotFoundError(f'There is no note "{visible(relative)}".', 'List notes with "clawvault tree".')
    if error.errno == errno.ELOOP:
        return NoteUnreadableError(
            f'"{visible(relative)}" is a link or leads through one; links are not followed.',
            "Put the note itself into the vault.",
            reason="symlink",
        )
    if error.errno in {errno.ENXIO, errno.EISDIR}:
        return NoteUnreadableError(f'"{visible(relative)}" is not a regular file.', reason="not-a-file")
    return read_fault(relative, error)


def open_root(root: Path | str) -> int:
    """Open the folder of a vault, and insist that it is one.

    The folder may be reached through a link, so one that was put in its place is told by what it leads to (T02).

    Returns:
        A descriptor; -1 where the system walks by names alone.

    Raises:
        FileNotFoundError: It is none.
    """
    held = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) if CAN_WALK_HANDLES else -1
    try:
        _insist(os.stat(MARKER, dir_fd=held) if held >= 0 else Path(root, MARKER).stat(), folder=True)
    except OSError as error:
        if held >= 0:
            os.close(held)
        raise FileNotFoundError(errno.ENOENT, "the folder is no vault") from error
    return held


def _open_by_handles(root: Path, parts: list[str]) -> int:
    held = open_root(root)
    try:
        for part in parts[:-1]:
            inner = _step(held, part, os.O_RDONLY | os.O_DIRECTORY, folder=True)
            os.close(held)
            held = inner
        # Without O_NONBLOCK opening a FIFO waits until somebody writes to it.
        return _step(held, parts[-1], os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY, folder=False)
    finally:
        os.close(held)


def _step(held: int, part: str, flags: int, *, folder: bool) -> int:
    try:
        seen = os.stat(part, dir_fd=held, follow_symlinks=False)
    except FileNotFoundError:
        part = same_name(part, os.listdir(held))
        seen = os.stat(part, dir_fd=held, follow_symlinks=False)
    _insist(seen, folder=folder)
    descriptor = os.open(part, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=held)
    try:
        _insist(os.fstat(descriptor), folder=folder)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _open_by_names(root: Path, parts: list[str]) -> int:
    open_root(root)
    here = os.fspath(root)
    for part in parts[:-1]:
        here = _checked_name(here, part)
        _insist(os.lstat(here), folder=True)
    here = _checked_name(here, parts[-1])
    seen = os.lstat(here)
    _insist(seen, folder=False)
    descriptor = os.open(here, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0))
    opened = os.fstat(descriptor)
    if (opened.st_ino, opened.st_dev) != (seen.st_ino, seen.st_dev):
        os.close(descriptor)
        raise OSError(errno.EAGAIN, "the file changed while it was opened")
    return descriptor


def _checked_name(folder: str, part: str) -> str:
    path = os.path.join(folder, part)  # noqa: PTH118 - a Path would fold the exact name
    return path if os.path.lexists(path) else os.path.join(folder, same_name(part, os.listdir(folder)))  # noqa: PTH118


def _insist(seen: os.stat_result, *, folder: bool) -> None:
    if is_link(seen):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if folder and not stat.S_ISDIR(seen.st_mode):
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if not folder and not stat.S_ISREG(seen.st_mode):
        raise OSError(errno.EISDIR, "not a regular file")


def is_link(seen: os.stat_result) -> bool:
    """Tell a symbolic link or a Windows junction from a thing that is there itself."""
    return stat.S_ISLNK(seen.st_mode) or getattr(seen, "st_reparse_tag", 0) in LINK_TAGS


def same_name(name: str, names: list[str]) -> str:
    """Find the name on disk that is equal in NFC; the name itself when there is none (B029)."""
    if name.isascii():
        return name
    wanted = unicodedata.normalize("NFC", name)
    return next((found for found in names if unicodedata.normalize("NFC", found) == wanted), name)


def state_folder(root: Path, config: Config, environment: Mapping[str, str]) -> Path:
    """Get the folder for index, logs and socket of one vault, made private to its user.

    Args:
        root: The vault.
        config: Its ``state_dir`` names another place; a relative one counts from the vault, or from the
            working folder when it came from the environment or a flag.
        environment: Where ``XDG_STATE_HOME`` and ``HOME`` are looked up.

    Returns:
        An existing folder with mode 0700, one per real path of a vault. That of a vault with an id follows it to
        another path, and never serves another vault at the same path.

    Raises:
        ConfigError: The folder cannot be made, is a link, or belongs to somebody else.
        LockedError: It has to be moved, and another process still writes in it.

    Source: I41, T10.
    """
    base = state_base(root, config, environment)
    real = os.path.realpath(root)
    name = re.sub(r"[^\w.-]+", "-", Path(real).name).strip("-.")[:40] or "vault"
    place = os.path.normcase(real)
    folder = base / "vaults" / f"{name}-{sha256_of_bytes(os.fsencode(place))[:12]}"
    try:
        base.mkdir(parents=True, exist_ok=True, mode=0o700)
        make_private_folder(folder.parent)
        if (vault_id := read_vault_id(real)) and read_place(folder) != (vault_id, place):
            # Imported here: what a vault needs once in its life at one path.
            from clawvault.vault.moved_state import settle_state

            settle_state(folder, vault_id, place)
        make_private_folder(folder)
    except OSError as error:
        raise ConfigError(
            f'Cannot use the state folder "{folder}": {error.strerror or error}.',
            "Set state_dir, or CLAWVAULT_STATE_DIR, to a folder you can write to.",
        ) from error
    return folder


def make_private_folder(folder: Path) -> None:
    """Make a folder in an existing one, unless it is there, and insist on it as ``make_private`` does."""
    folder.mkdir(exist_ok=True, mode=0o700)
    make_private(folder)


def make_private(folder: Path) -> None:
    """Insist that a folder is one of its own that nobody else can look into; ``OSError`` when it cannot be."""
    seen = os.lstat(folder)
    if is_link(seen) or not stat.S_ISDIR(seen.st_mode):
        raise OSError(errno.ENOTDIR, "it is not a folder of its own")
    if WINDOWS:
        return  # a user's state folder is private there by its inherited access list
    if seen.st_uid != os.geteuid():
        raise PermissionError(errno.EPERM, "it belongs to another user")
    if stat.S_IMODE(seen.st_mode) != 0o700:
        folder.chmod(0o700)
