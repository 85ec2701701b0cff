"""Time words of a question: pure."""

from __future__ import annotations

from datetime import date
from typing import Never

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawvault.search.time_words import reading
from clawvault.search.time_words.atoms import find_mentions
from clawvault.search.time_words.day_spans import Span, join_spans
from clawvault.search.time_words.dense import dense_atoms
from clawvault.search.time_words.latin import LATIN_HINT, latin_atoms
from clawvault.search.time_words.reading import MAX_READ_CHARS, read_time

# A Wednesday.
TODAY = date(2026, 12, 2)


def days(question: str, today: date = TODAY) -> tuple[str, str]:
    since, until = read_time(question, today).span or (None, None)
    return str(since or ""), str(until or "")


def day(iso: str) -> tuple[str, str]:
    return iso, iso


LAST_WEEK = ("2026-11-23", "2026-11-29")
THIS_WEEK = ("2026-11-30", "2026-12-06")
NOVEMBER = ("2026-11-01", "2026-11-30")


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("what happened yesterday", day("2026-12-01")),
        ("yesterday's stand-up", day("2026-12-01")),
        ("the dinner last night", day("2026-12-01")),
        ("the bug from the day before yesterday", day("2026-11-30")),
        ("today", day("2026-12-02")),
        ("coffee this morning", day("2026-12-02")),
        ("fixed 3 days ago", day("2026-11-29")),
        ("three weeks ago", ("2026-11-09", "2026-11-15")),
        ("a couple of months ago", ("2026-10-01", "2026-10-31")),
        ("a year ago", ("2025-01-01", "2025-12-31")),
        ("last week", LAST_WEEK),
        ("the previous week", LAST_WEEK),
        ("this week", THIS_WEEK),
        ("earlier this week", ("2026-11-30", "2026-12-02")),
        ("last weekend", ("2026-11-28", "2026-11-29")),
        ("last month", NOVEMBER),
        ("last quarter", ("2026-07-01", "2026-09-30")),
        ("last year's budget", ("2025-01-01", "2025-12-31")),
        ("past month", ("2026-11-02", "2026-12-02")),
        ("in the last 7 days", ("2026-11-25", "2026-12-02")),
        ("runs of the past two weeks", ("2026-11-18", "2026-12-02")),
        ("the last few days", ("2026-11-27", "2026-12-02")),
        ("last Monday", day("2026-11-30")),
        ("meeting on Wednesday", day("2026-11-25")),
        ("call on Friday", day("2026-11-27")),
        ("Monday last week", day("2026-11-23")),
        ("Friday evening walk", day("2026-11-27")),
        ("since last week", ("2026-11-23", "")),
    ],
)
def test_relative_words_of_english_are_read(question: str, span: tuple[str, str]) -> None:
    """IW-51."""
    assert days(question) == span


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("in March", ("2026-03-01", "2026-03-31")),
        ("in December", ("2026-12-01", "2026-12-31")),
        ("in may", ("2026-05-01", "2026-05-31")),
        ("last May", ("2026-05-01", "2026-05-31")),
        ("last December", ("2025-12-01", "2025-12-31")),
        ("the talk of March last year", ("2025-03-01", "2025-03-31")),
        ("March 2024", ("2024-03-01", "2024-03-31")),
        ("in mid-March", ("2026-03-01", "2026-03-31")),
        ("on March 5", day("2026-03-05")),
        ("March 5th, 2025", day("2025-03-05")),
        ("5 March 2025", day("2025-03-05")),
        ("the 5th of March", day("2026-03-05")),
        ("December 24", day("2025-12-24")),
        ("May 5", day("2026-05-05")),
        ("March 5-7", ("2026-03-05", "2026-03-07")),
        ("2026-03-05", day("2026-03-05")),
        ("notes of 2026-03", ("2026-03-01", "2026-03-31")),
        ("in 2025", ("2025-01-01", "2025-12-31")),
        ("Q1 2026", ("2026-01-01", "2026-03-31")),
        ("plans of Q4", ("2026-10-01", "2026-12-31")),
        ("since March", ("2026-03-01", "")),
        ("before 2026-03-01", ("", "2026-02-28")),
        ("after March 2026", ("2026-04-01", "")),
        ("until 2026-03-05", ("", "2026-03-05")),
        ("between March and May", ("2026-03-01", "2026-05-31")),
        ("between November and February", ("2025-11-01", "2026-02-28")),
        ("from 2026-01-01 to 2026-02-01", ("2026-01-01", "2026-02-01")),
        ("the week before 2026-08-11", ("2026-08-04", "2026-08-11")),
        ("two weeks before August 11, 2026", ("2026-07-28", "2026-08-11")),
        ("the last weekend before April 10, 2026", ("2026-04-03", "2026-04-10")),
        ("three days after 2026-03-05", ("2026-03-05", "2026-03-08")),
        ("after 2026-03-01 and before 2026-04-01", ("2026-03-02", "2026-03-31")),
    ],
)
def test_written_dates_are_read(question: str, span: tuple[str, str]) -> None:
    assert days(question) == span


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("今天", day("2026-12-02")),
        ("昨天发生了什么", day("2026-12-01")),
        ("前天的会议", day("2026-11-30")),
        ("上周讨论的 API 问题", LAST_WEEK),
        ("上星期", LAST_WEEK),
        ("上个周末", ("2026-11-28", "2026-11-29")),
        ("本周", THIS_WEEK),
        ("这周计划", THIS_WEEK),
        ("上个月", NOVEMBER),
        ("本月", ("2026-12-01", "2026-12-31")),
        ("这个月花了多少", ("2026-12-01", "2026-12-31")),
        ("去年", ("2025-01-01", "2025-12-31")),
        ("今年", ("2026-01-01", "2026-12-31")),
        ("前年", ("2024-01-01", "2024-12-31")),
        ("三天前", day("2026-11-29")),
        ("十二天前", day("2026-11-20")),
        ("两周前", ("2026-11-16", "2026-11-22")),
        ("3个月前", ("2026-09-01", "2026-09-30")),
        ("三月", ("2026-03-01", "2026-03-31")),
        ("3月份的账单", ("2026-03-01", "2026-03-31")),
        ("去年三月", ("2025-03-01", "2025-03-31")),
        ("3月5日", day("2026-03-05")),
        ("2026年3月", ("2026-03-01", "2026-03-31")),
        ("2026年3月5日", day("2026-03-05")),
        ("2025年", ("2025-01-01", "2025-12-31")),
        ("2026年第一季度", ("2026-01-01", "2026-03-31")),
        ("上周三", day("2026-11-25")),
        ("周一", day("2026-11-30")),
        ("最近一周", ("2026-11-25", "2026-12-02")),
        ("过去7天", ("2026-11-25", "2026-12-02")),
        ("三月以来", ("2026-03-01", "")),
        ("2026年3月1日之前", ("", "2026-02-28")),
        ("3月1日到3月5日", ("2026-03-01", "2026-03-05")),
        ("昨日の会議", day("2026-12-01")),
        ("先週何をした", LAST_WEEK),
        ("先月", NOVEMBER),
        ("2週間前", ("2026-11-16", "2026-11-22")),
        ("先週の月曜日", day("2026-11-23")),
        ("어제 한 일", day("2026-12-01")),
        ("지난주 회의", LAST_WEEK),
        ("지난달", NOVEMBER),
        ("3일 전", day("2026-11-29")),
    ],
)
def test_chinese_japanese_and_korean_words_are_read(question: str, span: tuple[str, str]) -> None:
    assert days(question) == span


