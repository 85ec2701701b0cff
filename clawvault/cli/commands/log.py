"""``clawvault log``."""

from __future__ import annotations

import click

from clawvault.cli.giving import TextCommand, as_json_option, show_written, take_text
from clawvault.cli.place import Invocation


@click.command("log", cls=TextCommand)
@click.argument("text", nargs=-1)
@as_json_option
@click.pass_obj
def command(invocation: Invocation, text: tuple[str, ...], as_json: bool) -> None:
    """Put TEXT, or standard input, into today's note, with the time."""
    place = invocation.locate()
    entry = take_text(text)
    with place.open() as vault:
        show_written(vault.log(entry), as_json=as_json)
