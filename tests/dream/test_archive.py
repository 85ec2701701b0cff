"""Old notes of a day are put away, those that somebody meant to keep stay, and all come back."""

from __future__ import annotations

import os
from datetime import date

import pytest
from bench_vault import BenchVault
from kept_vault import Kept

from clawvault.dream.retention.archive import apply_archive, parse_age, plan_archive, restore, undo_archive
from clawvault.errors import NotFoundError, UsageError
from clawvault.keeping.means import Means

BEFORE = date(2026, 1, 1)
OLD, PUT_AWAY = "memory/2025-03-01.md", "archive/2025/memory/2025-03-01.md"


@pytest.fixture
def means(kept: Kept) -> Means:
    return kept.keeper().means


def going(means: Means, **options: bool) -> list[str]:
    return [note.path for note in plan_archive(means, BEFORE, **options).notes]


def reasons(means: Means) -> dict[str, str]:
    return {note.path: note.reason for note in plan_archive(means, BEFORE).staying}


def test_old_notes_of_a_day_go_and_no_others(kept: Kept, means: Means) -> None:
    kept.put(OLD, "old\n")
    kept.put("daily/2025-12-31-standup.md", "old too\n")
    kept.put("memory/2026-01-01.md", "not yet\n")
    kept.put("projects/plan.md", "---\ndate: 2020-01-01\n---\nno day in its name\n")
    kept.put("MEMORY.md", "memory\n")
    before = kept.files()
    plan = plan_archive(means, BEFORE)
    assert [(note.path, note.target, note.n_bytes) for note in plan.notes] == [
        ("daily/2025-12-31-standup.md", "archive/2025/daily/2025-12-31-standup.md", 8),
        (OLD, PUT_AWAY, 4),
    ]
    assert (plan.n_bytes, plan.staying, kept.files()) == (12, (), before)


def test_what_somebody_meant_to_keep_stays_and_says_why(kept: Kept, means: Means) -> None:
    kept.put("memory/2025-01-01.md", "---\nevergreen: true\n---\nx\n")
    kept.put("memory/2025-01-02.md", "---\nimportance: 7\n---\nx\n")
    kept.put("memory/2025-01-03.md", "x\n\n- item <!-- pin -->\n")
    kept.put("memory/2025-01-04.md", "---\na: [\n---\nx\n")
    kept.put("threads/2025-01-05.md", "x\n")
    kept.put("SOUL.md", "soul\n")
    os.link(kept.root / "SOUL.md", kept.root / "memory/2025-01-06.md")
    assert going(means) == []
    found = reasons(means)
    assert found.pop("memory/2025-01-04.md").startswith("front matter cannot be read")
    assert found == {
        "memory/2025-01-01.md": "evergreen: true",
        "memory/2025-01-02.md": "importance: 7",
        "memory/2025-01-03.md": "line 3 is pinned",
        "memory/2025-01-06.md": "it is SOUL.md, which says who an agent is",
        "threads/2025-01-05.md": "a recorded conversation",
    }


def test_a_note_that_a_lasting_one_links_to_stays_unless_it_is_asked_for(kept: Kept, means: Means) -> None:
    kept.put(OLD, "old\n")
    kept.put("memory/2025-03-02.md", "see [[2025-03-01]]\n")
    kept.put("projects/plan.md", "# Plan\n\nsince [[2025-03-01|March]]\n")
    assert going(means) == ["memory/2025-03-02.md"]
    assert reasons(means) == {OLD: "projects/plan.md:3 links to it, which never fades"}
    (note,) = [note for note in plan_archive(means, BEFORE, even_linked=True).notes if note.path == OLD]
    assert note.linked_from == ("projects/plan.md:3",)


def test_links_that_would_lead_nowhere_are_listed(kept: Kept, means: Means) -> None:
    kept.put(OLD, "[next](2025-03-02.md), [plan](../projects/plan.md), [[plan]]\n")
    kept.put("memory/2025-03-02.md", "[[2025-03-01]] and [[memory/2025-03-01]]\n")
    kept.put("memory/2026-02-01.md", "[then](2025-03-01.md) and [[2025-03-01]] and `[x](2025-03-02.md)`\n")
    kept.put("projects/plan.md", "# Plan\n")
    lost = plan_archive(means, BEFORE).lost_links
    assert [(link.path, link.line, link.target, link.leads_to) for link in lost] == [
        (OLD, 1, "../projects/plan.md", "projects/plan.md"),
        ("memory/2026-02-01.md", 1, "2025-03-01.md", PUT_AWAY),
    ]


