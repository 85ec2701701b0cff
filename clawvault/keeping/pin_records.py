"""What stood in the front matter of a note before it was pinned, so that unpinning gives back what a person wrote."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from clawvault.vault.writing.locking import notes_lock

FILE_NAME = "pins.json"
# Notes that were pinned longest ago are forgotten first.
MOST_NOTES = 10_000


@dataclass(frozen=True, slots=True)
class PinRecord:
    """What a pin did to one property.

    Attributes:
        before: Its line as the person left it, without the line end; ``None`` when there was none.
        after: Its line as the pin left it.
    """

    before: str | None
    after: str


Records = Mapping[str, PinRecord]


def read_records(state: Path, path: str) -> dict[str, PinRecord]:
    """Return what pins did to a note, by property; nothing when that is not known.

    Args:
        state: The state folder of the vault.
        path: The note.
    """
    found = _read(state).get(path, {})
    records: dict[str, PinRecord] = {}
    with suppress(TypeError, AttributeError):
        records = {key: PinRecord(**record) for key, record in found.items()}
    return records


def keep_records(state: Path, path: str, records: Records) -> None:
    """Keep what pins did to a note; no records let go of it.

    Raises:
        OSError: The disk refused.
        ClawvaultError: Another process holds the state folder.
    """
    with notes_lock(state):
        known = _read(state)
        known.pop(path, None)
        if records:
            known[path] = {key: asdict(record) for key, record in records.items()}
        _write(state, dict(list(known.items())[-MOST_NOTES:]))


def _read(state: Path) -> dict[str, dict[str, dict[str, str]]]:
    # A file that is damaged tells nothing, and what is not known is treated as written by the person.
    with suppress(OSError, ValueError, RecursionError):
        known = json.loads((state / FILE_NAME).read_text("utf-8"))
        if isinstance(known, dict):
            return known
    return {}


def _write(state: Path, known: Mapping[str, object]) -> None:
    temporary = state / f"{FILE_NAME}.{os.urandom(4).hex()}"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump(known, stream, ensure_ascii=True)
        temporary.replace(state / FILE_NAME)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
