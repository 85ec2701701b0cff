"""``clawvault patch``."""

from __future__ import annotations

import click

from clawvault.cli.giving import TextCommand, as_json_option, show_written
from clawvault.cli.named import name_note
from clawvault.cli.place import Invocation


@click.command("patch", cls=TextCommand)
@click.argument("path")
@click.option("--old", required=True, metavar="TEXT", help="What stands there, exactly, and once.")
@click.option("--new", required=True, metavar="TEXT", help="What shall stand there.")
@click.option("--all", "replace_all", is_flag=True, help="Replace it wherever it stands.")
@click.option("--allow-delete", is_flag=True, help="The new text may be empty.")
@as_json_option
@click.pass_obj
def command(
    invocation: Invocation, path: str, old: str, new: str, replace_all: bool, allow_delete: bool, as_json: bool
) -> None:
    """Put one text of a note in the place of another; all else stays."""
    place = invocation.locate()
    named = name_note(place, path)
    with place.open() as vault:
        written = vault.patch(named, old, new, replace_all=replace_all, allow_delete=allow_delete, by_person=True)
    show_written(written, as_json=as_json)
