"""``clawvault undo``."""

from __future__ import annotations

import click

from clawvault.cli.giving import as_json_option, show_written
from clawvault.cli.place import Invocation
from clawvault.cli.terminal import echo_json, show_path, warn


@click.command("undo")
@click.argument("identity", metavar="[ID]", required=False)
@click.option("--last", is_flag=True, help="Take back the newest change that stands; again, the one before it.")
@click.option("--force", is_flag=True, help="Also when the note was changed since.")
@as_json_option
@click.pass_obj
def command(invocation: Invocation, identity: str | None, last: bool, force: bool, as_json: bool) -> None:
    """List the changes that can be taken back, or take back the one with ID."""
    place = invocation.locate()
    with place.open() as vault:
        if identity or last:
            show_written(vault.undo(identity, force=force), as_json=as_json)
            return
        copies = vault.undo_list()
    if as_json:
        echo_json([copy._asdict() for copy in copies])
        return
    from clawvault.cli.times import show_moment
    from clawvault.keeping.undoing import taken_back

    undone = taken_back(copies)
    for copy in copies:
        made = "  (taken back)" if copy.id in undone else "" if copy.existed else "  (made the note)"
        click.echo(f"{copy.id}  {show_moment(copy.at, place.config)}  {copy.operation:<9} {show_path(copy.path)}{made}")
    if not copies:
        warn("There is nothing to undo.")
