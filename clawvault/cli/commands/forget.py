"""``clawvault forget``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clawvault.cli.giving import TextCommand, as_json_option, take_text
from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, is_terminal, show_path, warn
from clawvault.errors import UsageError

if TYPE_CHECKING:
    from clawvault.keeping.forgetting import Forgotten


@click.command("forget", cls=TextCommand)
@click.argument("text", nargs=-1)
@click.option("--yes", is_flag=True, help="Remove without asking.")
@click.option("--dry-run", is_flag=True, help="Show what would go, and remove nothing.")
@as_json_option
@click.pass_obj
def command(invocation: Invocation, text: tuple[str, ...], yes: bool, dry_run: bool, as_json: bool) -> None:
    """Remove every line that says TEXT, after it was shown; an undo copy is kept.

    TEXT is whole words and numbers; the item of a list goes with all that belongs to it.
    """
    place = invocation.locate()
    wanted = take_text(text)
    with place.open() as vault:
        plan = vault.forget(wanted, dry_run=True)
        if not as_json:
            _show(plan)
        if plan.going and not dry_run and (yes or _agrees(len(plan.going))):
            plan = vault.forget(wanted, shown=plan.going)
            if not as_json:
                click.echo(f"Removed {_count(len(plan.going))}.")
    if as_json:
        echo_json(plan.to_dict())
    for warning in plan.warnings:
        warn(warning)


def _show(plan: Forgotten) -> None:
    for line in plan.going:
        click.echo(f"{show_path(line.path)}:{line.line}: {clean(line.text)}")
    for line in plan.lines:
        if line.kept:
            warn(f"Stays: {show_path(line.path)}:{line.line} ({line.kept})")
    if not plan.going:
        warn("No line says that.")
    elif plan.n_more:
        warn(f"{_count(plan.n_more)} of these would take more than that text.")


def _agrees(n_lines: int) -> bool:
    if not is_terminal(sys.stdin):
        raise UsageError("Nobody is there to agree.", "Pass --yes to remove these lines, or --dry-run to see them.")
    return click.confirm(f"Remove {_count(n_lines)}?", err=True)


def _count(n_lines: int) -> str:
    return f"{n_lines} line{'s' if n_lines != 1 else ''}"
