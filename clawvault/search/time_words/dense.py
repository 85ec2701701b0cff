"""How time is written in Chinese, and in common words of Japanese and Korean: pure.

These scripts write no spaces, so a word is kept from being read out of a longer one by what stands around it:
目前天气 holds 前天, 网上周边 holds 上周.
"""

from __future__ import annotations

from datetime import date
from functools import cache

from clawvault.search.time_words.atoms import FIGURE, Atom, Found, ago, dense, number, unit_name
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
    weekday_before,
    weekday_of_week,
    year_of,
)

_OF = "(?:[的の]|의)?"
_WEEK = "(?:[周週](?![期围圍边邊转轉岁歲])|星期|[礼禮]拜)(?![一二三四五六日天末])"
_COUNT = "(?P<n>[0-9０-９]{1,3}|[一二两兩三四五六七八九十]{1,3})"
_UNIT = "(?P<unit>天|日|[周週]間?(?!年)|[个個]?星期|[个個]?[礼禮]拜|[个個かヶカ]月|年)"
_KOREAN_UNIT = "(?P<unit>일|주일?|개월|달|년)"
_MONTH = "(?P<month>[0-9０-９]{1,2}|(?<![一二三四五六七八九十])[一二三四五六七八九十]{1,2})"
_MONTH_END = " ?[月월](?:份(?![额額])|(?![球台光亮色票饼餅薪份])(?![一二两兩]次))"
_DAY = "(?: ?(?P<day>[0-9０-９]{1,2}|[一二三四五六七八九十]{1,3}) ?[日号號일])?"
_YEAR = "(?P<year>(?:19|20)[0-9]{2})"
_WEEKDAYS = {sign: index % 7 for index, sign in enumerate("一二三四五六日月火水木金土日월화수목금토일")} | {"天": 6}


def _ago(found: Found, today: date) -> Span:
    return unit_ago(today, unit_name(found["unit"]), number(found["n"]))


def _last_units(found: Found, today: date) -> Span:
    return last_units(today, unit_name(found["unit"]), number(found["n"]))


def _date(found: Found, today: date) -> Span:
    which, month = found["which"], number(found["month"])
    year = int(found["year"]) if found["year"] else None
    if which:
        year = today.year - {"今": 0, "올": 0, "前": 2, "一": 2}.get(which[0], 1)
    if not found["day"]:
        return month_of(year, month) if year else latest_month(today, month)
    day = number(found["day"])
    return one_day(date(year, month, day) if year else latest_day(today, month, day))


def _quarter(found: Found, today: date) -> Span:
    quarter = number(found["quarter"])
    year = int(found["year"]) if found["year"] else today.year - (3 * quarter - 2 > today.month)
    return quarter_of(year, quarter)


def _weekday(found: Found, today: date) -> Span:
    which, weekday = found["which"] or "", _WEEKDAYS[found["weekday"]]
    if not which:
        return weekday_before(today, weekday)
    count = 2 if which.startswith(("上上", "先々")) else 0 if which[0] in "这這本今이" else 1
    return weekday_of_week(unit_ago(today, "week", count), weekday)


def _weekend(found: Found, today: date) -> Span:
    sunday = unit_ago(today, "week", 0 if found["which"][0] in "这這本今이" else 1).until or today
    return Span(sunday - DAY, sunday)


