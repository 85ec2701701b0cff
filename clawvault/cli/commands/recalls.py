"""``clawvault recalls``."""

from __future__ import annotations

import click

from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, warn


@click.command("recalls")
@click.argument("path")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, alone on standard output.")
@click.pass_obj
def command(invocation: Invocation, path: str, as_json: bool) -> None:
    """Show how often each statement of the daily note PATH was found, on how many days and by how many questions."""
    with invocation.locate().open() as vault:
        found = vault.recalls(path)
    if as_json:
        echo_json(found)
        return
    for item in found:
        text = item["text"] or "(no longer there)"
        click.echo(f"{item['line']:>5}  {clean(text)}")
        click.echo(
            f"       {_count(item['recalls'], 'recall')}, {_count(item['queries'], 'question')}, "
            f"{_count(len(item['days']), 'day')}, last {item['days'][-1]}, mean score {item['mean_score']:.2f}"
        )
    if not found:
        warn("No search found a statement of this note yet; only daily notes are counted.")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
