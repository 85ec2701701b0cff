"""``clawvault pin``."""

from __future__ import annotations

import click

from clawvault.cli.giving import as_json_option, show_written, split_place
from clawvault.cli.named import name_note
from clawvault.cli.place import Invocation


@click.command("pin")
@click.argument("place", metavar="PATH[:LINE]")
@click.option("--importance", type=click.IntRange(1, 10), help="Written in place of evergreen: true.")
@as_json_option
@click.pass_obj
def command(invocation: Invocation, place: str, importance: int | None, as_json: bool) -> None:
    """Keep a note from fading, or with LINE the passage this line stands in."""
    path, line = split_place(place)
    found = invocation.locate()
    named = name_note(found, path)
    with found.open() as vault:
        show_written(vault.pin(named, line, importance=importance), as_json=as_json)
