"""One page of HTML that says what memory keeps and loses: pure, without a script and without a network.

Its policy lets it load nothing and run nothing; all text of notes is escaped, and isolated so that it cannot turn the
direction of what stands around it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape

from clawvault.dream.report.charts import Curve, draw_curves, draw_days, draw_rows
from clawvault.dream.retention.at_risk import AtRisk

MARK = "clawvault dream report"
WIDE, NARROW = 700, 320
MOST_SOURCES = 12
STYLE = """
:root { color-scheme: light dark; --page: #fff; --text: #1f2328; --soft: #59636e; --line: #d1d9e0; --bar: #0969da;
  --gate: #9a6700; --c1: #0969da; --c2: #bc4c00; --c3: #1a7f37; --c4: #8250df; --c5: #bf3989; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #e6edf3; --soft: #9198a1; --line: #3d444d;
  --bar: #58a6ff; --gate: #e3b341; --c1: #58a6ff; --c2: #f0883e; --c3: #56d364; --c4: #bc8cff; --c5: #ff7bb5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 764px; padding: 16px; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, "Noto Sans CJK SC", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5em; margin: .4em 0 0; } h2 { font-size: 1.15em; margin: 2em 0 .2em; }
p { margin: .3em 0 .8em; } .soft, summary, th { color: var(--soft); }
svg { display: block; max-width: 100%; height: auto; } .narrow { display: none; }
svg text { font: 12px system-ui, sans-serif; fill: var(--text); }
svg .tick { fill: var(--soft); text-anchor: middle; font-size: 11px; } svg .left, svg .name { text-anchor: end; }
.grid { stroke: var(--line); } .bar { fill: var(--bar); }
.gate { stroke: var(--gate); stroke-width: 1.5; stroke-dasharray: 5 4; } svg .gate-name { fill: var(--gate); }
.curve { fill: none; stroke-width: 2; } svg .end { font-weight: 700; }
.curve.c1 { stroke: var(--c1); } .curve.c2 { stroke: var(--c2); stroke-dasharray: 8 3; }
.curve.c3 { stroke: var(--c3); stroke-dasharray: 2 3; } .curve.c4 { stroke: var(--c4); stroke-dasharray: 10 3 2 3; }
.curve.c5 { stroke: var(--c5); stroke-dasharray: 5 2; }
svg .end.c1, .key.c1 { fill: var(--c1); color: var(--c1); } svg .end.c2, .key.c2 { fill: var(--c2); color: var(--c2); }
svg .end.c3, .key.c3 { fill: var(--c3); color: var(--c3); } svg .end.c4, .key.c4 { fill: var(--c4); color: var(--c4); }
svg .end.c5, .key.c5 { fill: var(--c5); color: var(--c5); } .key { font-weight: 700; margin-right: .5em; }
ol.keys { list-style: none; padding: 0; margin: .5em 0; } ol.keys li { margin: .25em 0; }
ul.items { list-style: none; padding: 0; } ul.items li { border-top: 1px solid var(--line); padding: .5em 0; }
code { font: 13px ui-monospace, monospace; } table { border-collapse: collapse; font-size: 14px; }
th, td { text-align: left; padding: .1em 1em .1em 0; font-weight: 400; }
summary { cursor: pointer; } :focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; }
@media (max-width: 640px) { .wide { display: none; } .narrow { display: block; } body { padding: 16px 20px; } }
@media print { details { display: none; } }
"""


@dataclass(frozen=True, slots=True)
class Nearby:
    """A statement near the gate: its ``text`` and ``place``, what it still needs, and its score day by day."""

    text: str
    place: str
    needs: str
    curve: Sequence[float]


@dataclass(frozen=True, slots=True)
class Kept:
    """A statement that was promoted: from where, into which note, on which day."""

    text: str
    path: str
    line: int
    into: str
    day: str


@dataclass(frozen=True, slots=True)
class Report:
    """All that the page shows.

    Attributes:
        vault: Its name.
        today: The local day.
        days: Every day of the stretch that is shown, with how many statements were found on it.
        gate: What a score must reach, 0..1.
        near: Statements near the gate, the best first, at most five.
        kept: What was promoted, the newest first.
        at_risk: Old notes that hold something lasting.
    """

    vault: str
    today: date
    days: Sequence[tuple[date, int]]
    gate: float
    near: Sequence[Nearby]
    kept: Sequence[Kept]
    at_risk: Sequence[AtRisk]


def render_report(report: Report) -> str:
    """Return the page, the same for the same values."""
    style_hash = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{style_hash}'; base-uri 'none'; form-action 'none'"
    name = _quoted(report.vault)
    body = "\n".join((_recalls(report), _near(report), _kept(report), _at_risk(report)))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="{MARK}">
<meta name="referrer" content="no-referrer">
<title>{escape(report.vault)}: what stays and what fades</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>What stays and what fades</h1>
<p class="soft">{name}, {report.today.isoformat()}</p>
{body}
</main>
</body>
</html>
"""


