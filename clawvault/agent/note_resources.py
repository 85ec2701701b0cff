"""Notes as resources of the protocol: a page of their addresses, and the text behind one."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from clawvault.agent.answers import READ_CHARS, find_edits, show_note_lines
from clawvault.agent.tool import Desk, JsonObject
from clawvault.context.naming import flags_of_path
from clawvault.errors import UsageError
from clawvault.guard.presenting import clean_line
from clawvault.guard.screening import NOTE, OWNER, SUSPICIOUS, show_text

SCHEME = "vault://notes/"
ADDRESS_TEMPLATE = "vault://notes/{+path}"
PAGE = 100
MARKS = ("trust", "flagged", "altered", "outside_edit", "sha256")


@dataclass(frozen=True, slots=True)
class NoteAddress:
    """One note in a list: its address, its path for a person, its bytes, and what speaks against its path."""

    address: str
    name: str
    size_bytes: int
    flagged: tuple[str, ...] = ()

    @property
    def marks(self) -> JsonObject | None:
        """Return what a host should know of the path; ``None`` when there is nothing."""
        return {"trust": SUSPICIOUS, "flagged": list(self.flagged)} if self.flagged else None


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
    page = [
        NoteAddress(address_of(path), clean_line(path), files[path].size, flags_of_path(path)) for path in paths[:PAGE]
    ]
    following = _make_cursor(paths[PAGE - 1]) if len(paths) > PAGE else None
    return page, following


def read_address(desk: Desk, address: str) -> tuple[str, JsonObject]:
    """Return the note behind an address, without secrets and control signs, and how far it may be trusted.

    Args:
        desk: The vault.
        address: As ``list_page`` gives it.

    Returns:
        The text as a whole, and ``trust``, ``flagged``, ``altered``, ``outside_edit`` and ``sha256`` as
        ``memory_read`` says them of the lines it shows. Of a note that is longer they are about these lines alone, as
        ``looked_at`` says, and it is not the owner's word.

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
    note = desk.vault.read(path)
    seen = show_note_lines(note, note, READ_CHARS, find_edits(desk, note.path))
    marks = {name: seen[name] for name in MARKS if name in seen}
    if seen.get("truncated"):
        marks["looked_at"] = {"line_start": seen["line_start"], "line_end": seen["line_end"]}
        if marks["trust"] == OWNER:
            marks["trust"] = NOTE
    return show_text(note.text)[0], marks


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