@cache
def dense_atoms() -> tuple[Atom, ...]:
    """Return all ways, every one of which has a sign beyond ASCII; made at the first question that may need them."""
    return (
        Atom(dense(f"(?:今[天日晚早晨朝夜]|오늘){_OF}"), ago("day", 0)),
        Atom(dense(f"(?:昨[天日晚夜]|어제|어젯밤){_OF}"), ago("day", 1)),
        Atom(dense(f"(?:(?<![目以之从從当當大])前天(?!天)|一昨日|おととい|그저께){_OF}"), ago("day", 2)),
        Atom(dense(f"大前天{_OF}"), ago("day", 3)),
        Atom(
            dense(f"(?:(?<![以网網线線身早晚上])上[个個]?{_WEEK}|先週(?!末)|(?<!지)지난 ?주(?!말)){_OF}"),
            ago("week", 1),
        ),
        Atom(dense(f"(?:上上[个個]?{_WEEK}|先々週|지지난 ?주){_OF}"), ago("week", 2)),
        Atom(dense(f"(?:(?<![日基根])本{_WEEK}|[这這][个個]?{_WEEK}|今週(?!末)|이번 ?주(?!말)){_OF}"), ago("week", 0)),
        Atom(dense(f"(?P<which>上[个個]?|先|지난 ?|[这這][个個]?|本|今|이번 ?)(?:[周週]末|주말){_OF}"), _weekend),
        Atom(
            dense(f"(?:(?<![以网網线線海上])上(?:[个個]月|月(?![球台光亮色票]))|先月|지난 ?달){_OF}"), ago("month", 1)
        ),
        Atom(dense(f"(?:上上[个個]?月|先々月|지지난 ?달){_OF}"), ago("month", 2)),
        Atom(dense(f"(?:(?<![日基根])本月|[这這][个個]月|今月|이번 ?달){_OF}"), ago("month", 0)),
        Atom(dense(f"(?:(?<![过過])去年|(?<!一)昨年|(?<!재)작년|지난해){_OF}"), ago("year", 1)),
        Atom(dense(f"(?:今年|올해){_OF}"), ago("year", 0)),
        Atom(dense(f"(?:(?<![目以之年])前年|一昨年|재작년){_OF}"), ago("year", 2)),
        Atom(dense(f"{_COUNT}{_UNIT}[之以]?前(?![天日年]){_OF}", FIGURE), _ago),
        Atom(dense(f"(?P<n>[0-9]{{1,3}}) ?{_KOREAN_UNIT} ?전{_OF}", FIGURE), _ago),
        Atom(dense(f"半年前{_OF}"), ago("month", 6)),
        Atom(dense(f"(?:最近|[过過]去|(?<![附最])近|ここ)的?{_COUNT}{_UNIT}[内內間间]?{_OF}"), _last_units),
        Atom(dense(f"(?:지난|최근) ?(?P<n>[0-9]{{1,3}}) ?{_KOREAN_UNIT}(?:간|동안)?{_OF}"), _last_units),
        Atom(
            dense(
                "(?P<which>(?<![过過])去年|今年|前年|昨年|一昨年|작년 ?|올해 ?)?[的の]?(?P<year>)"
                f"{_MONTH}{_MONTH_END}{_DAY}{_OF}",
                FIGURE,
            ),
            _date,
            written=True,
        ),
        Atom(dense(f"(?P<which>){_YEAR} ?[年년] ?{_MONTH}{_MONTH_END}{_DAY}{_OF}", FIGURE), _date, written=True),
        Atom(
            dense(f"{_YEAR} ?[年년](?![级級]){_OF}", FIGURE), lambda found, _: year_of(int(found["year"])), written=True
        ),
        Atom(dense(f"(?:{_YEAR}年?)?第?(?P<quarter>[1-4一二三四])季度{_OF}", FIGURE), _quarter, written=True),
        Atom(
            dense(
                "(?P<which>上上[个個]?|上[个個]?|[这這][个個]?|本)?(?<![下每][个個])(?<![每下一两兩二三四五六七八九十几幾0-9整半])"
                f"(?:[周週]|星期|[礼禮]拜)(?P<weekday>[一二三四五六日天])(?![次个個年月些起共切]){_OF}"
            ),
            _weekday,
        ),
        Atom(dense(f"(?P<which>先々週の?|先週の?|今週の?)?(?<!毎週)(?P<weekday>[月火水木金土日])曜日?{_OF}"), _weekday),
        Atom(dense(f"(?P<which>지난 ?주 ?|이번 ?주 ?|지난 ?)?(?P<weekday>[월화수목금토일])요일{_OF}"), _weekday),
    )
