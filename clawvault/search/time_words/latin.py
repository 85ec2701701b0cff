"""How time is written in English and in figures: pure."""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from clawvault.search.time_words.atoms import Atom, Found, ago, latin, number, unit_name
from clawvault.search.time_words.day_spans import (
    DAY,
    Span,
    last_units,
    latest_day,
    latest_month,
    month_of,
    one_day,
    quarter_of,
    unit_ago,
    week_of,
    weekday_before,
    weekday_of_week,
    year_of,
)

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
WEEKDAYS = "mon tue wed thu fri sat sun".split()

_S = r"(?:['’]s)?"
_MONTH = (
    r"(?P<month>january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
_LONG_WEEKDAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_WEEKDAY = f"(?P<weekday>{_LONG_WEEKDAY})"
# "Wed", "sat" and "sun" are words of their own.
_SHORT_WEEKDAY = f"(?P<weekday>{_LONG_WEEKDAY}|mon|tues?|thu(?:rs?)?|fri)"
_PART = r"(?:\s(?:morning|afternoon|evening|night))"
_YEAR = "(?P<year>(?:19|20)[0-9]{2})"
_NO_YEAR = "(?P<year>)"
_DAY = r"(?P<day>[0-3]?[0-9])(?P<th>st|nd|rd|th)?(?:\s?[-–]\s?(?P<to>[0-3]?[0-9])(?:st|nd|rd|th)?)?"
_ON = r"(?P<on>(?<=on\s))?"
_COUNT = r"[0-9]{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a\s)?couple(?:\sof)?"
_UNIT = "(?P<unit>day|week|month|year)"


def _ago(found: Found, today: date) -> Span:
    return unit_ago(today, unit_name(found["unit"]), number(found["n"]))


def _last_units(found: Found, today: date) -> Span:
    return last_units(today, unit_name(found["unit"]), number(found["n"]) if found["n"] else 1)


def _named_unit(found: Found, today: date) -> Span:
    count = 0 if found["which"].lower() in ("this", "current") else 1
    unit = found["unit"].lower()
    if unit == "quarter":
        index = today.year * 4 + (today.month - 1) // 3 - count
        return quarter_of(index // 4, index % 4 + 1)
    if unit == "weekend":
        # On a Sunday, the last weekend is the one before.
        sunday = week_of(today if count == 0 else today - 7 * DAY).until or today
        return Span(sunday - DAY, sunday)
    return unit_ago(today, unit, count)


def _so_far(found: Found, today: date) -> Span:
    return Span(unit_ago(today, found["unit"].lower(), 0).since, today)


def _weekday_in_week(found: Found, today: date) -> Span:
    week = unit_ago(today, "week", 0 if found["which"].lower() == "this" else 1)
    return weekday_of_week(week, _weekday_number(found))


def _weekday(found: Found, today: date) -> Span:
    return weekday_before(today, _weekday_number(found))


def _weekday_number(found: Found) -> int:
    return WEEKDAYS.index(found["weekday"][:3].lower())


def _month_number(found: Found) -> int:
    return MONTHS.index(found["month"][:3].lower()) + 1


def _last_month_name(found: Found, today: date) -> Span:
    month = _month_number(found)
    span = latest_month(today, month)
    return span if span.until and span.until < today else month_of(today.year - 1, month)


def _month_of_year(found: Found, today: date) -> Span:
    return month_of(today.year - (found["which"].lower() == "last"), _month_number(found))


def _written_month(found: Found, today: date) -> Span:
    month = _month_number(found)
    return month_of(int(found["year"]), month) if found["year"] else latest_month(today, month)


def _written_day(found: Found, today: date) -> Span | None:
    """Read "5 March"; "may 5" and "march 5" in small letters need a sign that they are no verbs."""
    if found["month"] in ("may", "march") and not (found["th"] or found["year"] or found["on"] is not None):
        return None
    month, day = _month_number(found), int(found["day"])
    first = date(int(found["year"]), month, day) if found["year"] else latest_day(today, month, day)
    last = first.replace(day=int(found["to"])) if found["to"] else first
    return Span(first, last) if first <= last else None


def _quarter(found: Found, today: date) -> Span:
    quarter = int(found["quarter"])
    if found["year"]:
        return quarter_of(int(found["year"]), quarter)
    return quarter_of(today.year if 3 * quarter - 2 <= today.month else today.year - 1, quarter)


# Whatever is read below has a figure or one of these in it, and most questions have none.
LATIN_HINT = re.compile(
    "[0-9]|yesterday|tonight|today|last|past|previous|current|this|ago"
    "|mon|tue|thu|fri|wednesday|saturday|sunday|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec",
    re.IGNORECASE,
)


@cache
def latin_atoms() -> tuple[Atom, ...]:
    """Return all ways; made at the first question that may need them, since to compile them takes a while."""
    return (
        Atom(latin(rf"(?:the\s)?day before yesterday{_S}"), ago("day", 2)),
        Atom(latin(rf"yesterday(?:{_PART}|{_S})|last night{_S}"), ago("day", 1)),
        Atom(latin(rf"today{_S}|tonight{_S}|this (?:morning|afternoon|evening){_S}"), ago("day", 0)),
        Atom(latin(rf"(?:about\s|around\s)?(?P<n>{_COUNT}|an?)\s{_UNIT}s? ago"), _ago),
        Atom(latin(rf"(?:last|past|previous)\s(?P<n>{_COUNT}|few|several)\s{_UNIT}s?"), _last_units),
        Atom(latin(rf"past\s(?P<n>){_UNIT}"), _last_units),
        Atom(
            latin(
                rf"(?P<which>last|this|previous|current)\s(?P<unit>week|weekend|month|quarter|year){_S}"
                r"(?!\s(?:of|in)\s(?!the\s))"
            ),
            _named_unit,
        ),
        Atom(latin(rf"(?:earlier|so far) this (?P<unit>week|month|year){_S}"), _so_far),
        Atom(latin(rf"{_WEEKDAY}(?:\sof)?\s(?P<which>last|this) week{_S}"), _weekday_in_week),
        Atom(latin(rf"(?P<which>last|this) week(?:\son)?\s{_WEEKDAY}{_PART}?"), _weekday_in_week),
        Atom(latin(rf"last\s{_SHORT_WEEKDAY}(?:{_PART}|{_S})"), _weekday),
        Atom(
            latin(rf"this\s{_WEEKDAY}(?:{_PART}|{_S})"),
            lambda found, today: weekday_of_week(week_of(today), _weekday_number(found)),
        ),
        Atom(latin(rf"{_WEEKDAY}{_PART}"), _weekday),
        Atom(latin(f"{_SHORT_WEEKDAY}{_S}"), _weekday, weak=True),
        Atom(latin(rf"last\s{_MONTH}{_S}"), _last_month_name),
        Atom(latin(rf"{_MONTH}(?:\sof)?\s(?P<which>last|this) year{_S}"), _month_of_year),
        Atom(latin(f"{_MONTH}{_NO_YEAR}"), _written_month, written=True, weak=True),
        Atom(latin(rf"(?:mid|early|late)[\s-]{_MONTH}{_NO_YEAR}"), _written_month, written=True),
        Atom(latin(rf"{_MONTH}(?:\sof)?,?\s{_YEAR}"), _written_month, written=True),
        Atom(latin(rf"{_ON}{_MONTH}\s(?:the\s)?{_DAY}(?:,?\s{_YEAR})?"), _written_day, written=True),
        Atom(latin(rf"{_ON}{_DAY}(?:\sof)?\s{_MONTH}(?:,?\s{_YEAR})?"), _written_day, written=True),
        Atom(
            latin("(?P<iso>[12][0-9]{3}-[01][0-9]-[0-3][0-9])"),
            lambda found, _: one_day(date.fromisoformat(found["iso"])),
            written=True,
        ),
        Atom(
            latin("(?P<year>[12][0-9]{3})-(?P<month>[01][0-9])"),
            lambda found, _: month_of(int(found["year"]), int(found["month"])),
            written=True,
        ),
        Atom(latin(_YEAR), lambda found, _: year_of(int(found["year"])), written=True, weak=True),
        Atom(latin(rf"Q(?P<quarter>[1-4])(?:\sof)?[,\s-]\s?{_YEAR}"), _quarter, written=True),
        Atom(latin(rf"{_YEAR}[\s-]?Q(?P<quarter>[1-4])"), _quarter, written=True),
        Atom(latin(f"Q(?P<quarter>[1-4]){_NO_YEAR}"), _quarter, written=True, weak=True),
    )
