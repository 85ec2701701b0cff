"""``clawvault search``."""

from __future__ import annotations

from typing import Any

import click

from clawvault.cli.hits import render_hits
from clawvault.cli.place import Invocation, Place, ask_daemon
from clawvault.cli.terminal import echo_json, note_address, output_style, warn

# A daemon waits for the index for a second and for a loading model for fifteen; a person who asked for --sync waits.
ANSWER_S = 30.0
ANSWER_SYNCED_S = 120.0


@click.command("search")
@click.argument("query")
@click.option("-n", "--limit", type=int, help="The most hits, 1 to 1000.")
@click.option("--mode", type=click.Choice(["hybrid", "fts", "vector"]), default="hybrid", show_default=True)
@click.option("--fusion", type=click.Choice(["score", "rrf", "weighted", "adaptive"]), help="How lanes are joined.")
@click.option("--since", metavar="DATE", help="First day, YYYY-MM-DD.")
@click.option("--until", metavar="DATE", help="Last day, inclusive.")
@click.option("--on", "day", metavar="DATE", help="That day alone.")
@click.option("--path", metavar="GLOB", help="Only notes whose path matches, or below a folder.")
@click.option("--tag", help="Only notes with this tag or one below it.")
@click.option("--kind", type=click.Choice(["dated", "evergreen"]))
@click.option("--group", type=click.Choice(["chunk", "note"]), default="chunk", help="note: the best hit of each note.")
@click.option("--full", is_flag=True, help="Show whole passages with line numbers.")
@click.option("--explain", is_flag=True, help="Show what each lane said and how each score came about.")
@click.option("--sync", is_flag=True, help="Bring the index up to date first, however long that takes.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON, alone on standard output.")
@click.pass_obj
def command(
    invocation: Invocation, /, limit: int | None, day: str | None, full: bool, as_json: bool, **fields: Any
) -> None:
    """Find passages by word and by meaning."""
    if day is not None:
        if fields["since"] or fields["until"]:
            raise click.UsageError("--on stands alone, without --since and --until.")
        fields["since"] = fields["until"] = day
    place = invocation.locate()
    request = {**fields, "limit": place.config.search.limit if limit is None else limit}
    result = _ask(place, request)
    for problem in _problems(result):
        warn(problem)
    if as_json:
        echo_json(result)
        return
    if not result["hits"]:
        warn("No hits.")
        return
    text = render_hits(result, output_style(), note_address(place.root), full=full, explain=bool(fields["explain"]))
    click.echo(text)


def _ask(place: Place, request: dict[str, Any]) -> dict[str, Any]:
    """Ask the daemon, or answer in this process when there is none that can."""
    from clawvault.daemon.transport import SilentDaemonError

    problem = ""
    try:
        seconds = ANSWER_SYNCED_S if request["sync"] else ANSWER_S
        answer = ask_daemon(place.state, {"op": "search", "request": request}, seconds)
        if answer is not None and isinstance(answer.get("result"), dict):
            return answer["result"]  # type: ignore[return-value]
    except SilentDaemonError as error:
        problem = f"{error.message} This process answered instead."
    with place.open() as vault:
        query = request.pop("query")
        result = vault.search(query, **request).to_dict()
    return {**result, "degraded": [*result["degraded"], problem]} if problem else result


def _problems(result: dict[str, Any]) -> list[str]:
    problems = [f"Degraded: {problem}" for problem in result["degraded"]]
    if result["stale"]:
        problems.append("Stale: the index is behind the notes; --sync waits until it is not.")
    return problems
