"""``clawvault write``."""

from __future__ import annotations

import click

from clawvault.cli.giving import TextCommand, as_json_option, show_written, take_text
from clawvault.cli.named import name_note
from clawvault.cli.place import Invocation


@click.command("write", cls=TextCommand)
@click.argument("path")
@click.argument("text", nargs=-1)
@click.option("--expect", metavar="HASH", help="Replace the note if it still has this hash; see read --json.")
@as_json_option
@click.pass_obj
def command(invocation: Invocation, path: str, text: tuple[str, ...], expect: str | None, as_json: bool) -> None:
    """Make a note, or replace one with --expect; TEXT or standard input is the whole note.

    PATH is relative to the vault, or memory, daily_log or heartbeat.
    """
    place = invocation.locate()
    named = name_note(place, path)
    content = take_text(text)
    with place.open() as vault:
        show_written(vault.write(named, content, expected_hash=expect, by_person=True), as_json=as_json)
