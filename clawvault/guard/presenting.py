"""Make what is in a vault safe to hand to a model: data in fields, without signs or marks that steer it (I44, T19)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# Joiners belong to words of some scripts and to emoji; every other sign of format is unseen, or turns text around.
JOINERS = frozenset("\u200c\u200d")
REMOVED = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# What chat formats and tool protocols begin and end their parts with: a note may quote it, a model must not obey it.
ROLE_TAGS = re.compile(
    r"<\|[\w:./ -]{1,40}\|>"
    r"|</?(?:antml:)?(?:system|assistant|human|developer|tool|tool_(?:use|call|calls|result|results|response)"
    r"|function_(?:call|calls|result|results)|invoke|system-reminder|instructions)(?:\s[^<>\n]{0,200})?/?>"
    r"|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS)\]",
    re.IGNORECASE,
)
_HARMLESS = str.maketrans("<>[]", "‹›⟦⟧")
_ESCAPES = re.compile(r"\x1b(?:\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[\[PX^_][0-?]*[ -/]*[@-~]?|[ -/]*[0-~])?")


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as a model gets it, and how it differs from the note: sorted words, empty when it does not."""

    text: str
    altered: tuple[str, ...] = ()


def clean_line(text: str) -> str:
    """Return a title, a path or a message on one line, without signs that are not seen and marks that work (T19)."""
    if text.isascii() and text.isprintable():
        return _tamed(text)
    parts = [" " if sign in "\n\r\t" else sign for sign in _ESCAPES.sub("", text) if sign in "\n\r\t" or _is_kept(sign)]
    return _tamed("".join(parts))


def clean_text(text: str) -> Shown:
    """Return a text of a note without control signs, and with marks of chat formats that no longer work as such.

    Lines stay what they are, so that line numbers hold.
    """
    altered = set()
    if not (text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()):
        unified = text.replace("\r\n", "\n")
        cleaned = "".join(sign for sign in _ESCAPES.sub("", unified) if sign in "\n\t" or _is_kept(sign))
        if cleaned != unified:
            altered.add("control signs removed")
        text = cleaned
    tamed = _tamed(text)
    if tamed != text:
        altered.add("marks of chat formats replaced")
    return Shown(tamed, tuple(sorted(altered)))


def cut(text: str, limit: int) -> str:
    """Return as many whole lines of a text as fit.

    Args:
        text: Any text.
        limit: The most characters, 1 or more.

    Returns:
        The part; of a text whose first line is too long, as much of that line as fits.
    """
    if len(text) <= limit:
        return text
    return text[: text.rfind("\n", 0, limit) + 1 or limit]


def cut_near(text: str, limit: int, place: int) -> tuple[str, int]:
    """Return as many whole lines of a text as fit, the one that matters among them.

    Args:
        text: Any text.
        limit: The most characters, 1 or more.
        place: Where what matters begins, in characters.

    Returns:
        The part, and where it begins: at the beginning of the text where that holds the line, else at a line, or within
        one that is too long by itself at a word.
    """
    part = cut(text, limit)
    start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place) + 1 or len(text)
    if end <= len(part):
        return part, 0
    # As much stands before as may stand behind, or more where the text ends before that.
    earliest = max(0, min(place - limit // 2, len(text) - limit), end - limit if end - start <= limit else 0)
    begins = text.rfind("\n", 0, earliest) + 1
    if begins < earliest:
        begins = text.find("\n", earliest, place) + 1 or text.find(" ", earliest, place) + 1 or place
    return cut(text[begins:], limit), begins


def _tamed(text: str) -> str:
    return ROLE_TAGS.sub(lambda found: found.group().translate(_HARMLESS), text)


def _is_kept(sign: str) -> bool:
    return sign in JOINERS or unicodedata.category(sign) not in REMOVED
