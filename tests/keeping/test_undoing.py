"""A change is taken back to the byte, and taking back is a change."""

from __future__ import annotations

import pytest
from kept_vault import Kept

from clawvault.errors import ClawvaultError, ConflictError, NotFoundError
from clawvault.keeping.keeper import Keeper


def test_the_newest_change_is_taken_back_to_the_byte(keeper: Keeper, kept: Kept) -> None:
    """I04."""
    data = "\ufeffa\r\nb\nno end".encode("utf-16-le")
    (kept.root / "a.md").write_bytes(data)
    keeper.append("a.md", "x")
    assert keeper.undo().operation == "undo"
    assert (kept.root / "a.md").read_bytes() == data


def test_taking_back_can_be_taken_back(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    keeper.append("a.md", "two")
    back = keeper.undo()
    keeper.undo(back.undo_id)
    assert kept.text("a.md") == "one\ntwo\n"


def test_a_note_that_was_changed_since_is_left_unless_forced(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    identity = keeper.append("a.md", "two").undo_id
    kept.put("a.md", "edited\n")
    with pytest.raises(ConflictError, match="changed after"):
        keeper.undo(identity)
    keeper.undo(identity, force=True)
    assert kept.text("a.md") == "one\n"


def test_a_note_that_was_made_is_not_deleted(keeper: Keeper, kept: Kept) -> None:
    """Decisions, "Retention": nothing is ever deleted."""
    keeper.append("a.md", "one")
    with pytest.raises(ClawvaultError, match="nothing is ever deleted"):
        keeper.undo()
    assert kept.text("a.md") == "one\n"


def test_a_note_that_is_gone_comes_back(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    keeper.append("a.md", "two")
    (kept.root / "a.md").unlink()
    keeper.undo()
    assert kept.text("a.md") == "one\n"


def test_there_may_be_nothing_to_take_back(keeper: Keeper) -> None:
    with pytest.raises(NotFoundError, match="nothing to undo"):
        keeper.undo()


def test_changes_are_listed_newest_first(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    keeper.append("a.md", "two")
    keeper.log("x")
    assert {(copy.path, copy.operation) for copy in keeper.undo_list()} == {
        ("memory/2026-03-09.md", "log"),
        ("a.md", "append"),
    }
