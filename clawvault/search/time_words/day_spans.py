"""Stretches of days: pure. Weeks begin on Monday; both ends are part of a span, ``None`` is open."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

DAY = timedelta(days=1)
DAYS_OF_UNIT = {"day": 1, "week": 7, "month": 30, "year": 365}


class Span(NamedTuple):
    """Days from ``since`` to ``until``, both inclusive; ``None`` is open."""

    since: date | None
    until: date | None

    def holds(self, day: date) -> bool:
        """Say whether a day lies inside."""
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)

    def distance(self, day: date) -> int:
        """Return how many days a day lies outside, 0 inside."""
        if self.since is not None and day < self.since:
            return (self.since - day).days
        if self.until is not None and day > self.until:
            return (day - self.until).days
        return 0


def one_day(day: date) -> Span:
    """Return a span of one day."""
    return Span(day, day)


def week_of(day: date) -> Span:
    """Return Monday to Sunday around a day."""
    monday = day - timedelta(days=day.weekday())
    return Span(monday, monday + timedelta(days=6))


def month_of(year: int, month: int) -> Span:
    """Return the days of one month.

    Raises:
        ValueError: There is no such month.
    """
    first = date(year, month, 1)
    return Span(first, date(year, month, monthrange(year, month)[1]))


def quarter_of(year: int, quarter: int) -> Span:
    """Return the days of a quarter, 1..4.

    Raises:
        ValueError: There is no such quarter.
    """
    return Span(date(year, 3 * quarter - 2, 1), month_of(year, 3 * quarter).until)


def year_of(year: int) -> Span:
    """Return the days of one year.

    Raises:
        ValueError: The year is not 1..9999.
    """
    return Span(date(year, 1, 1), date(year, 12, 31))


def unit_ago(today: date, unit: str, count: int) -> Span:
    """Return the day, week, month or year that was so many units ago; 0 is the one of today.

    Raises:
        ValueError, OverflowError: That was before the year 1.
    """
    if unit == "day":
        return one_day(today - timedelta(days=count))
    if unit == "week":
        return week_of(today - timedelta(weeks=count))
    if unit == "year":
        return year_of(today.year - count)
    months = today.year * 12 + today.month - 1 - count
    return month_of(months // 12, months % 12 + 1)


def last_units(today: date, unit: str, count: int) -> Span:
    """Return so many days, weeks, months of 30 or years of 365 days back from today, today included.

    Raises:
        OverflowError: That was before the year 1.
    """
    return Span(today - timedelta(days=count * DAYS_OF_UNIT[unit]), today)


def weekday_before(today: date, weekday: int) -> Span:
    """Return the last such day of the week before today; Monday is 0."""
    return one_day(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))


def weekday_of_week(week: Span, weekday: int) -> Span:
    """Return one day of a week; Monday is 0."""
    return one_day((week.since or date.min) + timedelta(days=weekday))


def latest_month(today: date, month: int) -> Span:
    """Return the last such month that has begun.

    Raises:
        ValueError: There is no such month.
    """
    return month_of(today.year if month <= today.month else today.year - 1, month)


def latest_day(today: date, month: int, day: int) -> date:
    """Return the last such day of a year that is not after today.

    Raises:
        ValueError: There is no such day in the last eight years.
    """
    for year in range(today.year, today.year - 9, -1):
        if day <= monthrange(year, month)[1] and date(year, month, day) <= today:
            return date(year, month, day)
    raise ValueError("no such day")


def join_spans(spans: Sequence[Span]) -> Span | None:
    """Return what several readings leave: what they share, else everything from the first to the last."""
    if not spans:
        return None
    since = max((span.since for span in spans if span.since), default=None)
    until = min((span.until for span in spans if span.until), default=None)
    if since is None or until is None or since <= until:
        return Span(since, until)
    first = [span.since for span in spans]
    last = [span.until for span in spans]
    return Span(
        None if None in first else min(day for day in first if day),
        None if None in last else max(day for day in last if day),
    )
