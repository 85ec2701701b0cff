"""``clawvault read``."""

from __future__ import annotations

import re
import sys

import click

from clawvault.cli.named import name_note
from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, is_terminal

RANGE = re.compile(r"(?P<first>\d{1,9})(?P<colon>:(?P<last>\d{1,9})?)?")


def parse_range(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, int | None]:
    """Turn ``A:B``, ``A:`` or ``A`` into first and last line; ``None`` is the end of the note."""
    if value is None:
        return 1, None
    found = RANGE.fullmatch(value)
    if found is None:
        raise click.BadParameter(f'"{value}" is not a range of lines; write 3:7, 3: or 3.', context, parameter)
    first = int(found["first"])
    if not found["colon"]:
        return first, first
    return first, int(found["last"]) if found["last"] else None


@click.command("read")
@click.argument("path")
@click.option("--lines", metavar="A:B", callback=parse_range, help="Lines A to B, 1-based and inclusive.")
@click.option("--json", "as_json", is_flag=True, help="Text, lines and hash as JSON, alone on standard output.")
@click.pass_obj
def command(invocation: Invocation, path: str, lines: tuple[int, int | None], as_json: bool) -> None:
    """Show a note, or a range of its lines."""
    place = invocation.locate()
    named = name_note(place, path)
    with place.open() as vault:
        found = vault.read(named, *lines)
    if as_json:
        echo_json(found.to_dict())
    elif is_terminal(sys.stdout):
        click.echo(clean(found.text, keep_lines=True), nl=not found.text.endswith("\n"))
    else:
        # In a pipe the note is what it is on disk, whatever the platform makes of line ends and characters.
        sys.stdout.buffer.write(found.text.encode("utf-8", "surrogatepass"))
