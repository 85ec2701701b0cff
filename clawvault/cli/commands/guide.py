"""``clawvault guide``."""

from __future__ import annotations

import click

from clawvault.cli.place import Invocation
from clawvault.errors import NotFoundError


@click.command("guide")
@click.option("--read-only", is_flag=True, help="Leave out how to save.")
@click.pass_obj
def command(invocation: Invocation, read_only: bool) -> None:
    """Print what an agent should know to use this memory well: when to search, what to save, what to leave.

    Paste it where the agent's instructions are; the MCP server offers it as the prompt memory_guide.
    """
    from clawvault.agent.guide import render_guide

    try:
        prefix = invocation.locate().config.agent.tool_prefix
    except NotFoundError:
        prefix = ""
    click.echo(render_guide(prefix=prefix, read_only=read_only), nl=False)
