"""A fact is kept once, where a person would look for it."""

from __future__ import annotations

import pytest
from kept_vault import Kept

from clawvault.errors import ConflictError, UsageError
from clawvault.keeping.keeper import Keeper
from clawvault.keeping.likeness import find_alike, likeness
from clawvault.keeping.routing import find_category

MEMORY = "# Memory\n\n## Key contacts\n\n## Preferences and decisions\n\n- Prefers tea\n"


def test_dark_mode_lands_in_the_memory_note(keeper: Keeper, kept: Kept) -> None:
    """TC-23: under the heading of its category, one self-contained line (MN-27)."""
    kept.put("MEMORY.md", MEMORY)
    written = keeper.remember("I like\n dark mode", "preference")
    assert kept.text("MEMORY.md") == MEMORY + "- I like dark mode\n"
    assert (written.path, written.line_start, written.line_end) == ("MEMORY.md", 8, 8)


def test_a_vault_without_a_memory_note_gets_one(keeper: Keeper, kept: Kept) -> None:
    keeper.remember("The port is 5433")
    assert kept.text("MEMORY.md") == "# Memory\n\n## Facts\n\n- The port is 5433\n"


def test_a_chinese_fact_makes_a_chinese_note(keeper: Keeper, kept: Kept) -> None:
    keeper.remember("用户喜欢深色模式", "偏好")
    assert kept.text("MEMORY.md") == "# 长期记忆\n\n## 偏好与决定\n\n- 用户喜欢深色模式\n"


def test_a_heading_in_the_other_language_is_used(keeper: Keeper, kept: Kept) -> None:
    kept.put("MEMORY.md", "# 长期记忆\n\n## 重要联系人\n")
    keeper.remember("Mira is the architect", "person")
    assert kept.text("MEMORY.md") == "# 长期记忆\n\n## 重要联系人\n\n- Mira is the architect\n"


def test_a_topic_of_ones_own_has_a_note_and_a_pointer(keeper: Keeper, kept: Kept) -> None:
    keeper.remember("Runs ten kilometres each week", "Health & Sport")
    assert kept.text("topics/health-sport.md") == "# Health sport\n\n- Runs ten kilometres each week\n"
    assert kept.text("MEMORY.md") == "# Memory\n\n## Topics\n\n- Health sport: [[topics/health-sport]]\n"


def test_a_topic_is_pointed_to_once(keeper: Keeper, kept: Kept) -> None:
    keeper.remember("Runs ten kilometres each week", "health")
    keeper.remember("Is allergic to birch pollen", "health")
    assert kept.text("MEMORY.md").count("topics/health") == 1
    assert kept.text("topics/health.md").endswith("- Runs ten kilometres each week\n- Is allergic to birch pollen\n")


@pytest.mark.parametrize("text", ["prefers TEA", "- Prefers tea.", "* [ ] Prefers  tea!"])
def test_what_is_known_is_not_written_again(keeper: Keeper, kept: Kept, text: str) -> None:
    """MN-32."""
    kept.put("MEMORY.md", MEMORY)
    written = keeper.remember(text)
    assert (written.changed, written.line_start) == (False, 7)
    assert written.warnings == ('Line 7 of "MEMORY.md" says it already.',)
    assert kept.text("MEMORY.md") == MEMORY


def test_what_a_topic_note_says_is_known(keeper: Keeper, kept: Kept) -> None:
    kept.put("topics/people.md", "# People\n\n- Mira is the architect\n")
    assert keeper.remember("Mira is the architect").path == "topics/people.md"