def _recalls(report: Report) -> str:
    total = sum(count for _, count in report.days)
    if not total:
        return _section("Found by searches", "No search has found a statement of a daily note yet.", "")
    busiest, most = max(report.days, key=lambda pair: pair[1])
    first, last = report.days[0][0], report.days[-1][0]
    about = f"{total} between {first.isoformat()} and {last.isoformat()}, most on {busiest.isoformat()}: {most}."
    title = "Statements of daily notes that searches found, by day"
    rows = [(day.isoformat(), str(count)) for day, count in report.days if count]
    drawn = _both("days", lambda width, key: draw_days(report.days, width=width, key=key, title=title, about=about))
    return _section("Found by searches", about, drawn + _table(("Day", "Found"), rows))


def _near(report: Report) -> str:
    heading = "Near the gate"
    if not report.near:
        return _section(heading, "No statement was found often enough to come near long-term memory.", "")
    n_days = len(report.near[0].curve) - 1
    about = f"What the score of each becomes in the next {n_days} days if no search finds it again."
    curves = [Curve(item.text, item.curve) for item in report.near]
    drawn = _both(
        "near",
        lambda width, key: draw_curves(
            curves, report.gate, report.today, width=width, key=key, title="Scores near the gate", about=about
        ),
    )
    keys = "".join(
        f'<li><span class="key c{number}">{number}</span>{_quoted(item.text)} '
        f'<span class="soft">{item.curve[0]:.2f}, {_quoted(item.place)}: {_quoted(item.needs)}</span></li>'
        for number, item in enumerate(report.near, 1)
    )
    rows = [(str(at), f"{item.curve[0]:.3f}", f"{item.curve[-1]:.3f}") for at, item in enumerate(report.near, 1)]
    table = _table(("Statement", "Score now", f"In {n_days} days"), rows)
    return _section(heading, about, f'{drawn}<ol class="keys">{keys}</ol>{table}')


def _kept(report: Report) -> str:
    heading = "Kept for good"
    if not report.kept:
        return _section(heading, "Nothing was promoted into long-term memory yet.", "")
    counts: dict[str, int] = {}
    for item in report.kept:
        counts[item.path] = counts.get(item.path, 0) + 1
    rows = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_SOURCES]
    n_notes = len(counts)
    about = f"{_count(len(report.kept), 'statement')} from {_count(n_notes, 'note')}."
    about += f" The {MOST_SOURCES} notes with most of them are drawn." if n_notes > MOST_SOURCES else ""
    title = "Promoted statements by the note they come from"
    drawn = _both("kept", lambda width, key: draw_rows(rows, width=width, key=key, title=title, about=about))
    items = "".join(
        f'<li>{_quoted(item.text)}<br><span class="soft">{escape(item.day)}, from '
        f"{_quoted(f'{item.path}:{item.line}')} into {_quoted(item.into)}</span></li>"
        for item in report.kept
    )
    return _section(heading, about, f'{drawn}<ul class="items">{items}</ul>')


def _at_risk(report: Report) -> str:
    heading = "About to sink"
    if not report.at_risk:
        return _section(heading, "No old note holds anything lasting that is not pinned.", "")
    items = "".join(
        f'<li>{_quoted(item.text)}<br><span class="soft">{_quoted(f"{item.path}:{item.line}")}, '
        f"counts {item.decay:.1%}, for its words {_quoted(item.cue)}</span><br><code>{escape(item.command)}</code></li>"
        for item in report.at_risk
    )
    about = "Old notes of a day that may hold something lasting. The command keeps each from fading."
    return _section(heading, about, f'<ul class="items">{items}</ul>')


def _both(key: str, draw: Callable[[int, str], str]) -> str:
    """Draw for a wide and for a narrow screen, of which the page shows one."""
    wide, narrow = draw(WIDE, f"{key}-wide"), draw(NARROW, f"{key}-narrow")
    return f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>'


def _section(heading: str, about: str, inner: str) -> str:
    return f"<section>\n<h2>{heading}</h2>\n<p>{escape(about)}</p>\n{inner}\n</section>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = "".join(f'<th scope="col">{name}</th>' for name in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<details><summary>As numbers</summary><table><tr>{cells}</tr>{lines}</table></details>"


def _quoted(text: str) -> str:
    return f"<bdi>{escape(text)}</bdi>"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
