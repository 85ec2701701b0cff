"""Notes as resources of the protocol: a page of their addresses, and the text behind one."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from clawvault.agent.tool import Desk
from clawvault.errors import UsageError
from clawvault.guard.presenting import clean_line
from clawvault.guard.screening import show_text

SCHEME = "vault://notes/"
ADDRESS_TEMPLATE = "vault://notes/{+path}"
PAGE = 100


@dataclass(frozen=True, slots=True)
class NoteAddress:
    """One note in a list: its address, its path for a person, and its bytes."""

    address: str
    name: str
    size_bytes: int


def list_page(desk: Desk, cursor: str | None) -> tuple[Sequence[NoteAddress], str | None]:
    """Return a page of notes in order of path, and the cursor of the next one.

    Args:
        desk: The vault.
        cursor: As the page before gave it.

    Raises:
        UsageError: The cursor is none of ours.
    """
    after = "" if cursor is None else _read_cursor(cursor)
    files = desk.vault.list_notes().files
    paths = sorted(path for path in files if path > after)
    page = [NoteAddress(address_of(path), clean_line(path), files[path].size) for path in paths[:PAGE]]
    following = _make_cursor(paths[PAGE - 1]) if len(paths) > PAGE else None
    return page, following


def read_address(desk: Desk, address: str) -> str:
    """Return the note behind an address, without secrets and control signs.

    Raises:
        UsageError: The address is not one of a note, or leads out of the vault.
        NotFoundError: There is no such note.
    """
    try:
        path = unquote(address.removeprefix(SCHEME), errors="strict")
    except UnicodeDecodeError:
        path = ""
    if not path or not address.startswith(SCHEME):
        raise UsageError(
            f'"{clean_line(address)[:200]}" is not the address of a note.',
            f"They are made as {address_of('MEMORY.md')}, in UTF-8.",
        )
    return show_text(desk.vault.read(path).text)[0]


def address_of(path: str) -> str:
    """Return the address of a note."""
    return SCHEME + quote(path, safe="/")


def _make_cursor(path: str) -> str:
    return base64.urlsafe_b64encode(path.encode("utf-8", "surrogatepass")).decode("ascii")


def _read_cursor(cursor: str) -> str:
    try:
        return base64.urlsafe_b64decode(cursor.encode("ascii")).decode("utf-8", "surrogatepass")
    except (ValueError, binascii.Error) as error:
        raise UsageError("The cursor is none that this server gave.", "Start again without one.") from error