def test_what_nearly_repeats_a_line_is_refused_with_that_line(keeper: Keeper, kept: Kept) -> None:
    """MN-32: update the entry that exists."""
    kept.put("MEMORY.md", "# Memory\n\n- The port of the staging database server is 5434\n")
    with pytest.raises(ConflictError, match=r'line 3 of "MEMORY\.md" says'):
        keeper.remember("The port of the staging database server is 5435")
    keeper.remember("The port of the staging database server is 5435", even_if_similar=True)
    assert kept.text("MEMORY.md").endswith("- The port of the staging database server is 5435\n")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("likes dark mode", "likes light mode"),
        ("Mira lives in Lyon", "Tom lives in Bonn"),
        ("用户喜欢深色模式", "用户喜欢浅色模式"),
        ("tea", "coffee"),
    ],
)
def test_different_facts_are_not_alike(one: str, other: str) -> None:
    assert likeness(one, other) < 0.65


def test_the_same_words_in_another_order_are_not_the_same() -> None:
    assert 0.65 <= likeness("Mira reports to Tom Smith", "Tom Smith reports to Mira") < 1.0


def test_headings_and_code_say_nothing() -> None:
    assert find_alike("# Prefers tea\n\n```\nPrefers tea\n```\n", "Prefers tea") is None


def test_a_memory_note_that_grows_is_warned_of(keeper: Keeper, kept: Kept) -> None:
    kept.put("MEMORY.md", "# Memory\n\n" + "x" * 8200 + "\n")
    assert "at 10000 facts go to topic notes" in keeper.remember("The port is 5433").warnings[0]


def test_a_full_memory_note_gets_a_pointer_and_the_fact_a_topic_note(keeper: Keeper, kept: Kept) -> None:
    """Decisions, size of MEMORY.md."""
    kept.put("MEMORY.md", MEMORY + "\n" + "x" * 9950 + "\n")
    written = keeper.remember("Mira is the architect", "people")
    keeper.remember("Tom keeps the servers", "people")
    assert written.path == "topics/people.md"
    assert written.warnings == (
        '"MEMORY.md" is full; the fact is in "topics/people.md", and a line there points to it.',
    )
    assert kept.text("topics/people.md") == "# Key contacts\n\n- Mira is the architect\n- Tom keeps the servers\n"
    assert kept.text("MEMORY.md").count("- Key contacts: [[topics/people]]\n") == 1


@pytest.mark.parametrize("text", ["", "  \n", "- ", "x" * 1001])
def test_a_fact_has_some_length(keeper: Keeper, text: str) -> None:
    with pytest.raises(UsageError):
        keeper.remember(text)


@pytest.mark.parametrize("name", ["", "///", "x" * 41])
def test_a_category_has_a_name(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        find_category(name)
    assert "preferences, decisions, people" in refused.value.hint


@pytest.mark.parametrize("name", ["../x", "a/b", "CON", "..", "threads"])
def test_a_category_never_leads_out_of_its_folder(keeper: Keeper, kept: Kept, name: str) -> None:
    """T01."""
    try:
        keeper.remember("The port is 5433", name)
    except UsageError:
        assert kept.files() == {}
    assert {path.split("/")[0] for path in kept.files()} <= {"topics", "MEMORY.md"}


def test_the_memory_note_of_the_settings_is_written(kept: Kept) -> None:
    keeper = kept.keeper(flags={"memory_file": "memory/MEMORY.md"})
    assert keeper.remember("The port is 5433").path == "memory/MEMORY.md"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Ports 80 -\n90 are open", "- Ports 80 - 90 are open"),
        ("The node-\nexporter is on 9100", "- The node- exporter is on 9100"),
        ("Runs  3 * 4 +\r\n 5 jobs", "- Runs  3 * 4 + 5 jobs"),
        ("- [ ] Anna likes tea - green", "- Anna likes tea - green"),
        ("3. May is the day of the launch", "- 3. May is the day of the launch"),
        ("One\u2028two 2. three", "- One two 2. three"),
    ],
)
def test_a_line_end_becomes_a_space_and_nothing_else_changes(kept: Kept, keeper: Keeper, text: str, line: str) -> None:
    keeper.remember(text)
    assert line in kept.text("MEMORY.md").split("\n")
