"""``clawvault dream``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawvault.cli.at_risk import show_at_risk
from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, show_path, warn
from clawvault.errors import ConflictError

if TYPE_CHECKING:
    from clawvault.api import Vault
    from clawvault.dream.scoring.candidates import Candidate
    from clawvault.dream.telling.outcome import Dream

SHOWN = 20


@click.command("dream")
@click.argument("verb", metavar="[undo]", required=False, type=click.Choice(["undo"]))
@click.option("--apply", "apply", is_flag=True, help="Write what passes into MEMORY.md.")
@click.option("--accept", multiple=True, metavar="KEY", help="Let this candidate pass whatever its numbers are.")
@click.option("--explain", metavar="KEY", help="Show every signal and every gate of one candidate.")
@click.option("--at-risk", is_flag=True, help="Show old notes that hold something lasting, to pin them.")
@click.option("--report", metavar="FILE.html", type=click.Path(dir_okay=False, path_type=Path), help="Draw a page.")
@click.option("--all", "show_all", is_flag=True, help="Show all candidates, not only the first 20.")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, alone on standard output.")
@click.pass_obj
def command(
    invocation: Invocation,
    verb: str | None,
    apply: bool,
    accept: tuple[str, ...],
    explain: str | None,
    at_risk: bool,
    report: Path | None,
    show_all: bool,
    as_json: bool,
) -> None:
    """Show which statements of daily notes deserve to stay, or with --apply write them into MEMORY.md.

    What is found again and again, on several days and by several questions, passes. "dream undo" takes the last
    writing back.
    """
    if verb and (apply or accept or explain):
        raise click.UsageError("undo stands alone.")
    if (at_risk or report) and (verb or apply or accept or explain or (at_risk and report)):
        raise click.UsageError("--at-risk and --report stand alone.")
    with invocation.locate().open() as vault:
        if at_risk:
            show_at_risk(vault, as_json=as_json)
            return
        if report:
            vault.write_report(report)
            click.echo(f"Wrote {clean(str(report))}.")
            return
        if verb:
            _undo(vault, as_json=as_json)
            return
        keys = [vault.dreamer.look().find(key).key for key in accept]
        if explain:
            item = vault.dreamer.look(accept=keys).find(explain)
            echo_json(item.to_dict()) if as_json else click.echo(_explain(item))
            return
        dream = vault.dream(apply=apply, accept=keys, most_failing=None if as_json or show_all else SHOWN)
    if as_json:
        echo_json(dream.to_dict())
    else:
        _show(dream, applied=apply, shown=len(dream.candidates) if show_all else SHOWN)
    for warning in dream.warnings:
        warn(warning)
    if dream.waiting:
        raise ConflictError(f"Nothing was written: {dream.waiting}.", "Try again in a minute.")


def _undo(vault: Vault, *, as_json: bool) -> None:
    record = vault.dream_undo()
    if as_json:
        echo_json(asdict(record))
        return
    for note in record.notes:
        click.echo(f"Took {_count(len(note.lines), 'line')} out of {show_path(note.path)}.")
    click.echo(f"What was promoted at {record.at[:16].replace('T', ' ')} does not come again by itself.")


def _show(dream: Dream, *, applied: bool, shown: int) -> None:
    for entry, into in dream.promoted:
        click.echo(f"Kept in {clean(into)}: {clean(entry.text)}")
    passing = [item for item in dream.candidates if item.passes]
    if not applied and passing:
        click.echo("Would be kept:")
        for item in passing:
            click.echo(_line(item))
    others = [item for item in dream.candidates if not item.passes]
    if others:
        click.echo("Not kept:")
        for item in others[:shown]:
            click.echo(_line(item))
            click.echo(f"          {'; '.join(_said(item))}")
        n_more = len(others[shown:]) + dream.n_more
        if n_more:
            click.echo(f"and {n_more} more; --all shows them")
    if not dream.candidates:
        warn("No search found a statement of a daily note yet.")
    elif not applied and passing:
        warn("Write it with: clawvault dream --apply")


def _line(item: Candidate) -> str:
    place = f"{item.path}:{item.line_start}"
    return f"  {item.key[:8]}  {item.score.best:.2f}  {clean(item.text) or '(no longer there)'}  ({clean(place)})"


def _said(item: Candidate) -> list[str]:
    return [clean(f"{code}: {item.details.get(code) or _reasons()[code]}") for code in item.reasons]


def _reasons() -> dict[str, str]:
    from clawvault.dream.scoring.candidates import REASONS

    return REASONS


def _explain(item: Candidate) -> str:
    values: dict[str, Any] = item.to_dict()
    rows = [clean(item.text) or "(no longer there)", f"  key {item.key}, {show_path(item.path)}:{item.line_start}", ""]
    for name, weight in values["weights"].items():
        signal = values["signals"][name]
        rows.append(f"  {name:<14} {signal:.3f} x {weight:.2f} = {signal * weight:.3f}")
    rows.append(f"  {'total':<14} {values['total']:.3f}")
    if values["rare"] is not None:
        rows.append(f"  {'without counts':<14} {values['rare']:.3f}  (two recalls at least 21 days apart)")
    failed = set(item.reasons)
    rows += ["", *(_gate(name, had, name in failed) for name, had in _had(item).items())]
    rows += [clean(f"  {said}") for said in _said(item)] or ["  Nothing speaks against it."]
    return "\n".join(rows)


def _had(item: Candidate) -> dict[str, str]:
    trace = item.trace
    return {
        "score": f"{item.score.best:.3f}",
        "recalls": f"{trace.recalls}",
        "queries": f"{len(trace.queries)}",
        "days": f"{len(trace.days)}",
        "too_old": f"last found {trace.days[-1].isoformat()}",
    }


def _gate(name: str, had: str, is_failed: bool) -> str:
    return f"  {name:<14} {had:<24} {'not passed' if is_failed else 'passed'}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
