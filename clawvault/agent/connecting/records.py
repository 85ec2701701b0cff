"""What is remembered of each file that was connected: what it was, what it became, the folders made for it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawvault.vault.private_file import write_private_file

RECORDS = "connections"
# Of each file; two vaults that are connected in turn add one each time.
MOST_FORMER = 8


@dataclass(frozen=True, slots=True)
class Record:
    """One connection of one file.

    Attributes:
        original: What the file was before; ``None`` is no file.
        after_sha256: Of what connecting made of it.
        folders: Those that were made for it.
        former: Records of this vault that come back when another vault's connection does, the newest first.
    """

    original: bytes | None
    after_sha256: str
    folders: tuple[Path, ...] = ()
    former: tuple[Record, ...] = ()


def read_record(path: Path, state: Path) -> Record | None:
    """Return what is remembered of a file, or ``None``.

    Args:
        path: The file of an agent.
        state: The state folder of the vault.
    """
    try:
        values = json.loads(_place_of(path, state).read_bytes())
        newest = _parse(values)
        former = tuple(_parse(older) for older in values.get("former", ()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return Record(newest.original, newest.after_sha256, newest.folders, former)


def write_record(path: Path, state: Path, record: Record) -> None:
    """Remember what became of a file.

    Raises:
        OSError: The state folder cannot be written.
    """
    place = _place_of(path, state)
    place.parent.mkdir(mode=0o700, exist_ok=True)
    former = [_values(older) for older in record.former[:MOST_FORMER]]
    values = {"path": str(path), **_values(record), "former": former}
    write_private_file(place, json.dumps(values).encode("utf-8", "surrogateescape"))


def forget_record(path: Path, state: Path, *, to_former: bool) -> None:
    """Forget the newest record of a file, and those before it too unless the former connection came back."""
    record = read_record(path, state)
    with suppress(OSError):
        if to_former and record is not None and record.former:
            newest, *older = record.former
            write_record(path, state, Record(newest.original, newest.after_sha256, newest.folders, tuple(older)))
        else:
            _place_of(path, state).unlink()


def hash_of(data: bytes) -> str:
    """Return what a record knows a file by."""
    return hashlib.sha256(data).hexdigest()


def _place_of(path: Path, state: Path) -> Path:
    return state / RECORDS / f"{hashlib.sha256(os.fsencode(os.path.abspath(path))).hexdigest()[:24]}.json"


def _values(record: Record) -> dict[str, Any]:
    original = None if record.original is None else base64.b64encode(record.original).decode("ascii")
    return {"original": original, "after_sha256": record.after_sha256, "folders": [str(at) for at in record.folders]}


def _parse(values: dict[str, Any]) -> Record:
    original = values["original"]
    return Record(
        None if original is None else base64.b64decode(original),
        str(values["after_sha256"]),
        # One that was written when folders were not remembered names none, so none is removed.
        tuple(Path(str(folder)) for folder in values.get("folders", ())),
    )
