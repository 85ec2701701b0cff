"""The diary of dreaming, for a person to read: pure text, no model, never a note of the index (L35)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from clawvault.dream.scoring.candidates import Candidate
from clawvault.dream.scoring.score import MAX_AGE_DAYS
from clawvault.vault.ignoring import DIARY_MARK

# What needs little more, and what is about to be too old, is told; the best of it.
NEARLY_SCORE = 0.6
FADING_DAYS = 14
MOST_TOLD = 3
NEARLY_CODES = frozenset({"score", "recalls", "queries", "days"})

ENGLISH = {
    "title": "Dreams",
    "intro": "What each night found in the daily notes: what stays, what nearly does, what is fading.",
    "kept": "Kept:",
    "waiting": "Would be kept:",
    "nearly": "Nearly:",
    "fading": "Fading:",
    "source": "From [[{note}]], line {line}. Found on {days} by {queries}.",
    "day": "one day",
    "many_days": "{n} days",
    "query": "one question",
    "many_queries": "{n} different questions",
    "score": "a surer match",
    "recalls": "to be found once more",
    "queries": "another question that finds it",
    "days": "another day",
    "needs": "Still missing: {needs}.",
    "and": ", ",
    "last": "Not found for {age} days; after {limit} it no longer counts.",
}
CHINESE = {
    "title": "梦",
    "intro": "每个夜晚在每日笔记里的发现：什么留下，什么几乎留下，什么正在淡去。",
    "kept": "留下的：",
    "waiting": "本来会留下的：",
    "nearly": "几乎留下的：",
    "fading": "正在淡去的：",
    "source": "来自 [[{note}]] 第 {line} 行。在{days}里被{queries}找到。",
    "day": "一天",
    "many_days": " {n} 天",
    "query": "一个问题",
    "many_queries": " {n} 个不同的问题",
    "score": "更明确的匹配",
    "recalls": "再被找到一次",
    "queries": "另一个能找到它的问题",
    "days": "另外一天",
    "needs": "还缺：{needs}。",
    "and": "、",
    "last": "已有 {age} 天没有被找到；{limit} 天之后不再计算。",
}


@dataclass(frozen=True, slots=True)
class Story:
    """What there is to tell of one night.

    ``kept`` was written, or would be where ``written`` is false; ``nearly`` needs little more; ``fading`` was not found
    for a while. Each is a few candidates, the best first.
    """

    day: date
    kept: tuple[Candidate, ...] = ()
    nearly: tuple[Candidate, ...] = ()
    fading: tuple[Candidate, ...] = ()
    written: bool = True

    def told(self) -> list[str]:
        """Return what it tells, so that the next night does not tell it again."""
        kept = "kept" if self.written else "waiting"
        named = {kept: self.kept, "nearly": self.nearly, "fading": self.fading}
        return [f"{name}:{item.key}" for name, items in named.items() for item in items]


def find_story(
    day: date, items: Sequence[Candidate], kept: Sequence[Candidate], told: Sequence[str], *, written: bool
) -> Story:
    """Return what is worth telling of a night: nothing that was told before.

    Args:
        day: The local day.
        items: Everything that was weighed, the best first.
        kept: What was promoted, or would be.
        told: What earlier nights told.
        written: It was promoted.
    """
    known = frozenset(told)
    # Found once is no story yet.
    open_ones = [i for i in items if i.text and i.trace.recalls > 1 and i.reasons and set(i.reasons) <= NEARLY_CODES]
    nearly = [i for i in open_ones if i.score.best >= NEARLY_SCORE and f"nearly:{i.key}" not in known]
    old = [i for i in open_ones if FADING_DAYS <= i.trace.age_days(day) <= MAX_AGE_DAYS]
    fading = [i for i in old if f"fading:{i.key}" not in known]
    prefix = "kept" if written else "waiting"
    shown = [item for item in kept if f"{prefix}:{item.key}" not in known]
    chosen = nearly[:MOST_TOLD]
    return Story(day, tuple(shown), tuple(chosen), tuple(i for i in fading if i not in chosen)[:MOST_TOLD], written)


def render_story(story: Story, *, chinese: bool = False) -> str:
    """Return the section of one night; empty when there is nothing to tell."""
    words = CHINESE if chinese else ENGLISH
    parts: list[str] = []
    kept = "kept" if story.written else "waiting"
    for name, items in ((kept, story.kept), ("nearly", story.nearly), ("fading", story.fading)):
        if items:
            said = "\n".join(_render_item(item, name, story.day, words) for item in items)
            parts.append(f"{words[name]}\n\n{said}")
    return "\n\n".join([f"## {story.day.isoformat()}", *parts]) + "\n" if parts else ""


def _render_item(item: Candidate, part: str, day: date, words: dict[str, str]) -> str:
    source = words["source"].format(
        note=item.path.rpartition(".")[0],
        line=item.line_start,
        days=_number(len(item.trace.days), "day", "many_days", words),
        queries=_number(len(item.trace.queries), "query", "many_queries", words),
    )
    lines = [f"- {item.text}", f"  {source}"]
    if part == "nearly":
        lines.append("  " + words["needs"].format(needs=words["and"].join(words[code] for code in item.reasons)))
    if part == "fading":
        lines.append("  " + words["last"].format(age=item.trace.age_days(day), limit=MAX_AGE_DAYS))
    return "\n".join(lines)


def _number(n: int, one: str, many: str, words: dict[str, str]) -> str:
    return words[one] if n == 1 else words[many].format(n=n)


def add_story(text: str, section: str, newline: str, *, chinese: bool = False) -> str:
    """Put a section at the end of the diary, which is begun when it is empty."""
    words = CHINESE if chinese else ENGLISH
    section = section.replace("\n", newline)
    if not text.strip():
        return newline.join([DIARY_MARK, f"# {words['title']}", "", words["intro"], "", ""]) + section
    return text + ("" if text.endswith("\n") else newline) + newline + section


def is_diary(text: str) -> bool:
    """Say whether a note is the diary, and not a person's own of that name."""
    return not text.strip() or text.lstrip("\ufeff \t\r\n").startswith(DIARY_MARK)
