"""``clawvault doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, warn

if TYPE_CHECKING:
    from clawvault.doctor.findings import Finding

SHOWN_DETAILS = 20


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Mend what can be mended: a damaged index, permissions, leftover files.")
@click.option("--json", "as_json", is_flag=True, help="The findings as JSON, alone on standard output.")
@click.pass_obj
def command(invocation: Invocation, fix: bool, as_json: bool) -> int:
    """Look over the vault, its index and this machine. Ends with 1 when something does not work."""
    place = invocation.locate()
    from clawvault.doctor.examining import examine, mend
    from clawvault.doctor.findings import FAIL

    with place.open() as vault:
        done = mend(vault) if fix else []
        findings = examine(vault)
    for line in done:
        warn(line)
    if as_json:
        echo_json({"findings": [finding.to_dict() for finding in findings], "mended": done})
    else:
        for finding in findings:
            click.echo(_render(finding))
    return int(any(finding.level == FAIL for finding in findings))


def _render(finding: Finding) -> str:
    lines = [f"{finding.level:<5} {finding.check:<12} {clean(finding.message)}"]
    lines += [f"{'':<19}{clean(detail)}" for detail in finding.details[:SHOWN_DETAILS]]
    if len(finding.details) > SHOWN_DETAILS:
        lines.append(f"{'':<19}and {len(finding.details) - SHOWN_DETAILS} more; --json lists all")
    if finding.hint:
        lines.append(f"{'':<19}→ {clean(finding.hint)}")
    return "\n".join(lines)
