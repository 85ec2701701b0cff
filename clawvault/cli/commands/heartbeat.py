"""``clawvault heartbeat``."""

from __future__ import annotations

import click

from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, warn


@click.command("heartbeat")
@click.option("--json", "as_json", is_flag=True, help="As JSON, alone on standard output.")
@click.pass_obj
def command(invocation: Invocation, as_json: bool) -> None:
    """Show the open items of HEARTBEAT.md: what an agent that is woken without a question is to look at.

    Headings, comments, empty boxes and what is ticked off are nothing to do.
    """
    with invocation.locate().open() as vault:
        found = vault.heartbeat()
    if as_json:
        echo_json(found.to_dict())
        return
    for item in found.items:
        click.echo(f"- {clean(item)}")
    if found.n_flagged:
        warn(f"Lines left out, since a model may take them for an order: {found.n_flagged}.")
    if not found.has_work:
        warn("Nothing to do.")
