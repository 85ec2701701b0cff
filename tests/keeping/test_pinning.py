"""Pins are written where the index reads them, and nothing else of a note changes (L2a)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_vault import Kept

from clawvault.errors import ClawvaultError, NotFoundError, UsageError
from clawvault.keeping.keeper import Keeper
from clawvault.keeping.pinning import pin_line, unpin_line
from clawvault.keeping.properties import PropertyError, remove_property, set_property
from clawvault.vault.dating import is_evergreen
from clawvault.vault.markdown import parse_note

DAY = "memory/2026-01-15.md"


def test_a_note_without_front_matter_gets_one(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "# Deploy\n\ntext")
    written = keeper.pin(DAY)
    assert kept.text(DAY) == "---\nevergreen: true\n---\n# Deploy\n\ntext"
    assert (written.operation, written.changed, written.warnings) == ("pin", True, ())


def test_a_pinned_note_never_fades(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "text\n")
    keeper.pin(DAY)
    assert is_evergreen(DAY, parse_note(kept.text(DAY)).front_matter)


def test_a_property_is_added_as_the_last_one(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "---\ntitle: 'A: b'  # mine\n\ntags: [x]\n---\nbody\n")
    keeper.pin(DAY, importance=8)
    assert kept.text(DAY) == "---\ntitle: 'A: b'  # mine\n\ntags: [x]\nimportance: 8\n---\nbody\n"


def test_a_value_is_changed_in_its_place(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "---\nevergreen:  false   # for now\ntitle: x\n---\nbody\n")
    keeper.pin(DAY)
    assert kept.text(DAY) == "---\nevergreen:  true   # for now\ntitle: x\n---\nbody\n"


def test_a_property_without_a_value_gets_one() -> None:
    assert set_property("---\nevergreen:\na: 1\n---\n", "evergreen", True, "\n") == "---\nevergreen: true\na: 1\n---\n"


def test_line_ends_and_a_byte_order_mark_stay(kept: Kept, keeper: Keeper) -> None:
    """B053."""
    kept.put(DAY, "\ufeff---\r\ntitle: x\r\n---\r\nbody\r\n")
    keeper.pin(DAY)
    assert kept.text(DAY) == "\ufeff---\r\ntitle: x\r\nevergreen: true\r\n---\r\nbody\r\n"
    kept.put("memory/2026-01-16.md", "\ufeffone\r\ntwo")
    keeper.pin("memory/2026-01-16.md")
    assert kept.text("memory/2026-01-16.md") == "\ufeff---\r\nevergreen: true\r\n---\r\none\r\ntwo"


def test_what_is_pinned_already_is_left_alone(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, '---\nevergreen: true\nimportance: "7"\n---\nbody <!-- pin -->\n')
    assert not keeper.pin(DAY).changed
    assert not keeper.pin(DAY, 5).changed


def test_letting_a_note_fade_again_gives_back_its_bytes(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "\ufeff# A\r\n\r\nbody")
    keeper.pin(DAY)
    keeper.pin(DAY, importance=3)
    keeper.unpin(DAY)
    assert kept.text(DAY) == "\ufeff# A\r\n\r\nbody"
    assert not keeper.unpin(DAY).changed


def test_a_pin_is_taken_back_to_the_byte(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "---\r\ntitle: x\n---\nbody\r\n")
    keeper.pin(DAY)
    keeper.undo()
    assert kept.text(DAY) == "---\r\ntitle: x\n---\nbody\r\n"


@pytest.mark.parametrize(
    "text",
    ["---\n{a: b}\n---\nx\n", "---\nevergreen:\n  - a\n---\nx\n", "---\na: *b\n---\nx\n", "---\na: [\n---\nx\n"],
)
def test_front_matter_that_cannot_be_changed_safely_is_left_alone(kept: Kept, keeper: Keeper, text: str) -> None:
    """B059."""
    kept.put(DAY, text)
    with pytest.raises(ClawvaultError, match="2026-01-15"):
        keeper.pin(DAY)
    assert kept.text(DAY) == text


def test_two_rules_at_the_top_are_text(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "---\nnot a property\n---\nx\n")
    keeper.pin(DAY)
    assert kept.text(DAY) == "---\nevergreen: true\n---\n---\nnot a property\n---\nx\n"


def test_a_note_without_a_day_is_said_not_to_fade(kept: Kept, keeper: Keeper) -> None:
    kept.put("a.md", "x\n")
    assert keeper.pin("a.md").warnings == ('"a.md" has no day in its name, so it does not fade anyway.',)


@pytest.mark.parametrize(
    ("line", "pinned"),
    [
        ("- item", "- item <!-- pin -->"),
        ("a sentence  ", "a sentence <!-- pin -->  "),
        ("- item ^abc", "- item <!-- pin --> ^abc"),
        ("> said\r", "> said <!-- pin -->\r"),
    ],
)
def test_a_pin_stands_at_the_end_of_a_line(line: str, pinned: str) -> None:
    text = f"# A\n\n{line}\n\nend\n"
    assert pin_line(text, 3) == f"# A\n\n{pinned}\n\nend\n"
    assert unpin_line(pin_line(text, 3), 3) == text


def test_a_row_of_a_table_is_pinned_inside_its_last_cell() -> None:
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert pin_line(text, 3) == "| a | b |\n|---|---|\n| 1 | 2 <!-- pin --> |\n"
    assert unpin_line(pin_line(text, 3), 3) == text


@pytest.mark.parametrize(
    ("line", "said"), [(1, "front matter"), (4, "a heading"), (5, "no text"), (7, "code"), (9, "a rule"), (99, "line")]
)
def test_a_line_that_cannot_carry_a_pin_is_refused(line: int, said: str) -> None:
    text = "---\na: 1\n---\n# A\n\n```\ncode\n```\n***\n"
    with pytest.raises(UsageError, match=said):
        pin_line(text, line)


def test_a_tag_is_a_pin_that_goes_too() -> None:
    assert unpin_line("- item #pin\n", 1) == "- item\n"
    assert unpin_line("- item #pinned\n", 1) == "- item #pinned\n"


def test_a_pinned_passage_is_exempt_in_the_index(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "# A\n\n- item\n")
    written = keeper.pin(DAY, 3)
    assert (written.line_start, parse_note(kept.text(DAY)).pinned_lines) == (3, (3,))


@pytest.mark.parametrize(("line", "importance"), [(3, 5), (None, 0), (None, 11)])
def test_an_importance_that_cannot_be_is_refused(kept: Kept, keeper: Keeper, line: int | None, importance: int) -> None:
    kept.put(DAY, "# A\n\n- item\n")
    with pytest.raises(UsageError):
        keeper.pin(DAY, line, importance=importance)


def test_there_must_be_such_a_note(keeper: Keeper) -> None:
    with pytest.raises(NotFoundError):
        keeper.pin(DAY)
    with pytest.raises(UsageError):
        keeper.pin("SOUL.md")


LINES = st.lists(st.sampled_from(["a: 1", "evergreen: false", "b: 'x # y'", "# c", "", "---", "...", "text", " x: y"]))


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_whatever_a_note_is_a_pin_changes_its_properties_alone(lines: list[str], newline: str, opened: bool) -> None:
    """B059: what cannot be done safely is not done."""
    text = newline.join(["---", *lines, "---", "body"] if opened else lines)
    before = parse_note(text)
    try:
        after = parse_note(set_property(text, "evergreen", True, newline))
    except PropertyError:
        return
    assert dict(after.front_matter) == {**before.front_matter, "evergreen": True}
    assert after.warnings == ()


@given(st.lists(st.sampled_from(["# A", "- x", "", "---", "text", "a: 1", "  y"])), st.sampled_from(["\n", "\r\n"]))
def test_setting_and_removing_gives_the_same_bytes(lines: list[str], newline: str) -> None:
    text = newline.join(["start", *lines])
    assert remove_property(set_property(text, "evergreen", True, newline), "evergreen") == text


OF_A_PERSON = [
    "---\nevergreen: false # mine\n---\nbody\n",
    "---\nevergreen: false\n---\nbody\n",
    "---\nevergreen: true # court case, keep\n---\nbody\n",
    "---\nevergreen: true\n---\nbody\n",
    "---\ntags: [a]\nimportance: 9 # mine\n---\nbody\n",
    "---\r\nimportance: 9\r\ntags: [a]\r\n---\r\nbody\r\n",
    "---\nimportance: '4'\nevergreen: false # no\n---\nbody\n",
    "---\nevergreen:\n---\nbody\n",
]


@pytest.mark.parametrize("text", OF_A_PERSON)
@pytest.mark.parametrize("given", [[None], [3], [None, 7], [7, None, 2]])
def test_what_a_person_wrote_is_there_again_after_pinning_and_unpinning(
    kept: Kept, keeper: Keeper, text: str, given: list[int | None]
) -> None:
    kept.put(DAY, text)
    for importance in given:
        keeper.pin(DAY, importance=importance)
    keeper.unpin(DAY)
    assert kept.text(DAY) == text


def test_a_property_that_was_added_meanwhile_stays(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "---\nimportance: 9\n---\nbody\n")
    keeper.pin(DAY)
    kept.put(DAY, "---\nimportance: 9\nevergreen: true\ntags: [a]\n---\nbody\n")
    keeper.unpin(DAY)
    assert kept.text(DAY) == "---\nimportance: 9\ntags: [a]\n---\nbody\n"


def test_what_still_keeps_a_note_is_said_and_goes_the_next_time(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "---\ntags: [a]\nevergreen: true # court case\n---\nbody\n")
    keeper.pin(DAY)
    assert keeper.unpin(DAY).warnings == (f'"{DAY}" had evergreen before it was pinned, so it still does not fade.',)
    assert keeper.unpin(DAY).warnings == ()
    assert kept.text(DAY) == "---\ntags: [a]\nevergreen: false # court case\n---\nbody\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("---\nevergreen: true # keep\n---\nx\n", "---\nevergreen: false # keep\n---\nx\n"),
        ("---\na: 1\nimportance: 9 # mine\n---\nx\n", "---\na: 1\n# mine\n---\nx\n"),
        ("---\nimportance: 9 # mine\n---\nx\n", "x\n"),
        (
            "---\nevergreen: false # no\nimportance: 12\n---\nx\n",
            "---\nevergreen: false # no\nimportance: 12\n---\nx\n",
        ),
    ],
)
def test_without_a_pin_only_what_keeps_the_note_goes(kept: Kept, keeper: Keeper, text: str, left: str) -> None:
    kept.put(DAY, text)
    keeper.unpin(DAY)
    assert kept.text(DAY) == left


def test_a_line_that_a_person_changed_after_the_pin_is_theirs(kept: Kept, keeper: Keeper) -> None:
    kept.put(DAY, "x\n")
    keeper.pin(DAY)
    kept.put(DAY, "---\nevergreen: true # now mine\n---\nx\n")
    keeper.unpin(DAY)
    assert kept.text(DAY) == "---\nevergreen: false # now mine\n---\nx\n"


@pytest.mark.parametrize(
    "damage", ["{", "[]", '{"memory/2026-01-15.md": [1]}', '{"memory/2026-01-15.md": {"evergreen": 1}}']
)
def test_a_damaged_record_of_pins_tells_nothing(kept: Kept, keeper: Keeper, damage: str) -> None:
    kept.put(DAY, "x\n")
    keeper.pin(DAY)
    (kept.state / "pins.json").write_text(damage)
    keeper.unpin(DAY)
    assert kept.text(DAY) == "x\n"
