"""``clawvault unpin``."""

from __future__ import annotations

import click

from clawvault.cli.giving import as_json_option, show_written, split_place
from clawvault.cli.named import name_note
from clawvault.cli.place import Invocation


@click.command("unpin")
@click.argument("place", metavar="PATH[:LINE]")
@as_json_option
@click.pass_obj
def command(invocation: Invocation, place: str, as_json: bool) -> None:
    """Let a note fade again, or with LINE the passage this line stands in."""
    path, line = split_place(place)
    found = invocation.locate()
    named = name_note(found, path)
    with found.open() as vault:
        show_written(vault.unpin(named, line), as_json=as_json)