@pytest.mark.parametrize(
    "question",
    [
        "recently",
        "I may march in the parade",
        "may 5 people march 5 miles",
        "march in the army",
        "monday standup",
        "port 2025",
        "100 days of code",
        "last time we met",
        "how long ago was it",
        "next week",
        '"last week" was a film',
        "“昨天”这首歌",
        "`yesterday()` returns a date",
        "see [[2026-03-05]]",
        "memory/2026-03-09",
        "2026-01-05.md",
        "today.md",
        "v2026-03",
        "CVE-2026-03-05-1",
        "#2026-03-05",
        "id_2026-03-05",
        "目前天气",
        "网上周边",
        "每周三例会",
        "下周三",
        "一周一次",
        "日本周边",
        "最近怎么样",
        "2026-13-45",
        "9999 years ago",
        "February 30",
        "",
    ],
)
def test_what_is_no_time_is_left_alone(question: str) -> None:
    reading = read_time(question, TODAY)
    assert (reading.text, reading.span, reading.words) == (question, None, ())


@pytest.mark.parametrize(
    ("question", "rest", "words"),
    [
        ("the API problem we discussed last week", "the API problem we discussed", ("last week",)),
        ("last Monday's review", "review", ("last Monday",)),
        ("notes from yesterday about pumps", "notes about pumps", ("yesterday",)),
        ("昨天的会议", "会议", ("昨天",)),
        ("上周讨论的 API 问题", "讨论的 API 问题", ("上周",)),
        ("deploy since last week", "deploy", ("since last week",)),
        ("the deploy of 2026-03-05", "the deploy of 2026-03-05", ("2026-03-05",)),
        ("what did we decide in March 2026", "what did we decide in March 2026", ("March 2026",)),
    ],
)
def test_relative_words_leave_the_question_and_written_ones_stay(
    question: str, rest: str, words: tuple[str, ...]
) -> None:
    reading = read_time(question, TODAY)
    assert (reading.text, reading.words) == (rest, words)


