"""What a person asks to be forgotten goes, line by line, and nothing else."""

from __future__ import annotations

import os
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_vault import Kept

from clawvault.errors import ConflictError, UsageError
from clawvault.keeping.entries import Wanted, find_entries
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
    plan = keeper.forget("dark mode", dry_run=True)
    stays = [line for line in keeper.forget("dark mode", shown=plan.going).lines if line.kept]
    assert [line.line for line in stays] == [1, 7]
    assert "# Dark mode" in kept.text("MEMORY.md")


def test_every_note_is_looked_into(keeper: Keeper, kept: Kept) -> None:
    for path in ("a.md", "memory/2026-03-01.md", "topics/x.md"):
        kept.put(path, "One.\nSecret plan.\nTwo")
    assert len(keeper.forget("secret plan").undo_ids) == 3
    assert {kept.text(path) for path in ("a.md", "memory/2026-03-01.md", "topics/x.md")} == {"One.\nTwo"}


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


@pytest.mark.parametrize("text", ["a", "ab", "- ab"])
def test_a_text_that_stands_everywhere_is_refused(keeper: Keeper, text: str) -> None:
    with pytest.raises(UsageError, match=f'"{text}" is too short'):
        keeper.forget(text)


@pytest.mark.parametrize("text", ["", "。", "-- .."])
def test_a_text_without_a_word_is_refused(keeper: Keeper, text: str) -> None:
    with pytest.raises(UsageError, match="nothing to forget in that text"):
        keeper.forget(text)


def test_two_chinese_characters_are_enough(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "- 喜欢深色模式\n- 喜欢茶\n")
    keeper.forget("深色", shown=keeper.forget("深色", dry_run=True).going)
    assert kept.text("a.md") == "- 喜欢茶\n"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("- Samira likes tea", "Mira likes tea"),
        ("- Mira likes teapots", "Mira likes tea"),
        ("- the server is at 10.0.0.12", "server is at 10.0.0.1"),
        ("- salary is 5000 EUR and his address is Main Street", "salary is 500"),
        ("工资是5000元", "工资是500"),
    ],
)
def test_a_part_of_a_word_or_number_is_no_match(keeper: Keeper, kept: Kept, line: str, text: str) -> None:
    """MN-33."""
    kept.put("a.md", f"{line}\n")
    assert keeper.forget(text, dry_run=True).lines == ()
    assert keeper.forget(text).lines == ()
    assert kept.text("a.md") == f"{line}\n"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("- Anna is not allergic to nuts", "allergic to nuts"),
        ("- the balance is -500", "the balance is 500"),
        ("- the version is 1.2.3", "the version is 1.2"),
        ("- writes C++", "writes C"),
        ("- costs 5 €", "costs 5 $"),
        ("- eats 🍕 often", "eats 🍺 often"),
        ("Anna is not\nallergic to nuts", "allergic to nuts"),
        ("allergic to nuts\nno longer", "allergic to nuts"),
        ("| Anna | allergic to nuts |\n| --- | --- |", "allergic to nuts"),
        ("- 用户喜欢深色模式", "深色模式"),
        ("我用iPhone手机", "iPhone"),
    ],
)
def test_what_says_more_than_the_text_does_not_go_unseen(keeper: Keeper, kept: Kept, line: str, text: str) -> None:
    """MN-33."""
    kept.put("a.md", f"{line}\n")
    plan = keeper.forget(text, dry_run=True)
    assert [line.whole for line in plan.going] == [False]
    with pytest.raises(ConflictError, match="says more than that"):
        keeper.forget(text)
    assert kept.text("a.md") == f"{line}\n"
    keeper.forget(text, shown=plan.going)
    assert all(line.text not in kept.text("a.md") for line in plan.going)


@pytest.mark.parametrize(
    ("note", "text"),
    [
        ("- Otto\n  drinks rum\n", "Otto drinks rum"),
        ("Otto\n  drinks rum\n", "otto drinks RUM."),
        ("> Otto\n> drinks rum\n", "Otto drinks rum"),
        ("- 14:05 Otto drinks rum <!-- pin -->\n", "Otto drinks rum"),
        ("- [x] Otto drinks rum ^abc\n", "- Otto drinks rum"),
        ("- Otto <!-- pin -->\n  drinks rum\n", "Otto drinks rum"),
        ("喜欢深\n色模式\n", "喜欢深色模式"),
        ("- 나는 차를\n  좋아한다\n", "나는 차를 좋아한다"),
    ],
)
def test_a_fact_goes_however_it_is_wrapped_and_marked(keeper: Keeper, kept: Kept, note: str, text: str) -> None:
    """MN-33."""
    kept.put("a.md", f"# A\n\n{note}\nrest\n")
    assert all(line.whole for line in keeper.forget(text).going)
    assert kept.text("a.md") == "# A\n\n\nrest\n"


def test_the_item_of_a_list_goes_whole(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "- one\n- Otto:\n  - drinks rum\n\n  in the evening\nlazily\n- two\n")
    plan = keeper.forget("Otto", dry_run=True)
    assert [(line.line, line.whole) for line in plan.going] == [(2, False), (3, False), (5, False), (6, False)]
    keeper.forget("Otto", shown=plan.going)
    assert kept.text("a.md") == "- one\n- two\n"


def test_an_item_inside_another_goes_by_itself(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "- Otto:\n  - drinks rum\n  - sings\n")
    keeper.forget("drinks rum")
    assert kept.text("a.md") == "- Otto:\n  - sings\n"


def test_an_item_of_which_a_line_is_new_was_not_agreed_to(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "- Otto\n  drinks rum\n")
    shown = keeper.forget("Otto", dry_run=True).going
    kept.put("a.md", "- Otto\n  drinks rum\n  and sings\n")
    keeper.forget("Otto", shown=shown)
    assert kept.text("a.md") == "- Otto\n  drinks rum\n  and sings\n"


PIECES = st.sampled_from(
    [
        "tea",
        "Mira",
        "likes",
        "茶",
        "喜欢",
        "10.0",
        "\n",
        "\n\n",
        "- ",
        "  - ",
        "> ",
        "| ",
        "  ",
        " ",
        "# ",
        "```",
        "\r\n",
        "1. ",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["Mira likes", "tea", "喜欢茶", "10.0"]))
@settings(deadline=None)
def test_what_goes_says_the_text_and_nothing_goes_twice(text: str, said: str) -> None:
    wanted = Wanted(said)
    entries = list(find_entries(text, wanted))
    numbers = [number for entry in entries for number in entry.lines]
    assert numbers == sorted(set(numbers))
    lines = text.split("\n")
    assert all(wanted.is_in(" ".join(lines[number - 1] for number in entry.lines)) for entry in entries)
    assert all(wanted.may_be_in(text) for _ in entries)


def test_a_long_note_that_says_it_in_each_line_is_read_at_once() -> None:
    """B073."""
    began = process_time()
    assert len(list(find_entries("Mira likes tea and cake\n" * 20_000, Wanted("likes tea")))) == 20_000
    assert process_time() - began < 10
