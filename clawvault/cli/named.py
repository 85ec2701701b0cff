"""The note that a person names on the command line, as a path of the vault."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path, PurePath

from clawvault.cli.place import Place
from clawvault.errors import NotFoundError

ALIASES = frozenset({"memory", "daily_log", "heartbeat", "bootstrap"})
SHOWN = 3


def name_note(place: Place, given: str) -> str:
    """Return the vault path of what a person typed, or what completion typed for them.

    Args:
        place: The vault.
        given: A vault path or an alias; a path that begins with ``./`` or ``../`` is one of the folder the person is
            in, and an absolute one may lead into the vault.

    Returns:
        A path for the library to judge; what leads out of the vault is left as it is.

    Raises:
        NotFoundError: There is no such note at the top of the vault, and one of that name elsewhere.
    """
    if given in ALIASES or not given:
        return given
    explicit = given.startswith(("./", "../", f".{os.sep}", f"..{os.sep}"))
    if explicit or PurePath(given).is_absolute():
        return _inside(place.root, Path(os.path.normpath(Path.cwd() / given))) or given
    if not _is_there(place.root, given) and (meant := _meant(place, given)):
        shown = ", ".join(meant[:SHOWN])
        raise NotFoundError(
            f'There is no note "{given}" at the top of the vault.',
            f"Did you mean {shown}? A new note at the top is {place.root / given}.",
        )
    return given


def _is_there(root: Path, given: str) -> bool:
    """Say whether a name stands for anything, in whichever form of Unicode the disk keeps it."""
    return os.path.lexists(root / given) or _is_note(root, given)


def _is_note(root: Path, given: str) -> bool:
    if given.isascii():
        return os.path.isfile(root / given)  # noqa: PTH113 - a folder that nobody may look into is no fault
    from clawvault.vault.note_file import stat_note

    return stat_note(root, given) is not None


def _inside(root: Path, path: Path) -> str:
    """Return the way from the vault to a path, in NFC; empty when it does not lie in it."""
    path = _composed(path)
    # The folder may be reached through a link; the way inside the vault follows none.
    for top in (_composed(root), _composed(Path(os.path.realpath(root)))):
        if path.is_relative_to(top):
            return path.relative_to(top).as_posix()
    return ""


def _composed(path: Path) -> Path:
    return Path(unicodedata.normalize("NFC", str(path)))


def _meant(place: Place, given: str) -> list[str]:
    if (near := _inside(place.root, Path.cwd() / given)) and _is_note(place.root, near):
        return [near]
    if "/" in given or os.sep in given:
        return []
    from clawvault.vault.ignoring import read_ignore_rules
    from clawvault.vault.listing import list_notes

    rules = read_ignore_rules(place.root, place.config, place.state)
    wanted = unicodedata.normalize("NFC", given)
    files = list_notes(place.root, rules, place.config, name=wanted).files
    return sorted(path for path in files if path.rpartition("/")[2] == wanted)
