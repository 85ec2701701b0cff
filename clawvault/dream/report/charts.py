"""Three charts as SVG, drawn for one width each: pure.

They have no colour of their own but classes, so that the page decides for light and dark, and every text is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape

LEFT, RIGHT, TOP, BOTTOM = 36, 14, 12, 26
HEIGHT = 220
ROW = 26
# About what a sign of 12 px takes, and one of a dense script.
SIGN_PX, DENSE_PX = 7.3, 12.5
FIRST_DENSE = 0x2E80
DAY_TICK_PX = 88
MAX_TICKS = 5


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a chart: ``name`` is told where it ends, ``values`` are one a day from today on, 0..1."""

    name: str
    values: Sequence[float]


def draw_days(days: Sequence[tuple[date, int]], *, width: int, key: str, title: str, about: str) -> str:
    """Draw a bar for each day.

    Args:
        days: Every day of a stretch in order, each with its count.
        width: In CSS pixels.
        key: Tells the ids of this drawing from all others of the page.
        title: What it is, in words.
        about: What it shows, for whoever does not see it.
    """
    most = max([count for _, count in days], default=0)
    ticks = whole_ticks(most)
    top, span = ticks[-1], width - LEFT - RIGHT
    step = span / max(1, len(days))
    parts = [_grid(width, [(tick / top, str(tick)) for tick in ticks])]
    for at, (day, count) in enumerate(days):
        if count:
            height = (HEIGHT - TOP - BOTTOM) * count / top
            x, y = LEFT + at * step, HEIGHT - BOTTOM - height
            bar = f'<rect class="bar" x="{x:.2f}" y="{y:.2f}" width="{max(1.0, step * 0.8):.2f}" height="{height:.2f}">'
            parts.append(f"{bar}<title>{day.isoformat()}: {count}</title></rect>")
    if days:
        parts.append(_day_ticks(days[0][0], len(days), width, lambda at: LEFT + (at + 0.4) * step))
    return _svg(width, HEIGHT, key, title, about, parts)


def draw_curves(
    curves: Sequence[Curve], gate: float, today: date, *, width: int, key: str, title: str, about: str
) -> str:
    """Draw what scores become day by day, and the gate they are held against.

    Args:
        curves: At most five, each told by its number at its end as well as by its colour.
        gate: 0..1.
        today: The day of the first value.
        width: In CSS pixels.
        key: See ``draw_days``.
        title: See ``draw_days``.
        about: See ``draw_days``.
    """
    n_days = max([len(curve.values) for curve in curves], default=2)
    right = width - RIGHT - 12
    step = (right - LEFT) / max(1, n_days - 1)
    parts = [_grid(width, [(tick / 4, f"{tick / 4:.2f}") for tick in range(5)])]
    parts.append(
        f'<line class="gate" x1="{LEFT}" x2="{width - RIGHT}" y1="{_height_of(gate):.2f}" y2="{_height_of(gate):.2f}"/>'
    )
    parts.append(f'<text class="gate-name" x="{LEFT + 4}" y="{_height_of(gate) - 5:.2f}">gate {gate:.2f}</text>')
    ends = _apart([_height_of(curve.values[-1]) for curve in curves])
    for number, (curve, end) in enumerate(zip(curves, ends, strict=True), 1):
        points = " ".join(f"{LEFT + at * step:.2f},{_height_of(value):.2f}" for at, value in enumerate(curve.values))
        parts.append(
            f'<polyline class="curve c{number}" points="{points}"><title>{_text(curve.name)}</title></polyline>'
        )
        parts.append(f'<text class="end c{number}" x="{right + 4:.2f}" y="{end + 4:.2f}">{number}</text>')
    parts.append(_day_ticks(today, n_days, width, lambda at: LEFT + at * step))
    return _svg(width, HEIGHT, key, title, about, parts)


