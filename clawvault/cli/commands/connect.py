"""``clawvault connect``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, is_terminal, warn
from clawvault.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from clawvault.agent.connecting.agents import Plan
    from clawvault.agent.connecting.applying import FileChange

AGENTS = ("claude-code", "codex", "cursor", "openclaw", "generic")


@click.command("connect")
@click.argument("agent", type=click.Choice(AGENTS))
@click.option(
    "--scope", type=click.Choice(["project", "user"]), help="This project, or all of yours; else what is usual there."
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    help="The project; else the present folder.",
)
@click.option("--read-only", is_flag=True, help="Offer only tools that leave the vault as it is.")
@click.option("--no-hooks", is_flag=True, help="Leave out what runs when conversations begin and end.")
@click.option("--undo", is_flag=True, help="Take it back.")
@click.option("--print", "--dry-run", "dry_run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--yes", is_flag=True, help="Change it without asking.")
@click.pass_obj
def command(
    invocation: Invocation,
    agent: str,
    scope: str | None,
    folder: Path,
    read_only: bool,
    no_hooks: bool,
    undo: bool,
    dry_run: bool,
    yes: bool,
) -> int:
    """Tell an agent of this vault in its own configuration; the changes are shown first.

    It gets the MCP server, instructions when to use it, and where it can, hooks that run clawvault context when a
    conversation begins and clawvault index when it ends. For openclaw a workspace that is no vault yet is adopted as it
    is: MEMORY.md and memory/ stay where they are.
    """
    if agent == "openclaw":
        _adopt_workspace(invocation, dry_run, yes)
    place = invocation.locate()
    from clawvault.agent.connecting.agents import Wish, find_program, plan_connection
    from clawvault.agent.connecting.applying import apply_changes, plan_changes, plan_undo, undo_changes

    wish = Wish(
        root=place.root,
        folder=folder.absolute(),
        home=Path.home(),
        environment=os.environ,
        program=find_program(),
        scope=scope or "",
        read_only=read_only,
        hooks=not no_hooks,
        prefix=place.config.agent.tool_prefix,
    )
    plan = plan_connection(agent, wish)
    changes = plan_undo(plan, place.state) if undo else plan_changes(plan, place.state)
    if not _is_agreed(changes, plan, dry_run=dry_run, yes=yes, undo=undo):
        return 0
    if undo:
        _say_former(changes, plan, place.state)
        undo_changes(changes, plan, place.state)
    else:
        apply_changes(changes, plan, place.state)
    for change in changes:
        click.echo(f"{'Removed' if change.after is None else 'Wrote'} {clean(str(change.path))}")
    if not undo:
        _say(plan)
    return 0


def _is_agreed(changes: list[FileChange], plan: Plan, *, dry_run: bool, yes: bool, undo: bool) -> bool:
    """Show the changes and ask, unless there is nothing to ask."""
    from clawvault.agent.connecting.applying import render_diff

    if changes:
        click.echo(clean(render_diff(changes), keep_lines=True), nl=False)
    elif plan.files:
        warn("There is nothing to take back." if undo else "It is connected already.")
    if dry_run or not changes:
        if not undo:
            _say(plan)
        return False
    return yes or _ask("Change these files?")


def _say_former(changes: list[FileChange], plan: Plan, state: Path) -> None:
    """Say what becomes of the connection to another vault that this one took the place of."""
    from clawvault.agent.connecting.applying import find_former, find_lost

    former, lost = find_former(changes, plan), find_lost(changes, plan, state)
    if former:
        warn(f'The agent is connected to "{former}" again.')
    elif lost:
        warn(f'It was connected to "{lost}" before. That does not come back, as a file was changed; connect it anew.')


def _ask(question: str) -> bool:
    if not is_terminal(sys.stdin):
        raise UsageError("Nothing is changed without a yes.", "Look at it with --print, then run it with --yes.")
    return click.confirm(question, err=True)


def _say(plan: Plan) -> None:
    for text in plan.said:
        click.echo(clean(text, keep_lines=True))


def _adopt_workspace(invocation: Invocation, dry_run: bool, yes: bool) -> None:
    """Make a vault of an OpenClaw workspace; its notes stay where they are."""
    try:
        invocation.locate()
    except NotFoundError:
        named = invocation.vault or os.environ.get("CLAWVAULT_VAULT")
        folder = Path(named) if named else _find_workspace()
        if folder is None or not folder.is_dir():
            raise
    else:
        return
    root = folder.absolute()
    warn(f'"{root}" becomes a vault: .clawvault gets its settings and an id, and no note is moved or changed.')
    if dry_run:
        raise UsageError(f'"{root}" is no vault yet.', f'Run "clawvault init {root}" first to see the rest.')
    if not yes and not _ask("Adopt it?"):
        raise click.Abort
    from clawvault.vault.local_time import machine_now
    from clawvault.vault.template import seed_vault

    seed_vault(root, language=None, model=None, locale_language="", today=machine_now().date())
    invocation.vault = str(root)


def _find_workspace() -> Path | None:
    here = Path.cwd()
    if (here / "MEMORY.md").is_file() or (here / "memory").is_dir():
        return here
    usual = Path.home() / ".openclaw" / "workspace"
    return usual if usual.is_dir() else None
