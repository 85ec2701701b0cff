"""How a command ends: one error convention, and what happens to a fault of this program."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import click

from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean
from clawvault.errors import ClawvaultError

BUG = 70
INTERRUPTED = 130
# Commands that take any text.
QUESTIONING = frozenset({"search", "why"})
TAKING_TEXT = frozenset({"write", "append", "remember", "log", "forget", "set"})
# What else changes notes says itself that it did, where that cannot be printed.
WRITING = frozenset({"archive", "connect", "dream", "forget", "init"})
SEEN_WITH_UNDO = ' Whether anything was written before is seen with "clawvault undo".'
FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
BUG_FILE = "last-bug.txt"


def report_error(error: ClawvaultError) -> int:
    """Say on standard error what failed and what to do next; return the exit code."""
    click.echo(f"Error: {clean(error.message)}", err=True)
    if error.hint:
        click.echo(f"Hint: {clean(error.hint)}", err=True)
    return error.exit_code


def report_usage(error: click.ClickException) -> int:
    """Say what Click found wrong with the command line, and how a question may begin like an option."""
    error.show()
    command = error.ctx.info_name if isinstance(error, click.NoSuchOption) and error.ctx else None
    if command in QUESTIONING:
        click.echo('Hint: to search for text that begins with "-", put "--" before it.', err=True)
    elif command in TAKING_TEXT:
        click.echo('Hint: to give a text that begins with "-", put "--" before it.', err=True)
    return error.exit_code


def report_os_error(error: OSError, invocation: Invocation) -> int:
    """Tell a full disk, whoever's it is, from a fault of this program; return the exit code."""
    if error.errno not in FULL:
        report_bug(error, invocation)
        return BUG
    is_of_output = is_output_full(error)
    stop_writing()
    if is_of_output:
        return report_error(
            ClawvaultError(
                "The answer could not be printed: there is no room where it goes.",
                f"Send it elsewhere.{SEEN_WITH_UNDO if invocation.command in WRITING else ''}",
            )
        )
    return report_error(ClawvaultError("The disk is full: what was to be written is lost.", "Make room and try again."))


def is_output_full(error: OSError) -> bool:
    """Say whether what has no room is an answer that is printed, no note: only the command line prints."""
    if error.errno not in FULL or error.filename is not None:
        return False
    # A second try tells nothing: what could not be printed is gone from the buffer.
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    name = "" if at is None else str(at.tb_frame.f_globals.get("__name__", ""))
    return name == "click.utils" or name.startswith("clawvault.cli.")


def open_missing_streams() -> None:
    """Give a process that was started without its standard streams somewhere to read from and write to.

    No other part need know that there may be none. In this order each gets the number that it has in any process.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for as long as the process lives


def report_bug(error: Exception, invocation: Invocation) -> None:
    """Say in one line that this program is at fault, and keep the traceback where a report can take it from."""
    import traceback

    trace = "".join(traceback.format_exception(error))
    if invocation.debug:
        click.echo(trace, err=True)
    place = _keep(trace, invocation)
    said = " ".join(str(error).split())[:200]
    click.echo(f"Bug: {type(error).__name__}{f': {clean(said)}' if said else ''}", err=True)
    kept = f'the traceback is in "{place}"' if place else "run it again with --debug to see the traceback"
    click.echo(f"Hint: please report this; {kept}.", err=True)


def _keep(trace: str, invocation: Invocation) -> Path | None:
    from clawvault.vault.private_file import write_private_file

    try:
        path = invocation.state_base() / BUG_FILE
        write_private_file(path, trace.encode("utf-8", "backslashreplace"))
    except (OSError, ClawvaultError):
        return None
    return path


def stop_writing() -> int:
    """End quietly when the reader of a pipe has what it wanted (F36); return the exit code."""
    # The interpreter flushes standard output once more when it ends, and would complain then.
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return 0
    return 0
