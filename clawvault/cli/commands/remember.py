"""``clawvault remember``."""

from __future__ import annotations

import click

from clawvault.cli.giving import TextCommand, as_json_option, show_written, take_text
from clawvault.cli.place import Invocation


@click.command("remember", cls=TextCommand)
@click.argument("text", nargs=-1)
@click.option(
    "--category",
    metavar="NAME",
    help="preferences, decisions, people, projects, infrastructure, facts, or a topic of your own.",
)
@click.option("--insist", is_flag=True, help="Keep it although a line says nearly the same.")
@as_json_option
@click.pass_obj
def command(invocation: Invocation, text: tuple[str, ...], category: str | None, insist: bool, as_json: bool) -> None:
    """Keep one lasting fact: TEXT, or standard input, becomes a line of MEMORY.md or of a topic note."""
    place = invocation.locate()
    fact = take_text(text)
    with place.open() as vault:
        show_written(vault.remember(fact, category, even_if_similar=insist), as_json=as_json)
