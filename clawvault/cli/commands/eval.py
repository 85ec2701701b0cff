"""``clawvault eval``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from clawvault.cli.commands.eval_tables import render_comparison, render_report, render_suite
from clawvault.cli.progress import show_progress
from clawvault.cli.terminal import echo_json

ALL_FUSIONS = "all"


@click.command("eval")
@click.argument("dataset", required=False, type=click.Path(path_type=Path))
@click.option(
    "--qrels", metavar="FILE", type=click.Path(path_type=Path), help="The questions; else DATASET/qrels.jsonl."
)
@click.option("--model", metavar="NAME", help="A model's name or folder, use-multilingual, or none.")
@click.option("--provider", metavar="NAME", help="What makes vectors, as in embedding.provider.")
@click.option(
    "--fusion",
    type=click.Choice(["score", "rrf", "weighted", "adaptive", ALL_FUSIONS]),
    help="How the hybrid lane is joined; all: one row for each.",
)
@click.option("--most", type=click.IntRange(min=1), help="Ask only so many questions.")
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="The day that age is counted from.")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Save the report as JSON.")
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    type=click.Path(path_type=Path),
    help="Compare two saved reports question by question.",
)
@click.option("--json", "as_json", is_flag=True, help="The report as JSON, alone on standard output.")
def command(dataset: Path | None, compare: tuple[Path, Path] | None, as_json: bool, **options: Any) -> int:
    """Measure how well questions with known answers are answered, in every lane.

    Without DATASET, run the built-in memory suite; ends with 1 when a case does not hold. DATASET is a folder of notes
    with a file of JSON lines: {"id": ..., "query": ..., "relevant": [{"path": ..., "line_start": 1, "line_end": 2}]}.
    Notes are copied to a temporary folder; nothing is written beside them.
    """
    render: Callable[[Mapping[str, Any]], str]
    if compare:
        _refuse("--compare stands alone, but for --json.", dataset, *options.values())
        report, render = _compare(*compare), render_comparison
    elif dataset is None:
        _refuse(
            "The memory suite takes no --qrels, --model, --provider, --fusion or --most; name a DATASET.",
            *(options[name] for name in ("qrels", "model", "provider", "fusion", "most")),
        )
        report, render = _run_suite(options["today"]), render_suite
    else:
        asked = {name: value for name, value in options.items() if name != "out"}
        report, render = _measure(dataset, **asked), render_report
    if options["out"] is not None:
        _save(options["out"], report)
    if as_json:
        echo_json(report)
    else:
        click.echo(render(report))
    return 0 if report.get("passed", True) else 1


def _refuse(problem: str, *values: object) -> None:
    if any(value is not None for value in values):
        raise click.UsageError(problem)


def _compare(first: Path, second: Path) -> dict[str, Any]:
    from clawvault.evaluate.comparing import compare_reports, read_report

    return {"first": str(first), "second": str(second), **compare_reports(read_report(first), read_report(second))}


def _run_suite(today: datetime | None) -> dict[str, Any]:
    from clawvault.evaluate.memory_suite import run_memory_suite

    with show_progress() as progress:
        return run_memory_suite(os.environ, _day(today), progress=progress)


def _measure(
    dataset: Path,
    *,
    qrels: Path | None,
    model: str | None,
    provider: str | None,
    fusion: str | None,
    most: int | None,
    today: datetime | None,
) -> dict[str, Any]:
    from clawvault.evaluate.datasets import read_dataset
    from clawvault.evaluate.runner import FTS, FUSION_LANES, LANES, VECTOR, evaluate

    data = read_dataset(dataset, qrels, most=most)
    settings = _model_settings(dataset, model, provider)
    lanes = (FTS, VECTOR, *FUSION_LANES) if fusion == ALL_FUSIONS else LANES
    if fusion != ALL_FUSIONS:
        settings["search.fusion"] = fusion
    with show_progress() as progress:
        return evaluate(
            data, settings=settings, environment=os.environ, today=_day(today), lanes=lanes, progress=progress
        )


def _model_settings(dataset: Path, model: str | None, provider: str | None) -> dict[str, object]:
    if model is None or provider is not None:
        return {"embedding.provider": provider, "embedding.model": model}
    from clawvault.config import load_config
    from clawvault.embed.choosing import settings_for

    chosen = settings_for(load_config(dataset, environment=os.environ).embedding, model, "")
    return {"embedding.provider": chosen.provider, "embedding.model": chosen.model}


def _day(today: datetime | None) -> date:
    from clawvault.vault.local_time import machine_now

    return (today or machine_now()).date()


def _save(path: Path, report: dict[str, Any]) -> None:
    import json

    from clawvault.errors import UsageError

    try:
        path.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError) as error:
        raise UsageError(f'Cannot write "{path}": {error.strerror}.', "Name another file with --out.") from error
