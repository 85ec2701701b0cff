"""Text that is given to a command, and what it says when a note is written."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, Any

import click

from clawvault.cli.terminal import echo_json, is_terminal, show_path, warn
from clawvault.errors import ClawvaultError, UsageError

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
        if _is_something_piped():
            # No refusal: a command in a loop over lines has the rest of them on its standard input.
            warn("Standard input was not read, since there is a TEXT.")
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


def _is_something_piped() -> bool:
    """Say whether standard input holds a text already; one that may still come is not waited for."""
    try:
        descriptor = sys.stdin.fileno()
        seen = os.fstat(descriptor)
        if stat.S_ISREG(seen.st_mode):
            return seen.st_size > os.lseek(descriptor, 0, os.SEEK_CUR)
        return stat.S_ISFIFO(seen.st_mode) and _n_waiting(descriptor) > 0
    except (OSError, ValueError, AttributeError):
        return False  # there is no standard input


def _n_waiting(descriptor: int) -> int:
    """Return how many bytes a pipe holds, and take none of them; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import fcntl
    import termios

    held = fcntl.ioctl(descriptor, termios.FIONREAD, b"\0" * 4)
    return int.from_bytes(held, sys.byteorder)


class TextCommand(click.Command):
    """A command that takes any text: one that begins with a dash and a space is no option but the item of a list."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; see ``click.Command.parse_args``."""
        # No argument of a process can hold this sign, so nothing else can be taken for it.
        rest = super().parse_args(ctx, ["\0" + word if word.startswith("- ") else word for word in args])
        ctx.params = {name: _unmarked(value) for name, value in ctx.params.items()}
        return rest


def _unmarked(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_unmarked(word) for word in value)
    return value.removeprefix("\0") if isinstance(value, str) else value


def show_written(written: Written, *, as_json: bool) -> None:
    """Say what was done to a note, and what there is to know about it.

    Raises:
        ClawvaultError: The note is written, and there is no room to say so.
    """
    from clawvault.cli.endings import is_output_full, stop_writing

    try:
        _show_written(written, as_json=as_json)
    except OSError as error:
        if not is_output_full(error):
            raise
        stop_writing()
        raise ClawvaultError(
            "Written, but the answer could not be printed: there is no room where it goes.",
            f'Do not run it again; look at it with: clawvault read "{written.path}"',
        ) from error


def _show_written(written: Written, *, as_json: bool) -> None:
    if as_json:
        echo_json(written.to_dict())
        return
    lines = f"{written.line_start}" + (f"-{written.line_end}" if written.line_end > written.line_start else "")
    done = "Made" if written.created else "Changed" if written.changed else "Unchanged:"
    if written.removed:
        click.echo(f"{'Removed' if written.changed else 'Unchanged:'} {show_path(written.path)}.")
    else:
        click.echo(f"{done} {show_path(written.path)}, line {lines}.")
    for warning in written.warnings:
        warn(warning)


def split_place(place: str) -> tuple[str, int | None]:
    """Take ``PATH:LINE`` apart; the line is ``None`` where only a path is given."""
    path, colon, line = place.rpartition(":")
    return (path, int(line)) if colon and line.isascii() and line.isdecimal() else (place, None)
