"""What a terminal may be sent, and how JSON leaves this program."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import click

# Characters that turn the direction of what follows, or break a line where none is seen (T19, T20).
UNSAFE = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff")
BOLD, PLAIN = "\x1b[1m", "\x1b[22m"


def prepare_streams() -> None:
    """Make sure that no character can end a command on a console that lacks it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def clean(text: str, *, keep_lines: bool = False) -> str:
    """Take out what could steer a terminal or turn its text around (T19).

    Args:
        text: Anything from a note or a path.
        keep_lines: Keep line ends; otherwise they become spaces.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    parts = []
    for sign in text:
        if sign in "\n\t":
            parts.append(sign if keep_lines else " ")
        elif sign not in UNSAFE and unicodedata.category(sign) not in {"Cc", "Cs"}:
            parts.append(sign)
    return "".join(parts)


def show_path(path: str) -> str:
    """Return the path of a note for a terminal: what ``clean`` takes out is escaped, so that it can be asked for."""
    if path.isascii() and path.isprintable():
        return path
    from clawvault.vault.paths import hidden_sign

    return "".join(
        sign if clean(sign) == sign and not hidden_sign(sign) else sign.encode("unicode_escape").decode()
        for sign in path
    )


class Style:
    """What standard output can show: ``links`` that can be opened, and ``emphasis``."""

    def __init__(self, *, links: bool = False, emphasis: bool = False) -> None:
        self.links = links
        self.emphasis = emphasis

    def link(self, text: str, address: str) -> str:
        """Return text that opens an address, where that is possible (OSC 8)."""
        return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\" if self.links else text

    def strong(self, text: str) -> str:
        """Return emphasised text, where that is possible."""
        return f"{BOLD}{text}{PLAIN}" if self.emphasis else text


def is_terminal(stream: IO[str]) -> bool:
    """Say whether a stream shows its text to a person."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def knows_sequences() -> bool:
    """Say whether the console is of a kind that acts on escape sequences; old ones of Windows print them."""
    return sys.platform != "win32" or bool({"WT_SESSION", "TERM_PROGRAM", "ANSICON"} & set(os.environ))


def output_style() -> Style:
    """Return what standard output can show; ``NO_COLOR`` is honoured."""
    shown = is_terminal(sys.stdout) and knows_sequences()
    return Style(links=shown, emphasis=shown and not os.environ.get("NO_COLOR"))


def note_address(root: Path) -> Callable[[str, int], str]:
    """Return what makes the address of a note: Obsidian's when the vault is one of its, else a file with its line.

    Every character that an address could be ended or extended with is encoded (T23).
    """
    if (root / ".obsidian").is_dir():
        return lambda path, _: f"obsidian://open?path={quote(os.fsencode(root / path), safe='')}"
    return lambda path, line: f"{(root / path).as_uri()}#L{line}"


def emphasise(text: str, query: str, style: Style) -> str:
    """Emphasise the words of a question in a text, and words that begin like them."""
    if not style.emphasis:
        return text
    words = {word for word in re.findall(r"\w+", query.casefold()) if len(word) > 1 or not word.isascii()}
    if not words:
        return text
    latin = [re.escape(word) for word in words if word.isascii()]
    other = [re.escape(piece) for word in words if not word.isascii() for piece in _pieces(word)]
    patterns = ([rf"\b(?:{'|'.join(latin)})\w*"] if latin else []) + sorted(other, key=len, reverse=True)
    return re.sub("|".join(patterns), lambda found: style.strong(found.group()), text, flags=re.IGNORECASE)


def _pieces(word: str) -> list[str]:
    # Scripts without spaces are found by pairs of characters, so pairs are what may be emphasised.
    return [word, *(word[i : i + 2] for i in range(len(word) - 1))] if len(word) > 2 else [word]


def echo_json(value: Mapping[str, Any] | list[Any]) -> None:
    """Write one JSON value to standard output; characters the stream lacks are escaped, never replaced."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        text = json.dumps(value, ensure_ascii=True, indent=2)
    click.echo(text)


def warn(text: str) -> None:
    """Say something that is not the answer, on standard error."""
    click.echo(clean(text), err=True)
