"""``clawvault why``."""

from __future__ import annotations

from typing import Any

import click

from clawvault.cli.asking import ask_somebody, join_words
from clawvault.cli.place import Invocation
from clawvault.cli.terminal import clean, echo_json, show_path, warn


@click.command("why")
@click.argument("path")
@click.argument("words", metavar="QUERY...", nargs=-1, required=True)
@click.option("-n", "--limit", type=int, default=10, show_default=True, help="Hits the question is cut off at.")
@click.option("--mode", type=click.Choice(["hybrid", "fts", "vector"]), default="hybrid", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The reasons as JSON, alone on standard output.")
@click.pass_obj
def command(invocation: Invocation, /, path: str, words: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Say why a note is, or is not, among the hits of a question."""
    query = join_words(words)
    reasons = ask_somebody(
        invocation.locate(),
        {"op": "why", "path": path, "request": {**options, "query": query}},
        field="why",
        here=lambda vault, _: vault.why(path, query, **options),
    )
    for problem in reasons["degraded"]:
        warn(f"Degraded: {problem}")
    if as_json:
        echo_json(reasons)
        return
    click.echo(f"{show_path(reasons['path'])}: {clean(reasons['verdict'])}")
    for chunk in reasons["chunks"]:
        click.echo(f"  lines {chunk['line_start']}-{chunk['line_end']}: {_lanes(chunk)}")


def _lanes(chunk: dict[str, Any]) -> str:
    words = "not found by words" if chunk["fts_rank"] is None else f"rank {chunk['fts_rank']} by words"
    meaning = "not compared by meaning"
    if chunk["vector_rank"] is not None:
        cosine = "" if chunk["cosine"] is None else f" (cosine {chunk['cosine']:.3f})"
        meaning = f"rank {chunk['vector_rank']} by meaning{cosine}"
    hit = "" if chunk["rank"] is None else f", hit {chunk['rank']} with score {chunk['score']:.3f}"
    return f"{words}, {meaning}{hit}"