def draw_rows(rows: Sequence[tuple[str, int]], *, width: int, key: str, title: str, about: str) -> str:
    """Draw a bar for each name, the name above its bar where both do not fit beside each other.

    Args:
        rows: Names with their counts, in order.
        width: In CSS pixels.
        key: See ``draw_days``.
        title: See ``draw_days``.
        about: See ``draw_days``.
    """
    most = max([count for _, count in rows], default=1)
    room = width * 0.42
    parts = []
    for at, (name, count) in enumerate(rows):
        y, x = TOP + at * ROW, room + 8
        length = max(2.0, (width - x - RIGHT - 24) * count / most)
        said = _text(_cut(name, room - 4))
        parts.append(f'<text class="name" x="{room:.2f}" y="{y + 13}">{said}<title>{_text(name)}</title></text>')
        parts.append(f'<rect class="bar" x="{x:.2f}" y="{y}" width="{length:.2f}" height="{ROW - 8}"/>')
        parts.append(f'<text class="count" x="{x + length + 5:.2f}" y="{y + 13}">{count}</text>')
    return _svg(width, TOP * 2 + ROW * len(rows), key, title, about, parts)


def whole_ticks(most: int) -> list[int]:
    """Return whole numbers from 0 to at least a number, evenly apart and few."""
    step = max(1, math.ceil(most / MAX_TICKS))
    size = 10 ** (len(str(step)) - 1)
    step = next(size * nice for nice in (1, 2, 5, 10) if size * nice >= step)
    return list(range(0, max(1, most) + step, step)) if most % step or not most else list(range(0, most + 1, step))


def _svg(width: int, height: int, key: str, title: str, about: str, parts: Sequence[str]) -> str:
    head = (
        f'<svg role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'aria-labelledby="{key}-title {key}-about">'
    )
    said = f'<title id="{key}-title">{_text(title)}</title><desc id="{key}-about">{_text(about)}</desc>'
    return f"{head}{said}{''.join(parts)}</svg>"


def _height_of(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(1.0, max(0.0, share))


def _grid(width: int, ticks: Sequence[tuple[float, str]]) -> str:
    parts = []
    for share, name in ticks:
        y = _height_of(share)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{width - RIGHT}" y1="{y:.2f}" y2="{y:.2f}"/>')
        parts.append(f'<text class="tick left" x="{LEFT - 6}" y="{y + 4:.2f}">{name}</text>')
    return "".join(parts)


def _day_ticks(first: date, n_days: int, width: int, place: Callable[[int], float]) -> str:
    every = max(1, math.ceil(n_days / max(1, (width - LEFT - RIGHT) // DAY_TICK_PX)))
    parts = []
    for at in range(0, n_days, every):
        x = min(max(place(at), LEFT + 22), width - RIGHT - 22)
        day = (first + timedelta(days=at)).isoformat()[5:]
        parts.append(f'<text class="tick" x="{x:.2f}" y="{HEIGHT - 8}">{day}</text>')
    return "".join(parts)


def _apart(places: Sequence[float], least: float = 12.0) -> list[float]:
    """Move places apart that are nearer to each other than a line of text is high, all of them around their middle."""
    moved = list(places)
    last = -math.inf
    for at in sorted(range(len(places)), key=lambda index: places[index]):
        moved[at] = last = max(places[at], last + least)
    shift = (sum(moved) - sum(places)) / max(1, len(places))
    low, high = min(moved, default=0.0), max(moved, default=0.0)
    shift = max(min(shift, low - TOP), high - (HEIGHT - BOTTOM))
    return [place - shift for place in moved]


def _cut(name: str, room: float) -> str:
    """Return the end of a name that fits, since the end tells it from others."""
    for at, sign in enumerate(reversed(name)):
        room -= DENSE_PX if ord(sign) >= FIRST_DENSE else SIGN_PX
        if room < 0:
            return f"…{name[len(name) - at + 1 :]}"
    return name


def _text(text: str) -> str:
    return escape(text, quote=True)
