"""Hits as a person reads them: pure, from the JSON of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from clawvault.cli.reasons import render_reasons
from clawvault.cli.terminal import Style, clean, emphasise, show_path

LANES = ("fts", "vector")


def render_hits(
    result: Mapping[str, Any],
    style: Style,
    address: Callable[[str, int], str],
    *,
    full: bool = False,
    explain: bool = False,
) -> str:
    """Render an answer for a terminal.

    Args:
        result: The JSON of a search (design, section 4).
        style: What the terminal can show.
        address: Makes the address that opens a note at a line.
        full: Show whole passages with line numbers instead of one line.
        explain: Show for each hit what each lane said and how its score came about.

    Returns:
        Lines, best hit first; empty without hits.
    """
    hits: Sequence[Mapping[str, Any]] = result["hits"]
    width = len(str(len(hits)))
    lines: list[str] = []
    for hit in hits:
        lines.append(_header(hit, width, style, address))
        lines.extend(_passage(hit, result["query"], style) if full else _snippet(hit, result["query"], width, style))
        if hit.get("superseded_by"):
            lines.append(" " * (width + 2) + f"possibly superseded by {clean(hit['superseded_by'])}")
        if hit.get("flagged"):
            lines.append(" " * (width + 2) + f"may steer a model: {', '.join(hit['flagged'])}")
        if explain:
            lines.extend(" " * (width + 2) + line for line in render_reasons(hit))
        if full:
            lines.append("")
    return "\n".join(lines)


def describe_time(time: Mapping[str, Any]) -> str:
    """Say in one line how the time words of a question were read."""
    words = ", ".join(f'"{words}"' for words in time["words"])
    since, until = time["since"], time["until"]
    if not since and not until:
        return f"The days were given; {words} was not read as time."
    if since == until:
        return f"Read {words} as {since}."
    if not (since and until):
        return f"Read {words} as {since or until} and {'later' if since else 'earlier'}."
    return f"Read {words} as {since} to {until}."


def _header(hit: Mapping[str, Any], width: int, style: Style, address: Callable[[str, int], str]) -> str:
    place = f"{show_path(hit['path'])}:{hit['line_start']}-{hit['line_end']}"
    heading = "".join(f"  › {clean(part)}" if number == 0 else f" › {clean(part)}" for number, part in _parts(hit))
    lanes = "both" if hit["is_hybrid_match"] else next((lane for lane in LANES if hit[f"{lane}_rank"]), "")
    facts = [f"{hit['score']:.2f}", f"[{lanes}]" if lanes else "", hit["date"] or ""]
    if hit.get("copies", 1) > 1:
        facts.append(f"{hit['copies']} copies")
    if hit.get("more_in_note"):
        facts.append(f"+{hit['more_in_note']} more in this note")
    if hit.get("stale"):
        facts.append("changed since it was indexed")
    shown = style.link(style.strong(place), address(hit["path"], hit["line_start"]))
    return f"{hit['rank']:>{width}}  {shown}{heading}   {'  '.join(fact for fact in facts if fact)}"


def _parts(hit: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    return enumerate(part for part in hit["heading"] if part)


def _snippet(hit: Mapping[str, Any], query: str, width: int, style: Style) -> list[str]:
    text = clean(hit["snippet"])
    return [" " * (width + 2) + emphasise(text, query, style)] if text else []


def _passage(hit: Mapping[str, Any], query: str, style: Style) -> list[str]:
    last = len(str(hit["line_end"]))
    lines = clean(hit["text"], keep_lines=True).split("\n")
    return [
        f"{number:>{last + 3}} │ {emphasise(line, query, style)}"
        for number, line in enumerate(lines, start=hit["line_start"])
    ]
