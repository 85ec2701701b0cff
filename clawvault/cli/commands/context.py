"""``clawvault context``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from clawvault.cli.place import Invocation, Place
from clawvault.cli.terminal import clean, echo_json, is_terminal, warn

if TYPE_CHECKING:
    from clawvault.context.given import Context
    from clawvault.context.lanes import LaneAnswer

LEAST_BUDGET = 1_000


@click.command("context")
@click.option("--query", default="", metavar="TEXT", help="What the conversation is about: adds up to 8 passages.")
@click.option("--budget", type=int, metavar="BYTES", help="The most bytes; see context.budget_bytes.")
@click.option("--size", "by_size", is_flag=True, help="Show what each part costs, in place of the text.")
@click.option("--group", is_flag=True, help="Others read along: leave out MEMORY.md, daily notes and topics.")
@click.option("--lane", type=click.Choice(["long", "short"]), help="What a host asks for at each turn, in pieces.")
@click.option("--thread", metavar="ID", help="The recorded conversation that the short lane is about.")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, alone on standard output.")
@click.pass_obj
def command(
    invocation: Invocation,
    query: str,
    budget: int | None,
    by_size: bool,
    group: bool,
    lane: str | None,
    thread: str | None,
    as_json: bool,
) -> None:
    """Print what an agent should be given at the start of a conversation, as Markdown.

    AGENTS, SOUL, USER, IDENTITY, MEMORY, the notes of today and yesterday, then passages for --query. With --lane long:
    the beginning of MEMORY.md and hits for --query; with --lane short: hits in the conversation --thread alone.
    """
    lane = lane or ("short" if thread else None)
    if lane and (by_size or group or budget is not None):
        raise click.UsageError("--lane and --thread stand without --size, --group and --budget.")
    if thread and lane == "long":
        raise click.UsageError("--thread is about the short lane.")
    if lane == "short" and not thread:
        raise click.UsageError("--lane short is about one recorded conversation: name it with --thread.")
    if budget is not None and budget < LEAST_BUDGET:
        raise click.UsageError(f"--budget is {LEAST_BUDGET:,} bytes or more: in less, notes are only fragments.")
    place = invocation.locate()
    with place.open() as vault:
        ask = _asking(place)
        if lane == "long":
            _show_lane(vault.read_long_term(query, ask=ask), as_json=as_json)
        elif lane:
            _show_lane(vault.read_short_term(thread, query, ask=ask), as_json=as_json)
        else:
            _show(vault.context(query, budget_bytes=budget, group=group, ask=ask), by_size=by_size, as_json=as_json)


def _asking(place: Place) -> Callable[[dict[str, Any]], dict[str, Any]]:
    from clawvault.cli.asking import ask_somebody

    def ask(fields: dict[str, Any]) -> dict[str, Any]:
        return ask_somebody(
            place,
            {"op": "search", "request": fields},
            field="result",
            here=lambda vault, progress: vault.search(progress=progress, **fields).to_dict(),
        )

    return ask


def _show(given: Context, *, by_size: bool, as_json: bool) -> None:
    for said in (*given.notes, *(f"Degraded: {problem}" for problem in given.degraded)):
        warn(said)
    if given.changed_outside:
        warn(f"Hint: when you have looked at it: clawvault accept {' '.join(given.changed_outside)}")
    if as_json:
        echo_json(given.to_dict())
    elif by_size:
        click.echo(_sizes(given))
    else:
        _print(given.text)


def _show_lane(answer: LaneAnswer, *, as_json: bool) -> None:
    from clawvault.context.assembling import read_on_by_command
    from clawvault.context.lanes import render_lane

    for said in (*answer.left_out, *(f"Degraded: {problem}" for problem in answer.degraded)):
        warn(said)
    if as_json:
        echo_json(answer.to_dict())
    else:
        _print(render_lane(answer, read_on_by_command))


def _print(text: str) -> None:
    if is_terminal(sys.stdout):
        click.echo(clean(text, keep_lines=True), nl=False)
    else:
        # In a pipe it has the bytes that were counted, whatever the platform makes of line ends and characters.
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))


def _sizes(given: Context) -> str:
    values = given.to_dict()
    rows = [("", "bytes", "tokens", "share", "")]
    rows += [
        (part.path or part.name, f"{part.n_bytes}", f"{part.n_tokens}", f"{part.share_bytes}", _said(part))
        for part in given.parts
    ]
    around = values["bytes"] - sum(part.n_bytes for part in given.parts)
    rows.append(("what is said above", f"{around}", "", "", ""))
    rows.append(("together", f"{values['bytes']}", f"{values['tokens']}", f"{given.budget_bytes}", ""))
    width = max(len(clean(row[0])) for row in rows)
    lines = [f"{clean(row[0]):<{width}}  {row[1]:>7}  {row[2]:>7}  {row[3]:>7}  {row[4]}".rstrip() for row in rows]
    return "\n".join(lines)


def _said(part: Any) -> str:
    cut = f"cut after line {part.line_end} of {part.n_lines}" if part.line_end else "cut"
    said = [cut] if part.truncated else []
    if part.outside_edit:
        said.append(f"{part.outside_edit} outside clawvault")
    if part.n_flagged:
        said.append(f"{part.n_flagged} left out, may steer a model")
    if part.n_secrets:
        said.append(f"{part.n_secrets} secrets masked")
    return "; ".join(said)
