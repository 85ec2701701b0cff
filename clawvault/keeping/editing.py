"""Changes of a text: pure. Each keeps whatever it is not about."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from typing import TYPE_CHECKING

from clawvault.vault.writing.form import with_line_ends

if TYPE_CHECKING:
    from clawvault.vault.markdown import Block

# Beyond this many places nobody reads the list of them.
MOST_PLACES = 100
_PLAIN_ITEM = re.compile(r"[-*+] \w")
# Front matter, fences, HTML and tables.
_NOT_PLAIN = re.compile(r"\A---|```|~~~|^[ \t]*<|\|", re.MULTILINE)


def append_entry(text: str, entry: str, newline: str) -> str:
    """Put an entry after a text, on lines of its own, with exactly one line end after it (MN-54).

    Args:
        text: What is there.
        entry: One or more lines.
        newline: The line end of the text.
    """
    body = with_line_ends(entry, newline).rstrip("\r\n")
    return _ended(text, newline) + body + newline


def append_item(text: str, item: str, newline: str) -> str:
    """Put an item of a list after a text: into the list it ends with, or into one of its own."""
    apart = not text.endswith(newline * 2) and not _ends_with_plain_item(text) and _ends_with_other(text)
    return append_entry(_ended(text, newline) + (newline if apart else ""), item, newline)


def _ends_with_plain_item(text: str) -> bool:
    """Say of a note as simple as those of a day mostly are that its last line is an item of a list.

    An item that begins at the margin ends all that may be open before it, except what is ruled out here.
    """
    last = text.rstrip("\r\n").rpartition("\n")[2]
    return _PLAIN_ITEM.match(last) is not None and _NOT_PLAIN.search(text) is None


def _ends_with_other(text: str) -> bool:
    """Say whether the last block of a note is anything but an item of a list."""
    # Imported here and below, since an entry at the end of a note needs no parser.
    from clawvault.vault.markdown import parse_note

    blocks = parse_note(text).blocks
    return bool(blocks) and blocks[-1].kind != "list_item"


def find_places(text: str, wanted: str) -> list[tuple[int, int]]:
    """Find where a text stands in another, whatever its line ends; places may overlap.

    Returns:
        First character and the one after the last of each, in order, at most ``MOST_PLACES``.

    Cost: Linear in the text for each place.
    """
    plain, needle = text.replace("\r\n", "\n"), with_line_ends(wanted, "\n")
    shifts = [found.start() - place for place, found in enumerate(re.finditer("\r\n", text))]
    places: list[tuple[int, int]] = []
    at = plain.find(needle) if needle else -1
    while at >= 0 and len(places) < MOST_PLACES:
        end = at + len(needle)
        places.append((at + bisect_left(shifts, at), end + bisect_left(shifts, end)))
        at = plain.find(needle, at + 1)
    return places


def replace_everywhere(text: str, old: str, new: str, newline: str) -> str:
    """Replace each place where a text stands, from the front, none inside another."""
    parts = [re.escape(line) for line in with_line_ends(old, "\n").split("\n")]
    put = with_line_ends(new, newline)
    return re.sub("\r?\n".join(parts), lambda _: put, text)


def line_of(text: str, place: int) -> int:
    """Return the 1-based line of a character."""
    return text.count("\n", 0, place) + 1


def insert_under(text: str, names: Collection[str], title: str, item: str, newline: str) -> str:
    """Put an item of a list at the end of the section under a heading.

    Args:
        text: The note.
        names: Folded titles the heading may have.
        title: The heading that is made at the end of the note when there is none.
        item: One line.
        newline: The line end of the note.
    """
    from clawvault.vault.markdown import fold_heading, parse_note

    blocks = parse_note(text).blocks
    at = next((i for i, b in enumerate(blocks) if b.kind == "heading" and fold_heading(b.title) in names), None)
    if at is None:
        apart = newline if text.strip() else ""
        return f"{_ended(text, newline)}{apart}## {title}{newline}{newline}{item}{newline}"
    last = blocks[at]
    for block in blocks[at + 1 :]:
        if block.kind == "heading":
            break
        last = block
    return _insert_after(text, last, item, newline)


def _insert_after(text: str, block: Block, item: str, newline: str) -> str:
    lines = text.split("\n")
    ending = newline.removesuffix("\n")
    put = [item + ending] if block.kind == "list_item" else [ending, item + ending]
    at = block.line_end
    if at == len(lines):
        lines[-1] += ending
        put.append("")
    elif lines[at].strip():
        put.append(ending)
    return "\n".join([*lines[:at], *put, *lines[at:]])


def replace_whole(old: str, new: str, newline: str) -> str:
    """Return a whole new text with the line ends of the old one.

    Lines before the first and after the last that differ keep theirs, also where they are mixed. The last line ends
    with a line end, unless the old text's did not and neither does the new one's.
    """
    new = with_line_ends(new, "\n")
    if new and not new.endswith("\n") and (not old or old.endswith("\n")):
        new += "\n"
    before, after = old.split("\n"), new.split("\n")
    shorter = min(len(before), len(after))
    start = next((i for i in range(shorter) if before[i].removesuffix("\r") != after[i]), shorter)
    rest = range(1, shorter - start + 1)
    kept = next((i - 1 for i in rest if before[-i].removesuffix("\r") != after[-i]), shorter - start)
    ending = newline.removesuffix("\n")
    lines = [*before[:start], *(line + ending for line in after[start : len(after) - kept])]
    if 0 < start == len(before) < len(after):
        lines[start - 1] += ending
    if not kept and lines:
        lines[-1] = lines[-1].removesuffix("\r")
    return "\n".join([*lines, *before[len(before) - kept :]])


def _ended(text: str, newline: str) -> str:
    return text if not text or text.endswith("\n") else text + newline
