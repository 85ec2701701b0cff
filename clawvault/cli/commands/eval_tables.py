"""Measurements as tables for a person: pure, from their JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from clawvault.cli.terminal import clean

COLUMNS = ("recall@5", "precision@5", "hit@5", "mrr", "ndcg@10", "cov@2k", "cov@4k", "cov@8k")
HEADS = {"mrr": "MRR", "ndcg@10": "nDCG@10"}
TIMES = ("p50_ms", "p95_ms")


def render_report(report: Mapping[str, Any]) -> str:
    """Render a measurement: a row a lane, then the same for each category."""
    lanes: Mapping[str, Mapping[str, Any]] = report["lanes"]
    rows = [["lane", "n", *(HEADS.get(name, name) for name in COLUMNS), "p50 ms", "p95 ms"]]
    for name, lane in lanes.items():
        times = [f"{report['times'][name][key]:.1f}" for key in TIMES]
        rows.append([name, str(lane["all"]["questions"]), *_figures(lane["all"]), *times])
    lines = [_said(report), "", *_table(rows)]
    for category in next(iter(lanes.values()))["categories"]:
        rows = [[clean(category), "n", *(HEADS.get(name, name) for name in COLUMNS)]]
        for name, lane in lanes.items():
            row = lane["categories"][category]
            rows.append([name, str(row["questions"]), *_figures(row)])
        lines += ["", *_table(rows)]
    lines += [f"Degraded ({name}): {clean(problem)}" for name, lane in lanes.items() for problem in lane["degraded"]]
    return "\n".join(lines)


def _said(report: Mapping[str, Any]) -> str:
    pinned = report["pinned"]
    left_out = f"; {report['without_evidence']} without evidence left out" if report["without_evidence"] else ""
    return (
        f"{clean(report['dataset'])}: {report['questions']} questions{left_out}; {pinned['notes']} notes, "
        f"{pinned['passages']} passages; model {clean(pinned['model'] or 'none')}; data {pinned['data_sha256'][:12]}"
    )


def render_suite(report: Mapping[str, Any]) -> str:
    """Render the memory suite: the lanes of each case with what it asks for and whether it holds."""
    rows = [["case", "", "lane", "recall@k", "precision@k", "MRR", "nDCG@10", "k", "asks for", "result"]]
    for case in report["cases"]:
        rows.extend(_case_rows(case))
    required = [case for case in report["cases"] if case["required"]]
    failed = [case["source"] for case in required if not case["passed"]]
    end = f"{len(failed)} of {len(required)} required cases do not hold: {', '.join(failed)}."
    return "\n".join(
        [*_table(rows, (0, 1, 2, 8, 9)), "", end if failed else f"All {len(required)} required cases hold."]
    )


def _case_rows(case: Mapping[str, Any]) -> Iterator[list[str]]:
    names = [case["source"], case["name"]]
    for lane, row in case["lanes"].items():
        required = lane in case["required"]
        result = "holds" if row["holds"] else "does not hold"
        figures = [f"{row[key]:.3f}" for key in (f"recall@{case['k']}", f"precision@{case['k']}", "mrr", "ndcg@10")]
        verdict = ("passed" if row["holds"] else "FAILED") if required else f"{result}, not required"
        yield [*names, lane, *figures, str(case["k"]), case["threshold"], verdict]
        names = ["", ""]


def render_comparison(compared: Mapping[str, Any]) -> str:
    """Render a comparison: for each lane and figure both means, their difference and its interval."""
    rows = [["lane", "figure", "first", "second", "difference", "95 % interval", ""]]
    for lane, figures in compared["lanes"].items():
        for name, item in figures.items():
            values = [f"{item['first']:.3f}", f"{item['second']:.3f}", f"{item['difference']:+.3f}"]
            interval = f"{item['low']:+.3f} to {item['high']:+.3f}"
            verdict = ("better" if item["difference"] > 0 else "worse") if item["shown"] else "no difference shown"
            rows.append([lane, HEADS.get(name, name), *values, interval, verdict])
    said = f"{clean(compared['first'])} and {clean(compared['second'])}: {compared['questions']} questions"
    return "\n".join([said, "", *_table(rows, (0, 1, 6))])


def _figures(row: Mapping[str, float]) -> list[str]:
    return [f"{row[name]:.3f}" for name in COLUMNS]


def _table(rows: Sequence[Sequence[str]], words: Collection[int] = (0,)) -> list[str]:
    """Align columns: those of ``words`` to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            f"{text:<{width}}" if index in words else f"{text:>{width}}"
            for index, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
