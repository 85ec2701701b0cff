"""``clawvault completion``."""

from __future__ import annotations

import click

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print a script that completes commands and options in a shell.

    \b
    bash:  eval "$(clawvault completion bash)"
    zsh:   eval "$(clawvault completion zsh)"
    fish:  clawvault completion fish | source
    """
    from click.shell_completion import get_completion_class

    from clawvault.cli.main import COMPLETE_VARIABLE, PROGRAM

    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"There is no completion for {shell}.")
    click.echo(found(context.find_root().command, {}, PROGRAM, COMPLETE_VARIABLE).source())