def test_notes_are_put_away_and_brought_back_to_the_byte(kept: Kept, means: Means) -> None:
    kept.put(OLD, "\ufeffold\r\n")
    kept.put("memory/2025-03-02.md", "other")
    before = kept.files()
    moved = apply_archive(means, plan_archive(means, BEFORE))
    assert next((note.source, note.target) for note in moved.notes) == (OLD, PUT_AWAY)
    assert sorted(kept.files()) == [PUT_AWAY, "archive/2025/memory/2025-03-02.md"]
    assert kept.told == [OLD, PUT_AWAY, "memory/2025-03-02.md", "archive/2025/memory/2025-03-02.md"]
    assert going(means) == []
    assert undo_archive(means).failed == ()
    assert kept.files() == before
    with pytest.raises(NotFoundError):
        undo_archive(means)


def test_the_last_of_several_times_is_brought_back_first(kept: Kept, means: Means) -> None:
    kept.put("memory/2024-03-01.md", "older")
    apply_archive(means, plan_archive(means, date(2025, 1, 1)))
    kept.put(OLD, "old")
    apply_archive(means, plan_archive(means, BEFORE))
    undo_archive(means)
    assert sorted(kept.files()) == ["archive/2024/memory/2024-03-01.md", OLD]
    undo_archive(means)
    assert sorted(kept.files()) == ["memory/2024-03-01.md", OLD]


def test_one_note_is_brought_back_by_either_of_its_names(kept: Kept, means: Means) -> None:
    kept.put(PUT_AWAY, "old")
    kept.put("archive/2025/memory/2025-03-02.md", "other")
    assert restore(means, [OLD]).notes[0].target == OLD
    assert restore(means, ["archive/2025/memory/2025-03-02.md"]).notes[0].target == "memory/2025-03-02.md"
    with pytest.raises(NotFoundError):
        restore(means, ["memory/2025-03-03.md"])


def test_a_place_that_is_taken_is_never_written_over(kept: Kept, means: Means) -> None:
    kept.put(OLD, "old")
    kept.put(PUT_AWAY, "another")
    assert reasons(means) == {OLD: f'"{PUT_AWAY}" is there already'}
    moved = restore(means, [PUT_AWAY])
    assert (moved.notes, [note.path for note in moved.failed]) == ((), [PUT_AWAY])
    assert kept.files() == {OLD: b"old", PUT_AWAY: b"another"}


def test_a_move_that_was_cut_short_is_brought_back_as_well(kept: Kept, means: Means) -> None:
    kept.put(OLD, "old")
    apply_archive(means, plan_archive(means, BEFORE))
    kept.put(OLD, "old")
    undo_archive(means)
    assert kept.files() == {OLD: b"old"}


def test_what_cannot_be_moved_stays_and_the_rest_goes(kept: Kept, means: Means) -> None:
    kept.put(OLD, "old")
    kept.put("memory/2025-03-02.md", "other")
    plan = plan_archive(means, BEFORE)
    (kept.root / OLD).unlink()
    moved = apply_archive(means, plan)
    assert ([note.source for note in moved.notes], [note.path for note in moved.failed]) == (
        ["memory/2025-03-02.md"],
        [OLD],
    )


def test_a_move_that_failed_is_told_too_because_it_may_have_left_a_copy(kept: Kept, means: Means) -> None:
    kept.put(OLD, "old")
    plan = plan_archive(means, BEFORE)
    (kept.root / OLD).unlink()
    assert apply_archive(means, plan).notes == ()
    assert kept.told == [OLD, PUT_AWAY]


def test_moved_notes_are_not_embedded_again(bench: BenchVault) -> None:
    for day in range(1, 9):
        bench.write(f"memory/2025-03-0{day}.md", f"# Day {day}\n\nthe heron of day {day}\n")
    bench.write("MEMORY.md", "the heron\n")
    bench.sync()
    n_embedded = bench.embedder.n_embedded
    bench.vault.archive(bench.vault.plan_archive("2026-01-01"))
    report = bench.sync()
    assert (report.moved, report.added, report.removed, report.embedded_texts) == (8, 0, 0, 0)
    assert bench.embedder.n_embedded == n_embedded
    assert bench.paths("heron") == ["MEMORY.md"]
    assert len(bench.paths("heron", archive=True)) == 9
    bench.vault.undo_archive()
    assert (bench.sync().moved, bench.embedder.n_embedded) == (8, n_embedded)


@pytest.mark.parametrize(
    ("text", "day"),
    [("0", date(2026, 3, 9)), ("90", date(2025, 12, 9)), ("2025-07-01", date(2025, 7, 1)), ("999999", date(1, 1, 1))],
)
def test_an_age_is_days_or_a_day(text: str, day: date) -> None:
    assert parse_age(text, date(2026, 3, 9)) == day


@pytest.mark.parametrize("text", ["", "-1", "x", "2026-02-30", "9" * 30])
def test_what_is_neither_days_nor_a_day_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_age(text, date(2026, 3, 9))
