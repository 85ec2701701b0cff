"""``clawvault lint``."""

from __future__ import annotations

import click

from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, show_path, warn

TO_MEND = 1


@click.command("lint")
@click.option("--json", "as_json", is_flag=True, help="The findings as JSON, alone on standard output.")
@click.pass_obj
def command(invocation: Invocation, as_json: bool) -> int:
    """Say what keeps the long-term memory note from being a briefing, and what to do about it.

    Exit code 1 means that something is to be mended; advice alone is 0.
    """
    with invocation.locate().open() as vault:
        linted = vault.lint()
    if as_json:
        echo_json(linted.to_dict())
        return TO_MEND if linted.n_mend else 0
    for item in linted.findings:
        lines = f"{item.line_start}" + (f"-{item.line_end}" if item.line_end > item.line_start else "")
        click.echo(f"{show_path(linted.path)}:{lines}: {item.severity}: {clean(item.message)} [{item.code}]")
        click.echo(f"    {clean(item.advice)}")
    n_findings = len(linted.findings)
    found = f"{n_findings or 'no'} finding{'' if n_findings == 1 else 's'}"
    warn(f"{show_path(linted.path)}: {linted.n_bytes} bytes, {found}.")
    return TO_MEND if linted.n_mend else 0
