"""The notes that may say a fact already: the long-term memory note and the topic notes, read as they are now."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from itertools import groupby

from clawvault.errors import ClawvaultError
from clawvault.keeping.means import Means
from clawvault.keeping.routing import TOPICS_FOLDER
from clawvault.vault.note_file import NoteFile, match_folders, stat_note
from clawvault.vault.notes import decode_note, read_note
from clawvault.vault.paths import is_link
from clawvault.vault.writing.folder import Folder


def read_known_notes(means: Means, memory: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of the memory note, then of each topic note, in order of path.

    A note that cannot be read now holds no writing up; writing to it says why.

    Cost: There may be thousands of topic notes, so each of their folders is reached once.
    """
    if (text := read_memory_note(means, memory)) is not None:
        yield memory, text
    topics_folder = match_folders(means.root, f"{TOPICS_FOLDER}/").removesuffix("/")
    if not os.path.isdir(means.root / topics_folder):  # noqa: PTH112 - one that nobody may look into holds no writing up
        return
    from clawvault.vault.listing import list_notes

    listed = list_notes(means.root, means.ignore_rules(), means.config, folder=topics_folder).files
    topics = (file for path, file in listed.items() if path.startswith(f"{topics_folder}/"))
    for folder, files in groupby(topics, key=lambda file: file.disk_path.rpartition("/")[0]):
        with suppress(OSError), closing(Folder.reach(means.root, folder.split("/"), make=False)) as held:
            yield from _read_in(held, files, means.config.index.max_note_bytes)


def read_memory_note(means: Means, memory: str) -> str | None:
    """Return the text of the memory note; ``None`` when there is none or it cannot be read now."""
    found = stat_note(means.root, memory)
    if found is None:
        return None
    try:
        return read_note(means.root, found, max_bytes=means.config.index.max_note_bytes).text
    except ClawvaultError:
        return None


def _read_in(held: Folder, files: Iterable[NoteFile], max_bytes: int) -> Iterator[tuple[str, str]]:
    for file in files:
        with suppress(OSError):
            data = _read_bytes(held, file.disk_path.rpartition("/")[2], max_bytes)
            if data is not None:
                yield file.path, decode_note(data)[0]


def _read_bytes(held: Folder, name: str, max_bytes: int) -> bytes | None:
    """Return the bytes of a note in an open folder; ``None`` when it is none, or changes just now."""
    if is_link(held.stat(name)):
        return None
    with os.fdopen(held.open(name), "rb", buffering=0) as handle:
        seen = os.fstat(handle.fileno())
        if not stat.S_ISREG(seen.st_mode) or seen.st_size > max_bytes:
            return None
        data = handle.read(seen.st_size + 1)
    return data if len(data) == seen.st_size else None