@pytest.mark.parametrize(
    "question",
    [
        "what happened yesterday",
        "昨天",
        "昨天发生了什么",
        "上周做了什么",
        "what did I do last week",
        "先週何をした",
        "2026-03-05",
    ],
)
def test_a_question_of_nothing_but_time_is_known(question: str) -> None:
    assert read_time(question, TODAY).is_time_only


@pytest.mark.parametrize(
    "question", ["what did we decide yesterday", "昨天的会议", "what happened", "deploy 2026-03-05"]
)
def test_a_question_about_something_is_not_one_of_time_alone(question: str) -> None:
    assert not read_time(question, TODAY).is_time_only


def test_after_something_of_yesterday_is_yesterday() -> None:
    assert days("after yesterday's meeting") == day("2026-12-01")


def test_two_times_that_share_no_day_mean_everything_between() -> None:
    assert days("compare 2026-01 and 2026-03") == ("2026-01-01", "2026-03-31")


def test_a_pasted_page_is_no_question_of_time() -> None:
    text = "yesterday " * MAX_READ_CHARS
    assert read_time(text, TODAY).text == text


def test_a_reading_says_what_was_read() -> None:
    assert read_time("deploy last week", TODAY).to_dict() == {
        "words": ["last week"],
        "since": "2026-11-23",
        "until": "2026-11-29",
    }
    assert read_time("deploy", TODAY).to_dict() is None


_WORDS = st.sampled_from(
    """last this past week month year Monday March may 5 2026 2026-03-05 2026-13-40 since before after between and from
    to yesterday ago 3 three 999 days of on in the ' " “ ” [[ 上 周 三 个 月 3月 去年 2026年 31日 前 以来 到
    十 先週 の 지난 주 전 \0 \ud800""".split()
)
_TEXTS = st.one_of(
    st.text(st.characters(codec=None), max_size=100),
    st.lists(_WORDS, max_size=12).map(" ".join),
    st.lists(_WORDS, max_size=12).map("".join),
)
_DAYS = st.dates()


@given(_TEXTS, _DAYS)
@settings(deadline=None, max_examples=500)
def test_any_text_is_read_without_error_into_ordered_days(text: str, today: date) -> None:
    """F22, I24."""
    reading = read_time(text, today)
    since, until = reading.span or (None, None)
    assert (since or date.min) <= (until or date.max)
    assert len(reading.text) <= len(text)
    assert bool(reading.words) == (reading.span is not None)


@given(st.text(st.characters(codec=None, exclude_categories=["Nd"]), max_size=100), _DAYS)
@settings(deadline=None, max_examples=300)
def test_a_text_without_time_comes_back_unchanged(text: str, today: date) -> None:
    reading = read_time(text, today)
    assert reading.words or reading.text == text


@given(st.lists(st.tuples(_DAYS, _DAYS), min_size=1, max_size=4))
def test_joined_spans_are_ordered(pairs: list[tuple[date, date]]) -> None:
    joined = join_spans([Span(min(pair), max(pair)) for pair in pairs])
    assert joined is not None
    assert joined.since is not None
    assert joined.until is not None
    assert joined.since <= joined.until


WORDS = """day days week weeks weekend month quarter year years night morning evening before after the a an of in on at
couple few several one two three ten next so far earlier about around wed sat sun q may march 5 q3 2026-03-05 2026
's monday wednesday yesterday today tonight last past previous current this ago since until early mid late""".split()


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join))
def test_what_has_no_hint_of_time_has_none(text: str) -> None:
    assert LATIN_HINT.search(text) or not find_mentions(text, TODAY, latin_atoms())
    assert not find_mentions(text, TODAY, dense_atoms())


def test_a_plain_question_without_time_makes_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take longer to make than the question to answer."""

    def refuse(source: str) -> Never:
        raise AssertionError(source)

    monkeypatch.setattr(reading, "compiled", refuse)
    assert read_time('who has the key to "the shed"?', TODAY) == reading.TimeReading('who has the key to "the shed"?')
