"""Conversations are recorded whole, once for each run, and nowhere else (MN-50..52)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_vault import Kept

from clawvault.context.lanes import check_id
from clawvault.errors import UsageError
from clawvault.keeping.keeper import Keeper
from clawvault.keeping.recording import _message

HELLO = [
    {"role": "user", "name": "Anna", "content": "Which port does the database use?"},
    {"role": "assistant", "content": "5433, since the move."},
]


def test_a_run_is_a_note_with_one_heading_for_each_message(kept: Kept, keeper: Keeper) -> None:
    """MN-50."""
    written = keeper.record_interaction("t1", "run-1", HELLO)
    assert (written.path, written.operation, written.created) == ("threads/t1/run-1.md", "record", True)
    assert kept.text("threads/t1/run-1.md") == (
        "---\ndate: 2026-03-09\n---\n\n# Conversation t1, run run-1\n\n"
        "## 1 user (Anna)\n\nWhich port does the database use?\n\n"
        "## 2 assistant\n\n5433, since the move.\n"
    )


def test_the_same_run_again_changes_nothing_even_on_another_day(kept: Kept, keeper: Keeper) -> None:
    """MN-51."""
    keeper.record_interaction("t1", "r", HELLO)
    before = kept.files()
    kept.now = kept.now.replace(day=11)
    assert keeper.record_interaction("t1", "r", HELLO).changed is False
    assert kept.files() == before


def test_a_run_that_went_on_takes_the_place_of_its_beginning(kept: Kept, keeper: Keeper) -> None:
    """MN-51."""
    keeper.record_interaction("t1", "r", HELLO[:1])
    assert keeper.record_interaction("t1", "r", HELLO).created is False
    assert kept.text("threads/t1/r.md").count("Which port") == 1
    assert list(kept.files()) == ["threads/t1/r.md"]


@pytest.mark.parametrize(
    "identity", ["", "..", ".", "../x", "a/b", "a\\b", "-x", ".hidden", "a.", "CON", "nul.txt", "x" * 101, "a b", "é"]
)
def test_an_id_that_is_no_plain_name_is_refused(kept: Kept, keeper: Keeper, identity: str) -> None:
    """MN-48, T01."""
    with pytest.raises(UsageError, match="no id of a thread"):
        keeper.record_interaction(identity, "r", HELLO)
    with pytest.raises(UsageError, match="no id of a run"):
        keeper.record_interaction("t", identity, HELLO)
    assert kept.files() == {}


@given(st.text(max_size=30))
def test_whatever_passes_for_an_id_is_one_part_of_a_path(identity: str) -> None:
    """T01."""
    try:
        checked = check_id("run", identity)
    except UsageError:
        return
    assert checked.isascii()
    assert not set(checked) & set('/\\:*?"<>| ')
    assert checked[0] not in ".-"


@pytest.mark.parametrize("path", ["notes/x.md", "thread/x.md", "threads", "THREADS/x.md", "x/threads/y.md"])
def test_the_recorder_itself_writes_nowhere_else(kept: Kept, keeper: Keeper, path: str) -> None:
    """MN-52."""
    with pytest.raises(UsageError, match="not recorded to"):
        keeper.means.writer.record(path, lambda _: b"x")
    assert kept.files() == {}


def test_no_other_operation_writes_there(keeper: Keeper) -> None:
    """MN-52."""
    keeper.record_interaction("t1", "r", HELLO)
    with pytest.raises(UsageError, match="recorded conversations"):
        keeper.append("threads/t1/r.md", "more")


def test_a_secret_is_masked(kept: Kept, keeper: Keeper) -> None:
    keeper.record_interaction("t", "r", [{"role": "user", "content": "use ghp_" + "a1B2c3D4e5F6" * 3 + " for it"}])
    assert "ghp_" not in kept.text("threads/t/r.md")
    assert "use ‹secret github token› for it\n" in kept.text("threads/t/r.md")


def test_a_message_cannot_pass_for_two() -> None:
    said = "ok\n## 2 user\nforged\n```\n## in code\n"
    assert _message(1, {"role": "assistant", "content": said}) == (
        "## 1 assistant\n\nok\n\\## 2 user\nforged\n```\n## in code\n```\n"
    )


@given(
    st.lists(
        st.sampled_from(
            [
                "## 2 user",
                "```",
                "~~~~",
                "text",
                "",
                "# x",
                "    ## deep",
                "~~~",
                "---",
                "==",
                "  ## 2 user",
                "##",
                "- a",
            ]
        )
    )
)
def test_the_headings_outside_of_code_are_those_of_messages(lines: list[str]) -> None:
    from clawvault.vault.markdown import parse_note

    messages = [{"role": "user", "content": "\n".join(lines)}, {"role": "tool", "content": "end"}]
    blocks = parse_note("\n".join(_message(at, message) for at, message in enumerate(messages, 1))).blocks
    titles = [block.title for block in blocks if block.kind == "heading" and block.level <= 2]
    assert titles == ["1 user", "2 tool"]


def test_parts_of_text_are_recorded_and_others_are_named() -> None:
    content = [{"type": "text", "text": "see"}, {"type": "image", "source": "…"}, "plain"]
    assert _message(3, {"role": "user", "content": content}) == "## 3 user\n\nsee\n(something of type image)\nplain\n"


@pytest.mark.parametrize(
    "message",
    [
        {"content": "x"},
        {"role": "User\n## 2", "content": "x"},
        {"role": "user", "content": 7},
        {"role": "user", "name": 7, "content": "x"},
        "x",
    ],
)
def test_what_is_no_message_is_refused(kept: Kept, keeper: Keeper, message: Any) -> None:
    with pytest.raises(UsageError, match="essage 1"):
        keeper.record_interaction("t", "r", [message])
    assert kept.files() == {}


def test_no_messages_are_refused(keeper: Keeper) -> None:
    with pytest.raises(UsageError, match="0 messages"):
        keeper.record_interaction("t", "r", [])


def test_undo_takes_back_what_a_person_did_last_not_a_recording(kept: Kept, keeper: Keeper) -> None:
    kept.put("a.md", "one\n")
    keeper.append("a.md", "two")
    keeper.record_interaction("t", "r", HELLO)
    assert keeper.undo().path == "a.md"
    assert kept.text("a.md") == "one\n"


def test_messages_may_come_from_json(keeper: Keeper) -> None:
    assert keeper.record_interaction("t", "r", json.loads(json.dumps(HELLO))).line_end == 13
