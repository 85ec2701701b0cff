"""``clawvault append``."""

from __future__ import annotations

import click

from clawvault.cli.giving import TextCommand, as_json_option, show_written, take_text
from clawvault.cli.named import name_note
from clawvault.cli.place import Invocation


@click.command("append", cls=TextCommand)
@click.argument("path")
@click.argument("text", nargs=-1)
@as_json_option
@click.pass_obj
def command(invocation: Invocation, path: str, text: tuple[str, ...], as_json: bool) -> None:
    """Put TEXT, or standard input, at the end of a note; it is made when missing.

    PATH is relative to the vault, or memory, daily_log or heartbeat.
    """
    place = invocation.locate()
    named = name_note(place, path)
    entry = take_text(text)
    with place.open() as vault:
        show_written(vault.append(named, entry, by_person=True), as_json=as_json)
