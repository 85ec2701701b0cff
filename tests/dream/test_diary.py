"""The diary of dreaming."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from clawvault.dream.recall.recalls import Trace
from clawvault.dream.scoring.candidates import Candidate
from clawvault.dream.scoring.score import Score
from clawvault.dream.telling.diary import add_story, find_story, is_diary, render_story
from clawvault.vault.ignoring import DIARY_MARK

DAY = date(2026, 3, 20)
NOTE = "memory/2026-03-04.md"


def item(key: str, text: str, *reasons: str, age: int = 0, score: float = 0.7, days: int = 3) -> Candidate:
    last = DAY - timedelta(days=age)
    found = tuple(last - timedelta(days=back) for back in range(days - 1, -1, -1))
    trace = Trace(key, NOTE, 3, recalls=4, queries=("a", "b"), days=found)
    return Candidate(key, text, NOTE, 3, 3, trace, Score({}, score), reasons=reasons)


KEPT = item("k", "The port is 5433.")
NEAR = item("n", "Anna prefers strict mode.", "queries", "days", days=1)
FADING = item("f", "The old mail host is gone.", "score", age=16, score=0.5)


def test_a_night_tells_what_stays_what_nearly_does_and_what_fades() -> None:
    story = find_story(DAY, [KEPT, NEAR, FADING], [KEPT], [], written=True)
    assert render_story(story) == (
        "## 2026-03-20\n"
        "\n"
        "Kept:\n"
        "\n"
        "- The port is 5433.\n"
        "  From [[memory/2026-03-04]], line 3. Found on 3 days by 2 different questions.\n"
        "\n"
        "Nearly:\n"
        "\n"
        "- Anna prefers strict mode.\n"
        "  From [[memory/2026-03-04]], line 3. Found on one day by 2 different questions.\n"
        "  Still missing: another question that finds it, another day.\n"
        "\n"
        "Fading:\n"
        "\n"
        "- The old mail host is gone.\n"
        "  From [[memory/2026-03-04]], line 3. Found on 3 days by 2 different questions.\n"
        "  Not found for 16 days; after 30 it no longer counts.\n"
    )


def test_it_is_told_in_chinese_where_the_notes_are() -> None:
    story = find_story(DAY, [NEAR], [], [], written=True)
    assert "还缺：另一个能找到它的问题、另外一天。" in render_story(story, chinese=True)


def test_what_was_told_is_not_told_again() -> None:
    story = find_story(DAY, [KEPT, NEAR, FADING], [KEPT], [], written=True)
    again = find_story(DAY + timedelta(days=1), [KEPT, NEAR, FADING], [KEPT], story.told(), written=True)
    assert again.told() == []
    assert render_story(again) == ""


def test_what_was_only_a_preview_is_told_when_it_is_kept() -> None:
    preview = find_story(DAY, [KEPT], [KEPT], [], written=False)
    assert "Would be kept:" in render_story(preview)
    assert find_story(DAY, [KEPT], [KEPT], preview.told(), written=True).kept == (KEPT,)


def test_what_was_found_once_or_must_not_stay_is_no_story() -> None:
    once = NEAR._replace(trace=replace(NEAR.trace, recalls=1))
    flagged = NEAR._replace(reasons=("days", "flagged"))
    assert find_story(DAY, [once, flagged], [], [], written=True).told() == []


def test_the_diary_begins_with_its_mark_and_grows_at_its_end() -> None:
    """L35: by the mark it is known, and left out of the index."""
    first = add_story("", "## 1\n", "\n")
    assert first.startswith(f"{DIARY_MARK}\n# Dreams\n\n")
    assert add_story(first, "## 2\n", "\n") == first + "\n## 2\n"
    assert is_diary(first)
    assert is_diary("")
    assert not is_diary("# Dreams\n")
