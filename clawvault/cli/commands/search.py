"""``clawvault search``."""

from __future__ import annotations

from datetime import date
from typing import Any

import click

from clawvault.cli.asking import ask_somebody, join_words
from clawvault.cli.hits import describe_time, render_hits
from clawvault.cli.place import Invocation
from clawvault.cli.terminal import echo_json, note_address, output_style, warn
from clawvault.cli.timings import Timings
from clawvault.errors import UsageError


@click.command("search")
@click.argument("words", metavar="QUERY...", nargs=-1, required=True)
@click.option("-n", "--limit", type=int, help="The most hits, 1 to 1000.")
@click.option("--mode", type=click.Choice(["hybrid", "fts", "vector"]), default="hybrid", show_default=True)
@click.option("--fusion", type=click.Choice(["score", "rrf", "weighted", "adaptive"]), help="How lanes are joined.")
@click.option("--since", metavar="DATE", help="First day, YYYY-MM-DD.")
@click.option("--until", metavar="DATE", help="Last day, inclusive.")
@click.option("--on", "day", metavar="DATE", help="That day alone.")
@click.option("--path", metavar="GLOB", help="Only notes whose path matches, or below a folder.")
@click.option("--tag", help="Only notes with this tag or one below it.")
@click.option("--archive", is_flag=True, default=None, help="Look at archived notes too.")
@click.option("--kind", type=click.Choice(["dated", "evergreen"]))
@click.option("--group", type=click.Choice(["chunk", "note"]), default="chunk", help="note: the best hit of each note.")
@click.option("--full", is_flag=True, help="Show whole passages with line numbers.")
@click.option("--explain", is_flag=True, help="Show what each lane said and how each score came about.")
@click.option("--sync", is_flag=True, help="Bring the index up to date first, however long that takes.")
@click.option("--timings", "timed", is_flag=True, help="Say on standard error how long each stage took.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON, alone on standard output.")
@click.pass_obj
def command(
    invocation: Invocation,
    /,
    words: tuple[str, ...],
    limit: int | None,
    day: str | None,
    full: bool,
    timed: bool,
    as_json: bool,
    **fields: Any,
) -> None:
    """Find passages by word and by meaning.

    QUERY is any text; a text that begins with "-" comes after "--".
    """
    timings = Timings()
    if day is not None:
        if fields["since"] or fields["until"]:
            raise click.UsageError("--on stands alone, without --since and --until.")
        if not _is_day(day):
            raise UsageError(f'"{day}" is not a day for --on.', "Write it as YYYY-MM-DD.")
        fields["since"] = fields["until"] = day
    if timed:
        fields["timings"] = True
    place = invocation.locate()
    query = join_words(words)
    options = {**fields, "limit": place.config.search.limit if limit is None else limit}
    timings.end_stage("locate")
    result = ask_somebody(
        place,
        {"op": "search", "request": {**options, "query": query}},
        field="result",
        here=lambda vault, progress: vault.search(query, progress=progress, **options).to_dict(),
        sync=fields["sync"],
        timings=timings,
    )
    for problem in _problems(result):
        warn(problem)
    if result.get("time"):
        warn(describe_time(result["time"]))
    if as_json:
        echo_json({**result, "timings_ms": timings.to_dict()} if timed else result)
    elif result["hits"]:
        style, address = output_style(), note_address(place.root)
        click.echo(render_hits(result, style, address, full=full, explain=bool(fields["explain"])))
    elif query.strip():
        warn("No hits.")
    if timed:
        timings.end_stage("show")
        timings.show()


def _is_day(given: str) -> bool:
    try:
        return date.fromisoformat(given).isoformat() == given
    except ValueError:
        return False


def _problems(result: dict[str, Any]) -> list[str]:
    problems = [f"Degraded: {problem}" for problem in result["degraded"]]
    if result["stale"]:
        problems.append("Stale: the index is behind the notes; --sync waits until it is not.")
    return problems
