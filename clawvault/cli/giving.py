"""Text that is given to a command, and what it says when a note is written."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clawvault.cli.terminal import clean, echo_json, is_terminal, warn
from clawvault.errors import UsageError

if TYPE_CHECKING:
    from clawvault.keeping.means import Written

MAX_INPUT_BYTES = 50_000_000
as_json_option = click.option(
    "--json", "as_json", is_flag=True, help="What was done as JSON, alone on standard output."
)


def take_text(words: tuple[str, ...]) -> str:
    """Return the text that words make, or standard input where there are none, or only ``-``.

    Raises:
        UsageError: Standard input is no UTF-8, or a terminal where nobody would know to type.
    """
    if words and words != ("-",):
        return " ".join(words)
    if not words and is_terminal(sys.stdin):
        raise UsageError("There is no text.", "Give it as an argument, or through a pipe.")
    data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if len(data) > MAX_INPUT_BYTES:
        raise UsageError(f"The text is longer than {MAX_INPUT_BYTES} bytes.", "Split it into several notes.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"The text is not UTF-8 (byte {error.start}).", "Convert it first.") from error


def show_written(written: Written, *, as_json: bool) -> None:
    """Say what was done to a note, and what there is to know about it."""
    if as_json:
        echo_json(written.to_dict())
        return
    lines = f"{written.line_start}" + (f"-{written.line_end}" if written.line_end > written.line_start else "")
    done = "Made" if written.created else "Changed" if written.changed else "Unchanged:"
    click.echo(f"{done} {clean(written.path)}, line {lines}.")
    for warning in written.warnings:
        warn(warning)


def split_place(place: str) -> tuple[str, int | None]:
    """Take ``PATH:LINE`` apart; the line is ``None`` where only a path is given."""
    path, colon, line = place.rpartition(":")
    return (path, int(line)) if colon and line.isascii() and line.isdecimal() else (place, None)
