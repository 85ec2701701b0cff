"""What a person asks to be forgotten goes, line by line, and nothing else."""

from __future__ import annotations

import os

import pytest
from kept_vault import Kept

from clawvault.errors import ConflictError, UsageError
from clawvault.keeping.keeper import Keeper

NOTE = "# Dark mode\r\n\r\n- Likes dark mode.\r\n- Likes tea\r\n\r\n```\r\ndark mode\r\n```\r\n"


def test_lines_that_say_it_are_shown_and_stay(keeper: Keeper, kept: Kept) -> None:
    kept.put("MEMORY.md", NOTE)
    plan = keeper.forget("DARK  mode", dry_run=True)
    assert [(line.path, line.line, line.text) for line in plan.going] == [("MEMORY.md", 3, "- Likes dark mode.")]
    assert not plan.applied
    assert kept.text("MEMORY.md") == NOTE


def test_lines_that_say_it_go_and_an_undo_copy_stays(keeper: Keeper, kept: Kept) -> None:
    """MN-33."""
    kept.put("MEMORY.md", NOTE)
    done = keeper.forget("likes dark mode")
    assert kept.text("MEMORY.md") == NOTE.replace("- Likes dark mode.\r\n", "")
    assert done.applied
    keeper.undo(done.undo_ids[0])
    assert kept.text("MEMORY.md") == NOTE


def test_headings_and_code_are_shown_and_stay(keeper: Keeper, kept: Kept) -> None:
    kept.put("MEMORY.md", NOTE)
    stays = [line for line in keeper.forget("dark mode").lines if line.kept]
    assert [line.line for line in stays] == [1, 7]
    assert "# Dark mode" in kept.text("MEMORY.md")


def test_every_note_is_looked_into(keeper: Keeper, kept: Kept) -> None:
    for path in ("a.md", "memory/2026-03-01.md", "topics/x.md"):
        kept.put(path, "one\nsecret plan\ntwo")
    assert len(keeper.forget("secret plan").undo_ids) == 3
    assert {kept.text(path) for path in ("a.md", "memory/2026-03-01.md", "topics/x.md")} == {"one\ntwo"}


def test_notes_of_people_and_recorded_conversations_stay(keeper: Keeper, kept: Kept) -> None:
    """IW-79, MN-52, T05."""
    for path in ("USER.md", "threads/1/2.md"):
        kept.put(path, "secret plan\n")
    os.link(kept.root / "USER.md", kept.root / "hard.md")
    files = kept.files()
    done = keeper.forget("secret plan")
    assert [(line.path, line.kept) for line in done.lines] == [
        ("USER.md", "USER.md is changed by people alone"),
        ("hard.md", "USER.md is changed by people alone"),
        ("threads/1/2.md", "a recorded conversation"),
    ]
    assert kept.files() == files


@pytest.mark.parametrize("path", ["work/AGENTS.md", "a/b/claude.md", "x/SOUL.md", "TOOLS.md"])
def test_what_agents_take_orders_from_stays_in_any_folder(keeper: Keeper, kept: Kept, path: str) -> None:
    """IW-79, T05, T06."""
    kept.put(path, "one\nsecret plan\n")
    done = keeper.forget("secret plan")
    assert [line.kept for line in done.lines] == ["agents take orders from files of that name; edit it yourself"]
    assert kept.text(path) == "one\nsecret plan\n"


def test_only_lines_that_were_agreed_to_go(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "secret plan\n")
    shown = keeper.forget("secret plan", dry_run=True).going
    kept.put("a.md", "secret plan\nnew secret plan\n")
    keeper.forget("secret plan", shown=shown)
    assert kept.text("a.md") == "new secret plan\n"


def test_many_lines_do_not_go_unseen(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "secret plan\n" * 21)
    with pytest.raises(ConflictError, match="21 lines"):
        keeper.forget("secret plan")
    keeper.forget("secret plan", shown=keeper.forget("secret plan", dry_run=True).going)
    assert kept.text("a.md") == ""


def test_nothing_that_says_it_changes_nothing(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "text\n")
    assert keeper.forget("secret plan").lines == ()


@pytest.mark.parametrize("text", ["", "a", "ab", "。", "-- .."])
def test_a_text_that_stands_everywhere_is_refused(keeper: Keeper, text: str) -> None:
    with pytest.raises(UsageError, match="too short"):
        keeper.forget(text)


def test_two_chinese_characters_are_enough(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "- 喜欢深色模式\n- 喜欢茶\n")
    keeper.forget("深色")
    assert kept.text("a.md") == "- 喜欢茶\n"
