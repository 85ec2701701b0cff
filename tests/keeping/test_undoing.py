"""A change is taken back to the byte, and taking back is a change."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from kept_vault import Kept

from clawvault.config import load_config
from clawvault.errors import ConflictError, NotFoundError
from clawvault.keeping.keeper import Keeper
from clawvault.keeping.means import Written
from clawvault.vault.writing.standing import StandingNote


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


def test_a_note_that_a_change_made_goes_with_it_and_can_come_back(keeper: Keeper, kept: Kept) -> None:
    """I04: its bytes stay in an undo copy."""
    keeper.log("a mistake")
    text = kept.text("memory/2026-03-09.md")
    written = back_with(keeper, kept)
    assert (written.path, written.removed, written.changed) == ("memory/2026-03-09.md", True, True)
    assert written.warnings == (f"What it held is kept for about 7 days: clawvault undo {written.undo_id}",)
    assert kept.files() == {}
    again = back_with(keeper, kept, written.undo_id)
    assert (again.created, again.removed, kept.text("memory/2026-03-09.md")) == (True, False, text)
    assert back_with(keeper, kept).removed


def test_the_newest_change_goes_on_behind_one_that_made_a_note(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    changes(keeper, kept, "two")
    keeper.log("a mistake")
    back(keeper, kept)
    back(keeper, kept)
    assert kept.files() == {"a.md": b"one\n"}
    with pytest.raises(NotFoundError, match="nothing to undo"):
        keeper.undo()


@pytest.mark.parametrize("force", [False, True])
def test_a_made_note_in_which_somebody_wrote_stays(keeper: Keeper, kept: Kept, force: bool) -> None:
    kept.put("a.md", "one\n")
    (earlier,) = changes(keeper, kept, "two")
    made = keeper.append("b.md", "x").undo_id
    kept.put("b.md", "x\nmine\n")
    with pytest.raises(ConflictError, match="changed after that change made it") as caught:
        keeper.undo(force=force)
    assert caught.value.hint.endswith(f'The change before it (append of "a.md"): clawvault undo {earlier}')
    with pytest.raises(ConflictError, match="changed after that change made it"):
        keeper.undo(made, force=force)
    assert kept.text("b.md") == "x\nmine\n"
    assert kept.state.joinpath("undo", made).exists()


def test_a_made_note_goes_once_later_changes_of_it_were_taken_back(keeper: Keeper, kept: Kept) -> None:
    changes(keeper, kept, "one", "two")
    back(keeper, kept)
    assert kept.text("a.md") == "one\n"
    back(keeper, kept)
    assert kept.files() == {}


def test_a_made_note_in_which_somebody_writes_at_that_moment_stays(
    keeper: Keeper, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F25."""
    keeper.append("a.md", "one")

    def write_meanwhile(_: StandingNote, __: str) -> None:
        kept.put("a.md", "one\nmine\n")

    monkeypatch.setattr(StandingNote, "refuse_open", write_meanwhile)
    with pytest.raises(ConflictError, match="changed after that change made it"):
        keeper.undo()
    assert kept.text("a.md") == "one\nmine\n"
    assert len(keeper.undo_list()) == 1


def test_a_made_note_that_is_gone_is_passed_over(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    changes(keeper, kept, "two")
    keeper.append("new/b.md", "x")
    (kept.root / "new/b.md").unlink()
    (kept.root / "new").rmdir()
    back(keeper, kept)
    assert kept.files() == {"a.md": b"one\n"}


def back_with(keeper: Keeper, kept: Kept, identity: str | None = None) -> Written:
    kept.now += timedelta(seconds=1)
    return keeper.undo(identity)


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


def changes(keeper: Keeper, kept: Kept, *texts: str) -> list[str]:
    """Append texts one after the other, and return what takes each back."""
    ids = []
    for text in texts:
        kept.now += timedelta(seconds=1)
        ids.append(keeper.append("a.md", text).undo_id)
    kept.now += timedelta(seconds=1)
    return ids


def back(keeper: Keeper, kept: Kept, identity: str | None = None, *, force: bool = False) -> str:
    kept.now += timedelta(seconds=1)
    return keeper.undo(identity, force=force).undo_id


def test_the_newest_change_taken_back_again_and_again_goes_back_step_by_step(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    changes(keeper, kept, "two", "three", "four")
    back(keeper, kept)
    assert kept.text("a.md") == "one\ntwo\nthree\n"
    back(keeper, kept)
    assert kept.text("a.md") == "one\ntwo\n"
    back(keeper, kept)
    assert kept.text("a.md") == "one\n"
    with pytest.raises(NotFoundError, match="nothing to undo"):
        keeper.undo()


def test_a_new_change_between_is_the_next_to_go(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    changes(keeper, kept, "two", "three")
    back(keeper, kept)
    changes(keeper, kept, "new")
    back(keeper, kept)
    assert kept.text("a.md") == "one\ntwo\n"
    back(keeper, kept)
    assert kept.text("a.md") == "one\n"


def test_a_change_that_was_brought_back_can_be_taken_back_again(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    changes(keeper, kept, "two", "three")
    back(keeper, kept, back(keeper, kept))
    assert kept.text("a.md") == "one\ntwo\nthree\n"
    back(keeper, kept)
    back(keeper, kept)
    assert kept.text("a.md") == "one\n"


def test_what_was_forced_back_over_later_changes_took_them_back_too(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    ids = changes(keeper, kept, "two", "three", "four")
    back(keeper, kept, ids[1], force=True)
    assert kept.text("a.md") == "one\ntwo\n"
    back(keeper, kept)
    assert kept.text("a.md") == "one\n"


def test_a_change_that_a_person_took_back_by_hand_is_passed_over(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    kept.put("b.md", "one\n")
    keeper.append("b.md", "two")
    changes(keeper, kept, "two")
    kept.put("a.md", "one\n")
    back(keeper, kept)
    assert kept.text("b.md") == "one\n"


def test_all_notes_of_one_wish_to_forget_come_back_together(keeper: Keeper, kept: Kept) -> None:
    for path in ("a.md", "b.md", "c.md"):
        kept.put(path, "- secret plan\n- rest\n")
    keeper.forget("secret plan")
    kept.now += timedelta(seconds=1)
    written = keeper.undo()
    assert {kept.text(path) for path in ("a.md", "b.md", "c.md")} == {"- secret plan\n- rest\n"}
    assert len([said for said in written.warnings if said.endswith("was given back what it held too.")]) == 2


def test_a_note_of_a_group_that_was_changed_since_is_named(keeper: Keeper, kept: Kept) -> None:
    for path in ("a.md", "b.md"):
        kept.put(path, "- secret plan\n- rest\n")
    keeper.forget("secret plan")
    kept.now += timedelta(seconds=1)
    kept.put("b.md", "other\n")
    written = keeper.undo()
    assert (written.path, kept.text("a.md"), kept.text("b.md")) == ("a.md", "- secret plan\n- rest\n", "other\n")
    assert '"b.md" was changed after that.' in written.warnings[0]
    with pytest.raises(NotFoundError, match="nothing to undo"):
        keeper.undo()


def test_one_note_of_a_group_that_is_taken_back_names_the_others(keeper: Keeper, kept: Kept) -> None:
    for path in ("a.md", "b.md"):
        kept.put(path, "- secret plan\n- rest\n")
    ids = keeper.forget("secret plan").undo_ids
    kept.now += timedelta(seconds=1)
    written = keeper.undo(ids[0])
    assert written.warnings == (f'The same operation changed "b.md": take that back with {ids[1]}.',)
    assert kept.text("b.md") == "- rest\n"


def test_a_copy_of_an_earlier_version_is_still_read(keeper: Keeper, kept: Kept) -> None:
    kept.put("a.md", "one\n")
    (identity,) = changes(keeper, kept, "two")
    place = kept.state / "undo" / identity
    place.write_bytes(place.read_bytes().replace(b', "group": "", "undoes": ""', b""))
    back(keeper, kept)
    assert kept.text("a.md") == "one\n"


def test_a_setting_bounds_the_bytes_of_what_can_be_taken_back(kept: Kept, tmp_path: Path) -> None:
    config = load_config(kept.root, environment={"CLAWVAULT_UNDO_BYTES": "200000"})
    assert Keeper(kept.root, config, tmp_path).means.writer.undo_copies.most_bytes == 200_000
