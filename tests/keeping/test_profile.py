"""The profile is one JSON object whose keys are set one by one."""

from __future__ import annotations

import json
import threading

import pytest
from kept_vault import Kept

from clawvault.errors import ClawvaultError, NotFoundError, UsageError
from clawvault.keeping.keeper import Keeper


def test_a_value_is_set_and_read(keeper: Keeper, kept: Kept) -> None:
    """MN-39."""
    keeper.profile_set("timezone", "Europe/Berlin")
    keeper.profile_set("languages", ["de", "中文"])
    assert kept.text("context/profile.json") == (
        '{\n  "timezone": "Europe/Berlin",\n  "languages": [\n    "de",\n    "中文"\n  ]\n}\n'
    )
    assert keeper.profile_get("timezone") == "Europe/Berlin"
    assert keeper.profile_get() == {"timezone": "Europe/Berlin", "languages": ["de", "中文"]}


def test_there_is_no_profile_before_the_first_value(keeper: Keeper) -> None:
    assert keeper.profile_get() == {}
    with pytest.raises(NotFoundError):
        keeper.profile_get("timezone")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("timezone", 3),
        ("timezone", "Mars/Olympus"),
        ("timezone", "../../etc/passwd"),
        ("locale", None),
        ("locale", "not a locale"),
        ("location", ["Berlin"]),
        ("location", " "),
        ("Key", "x"),
        ("", "x"),
        ("a b", "x"),
        ("score", float("nan")),
        ("score", {"a": 1}),
        ("list", [1]),
        ("list", ["x"] * 101),
        ("text", "x" * 2001),
        ("text", "a\x1b[31mb"),
        ("text", "a\u202eb"),
        ("list", ["good", "a\u200bb"]),
    ],
)
def test_a_value_that_cannot_be_is_refused(keeper: Keeper, kept: Kept, key: str, value: object) -> None:
    """MN-40."""
    with pytest.raises(UsageError):
        keeper.profile_set(key, value)  # type: ignore[arg-type]
    assert kept.files() == {}


@pytest.mark.parametrize("value", ["text", 3, 0.5, True, None, ["a"]])
def test_other_keys_take_plain_values(keeper: Keeper, value: object) -> None:
    keeper.profile_set("anything.else-1", value)  # type: ignore[arg-type]
    assert keeper.profile_get("anything.else-1") == value


def test_true_is_not_one(keeper: Keeper) -> None:
    keeper.profile_set("flag", 1)
    assert keeper.profile_set("flag", True).changed
    assert keeper.profile_get("flag") is True


@pytest.mark.parametrize("text", ["{broken", "[1]", "not json"])
def test_a_profile_that_is_no_object_is_left_as_it_is(keeper: Keeper, kept: Kept, text: str) -> None:
    """I05."""
    kept.put("context/profile.json", text)
    for act in (lambda: keeper.profile_set("a", 1), keeper.profile_get):
        with pytest.raises(ClawvaultError, match="not"):
            act()
    assert kept.text("context/profile.json") == text


def test_a_change_made_meanwhile_is_kept(kept: Kept) -> None:
    """MN-40: compare and swap."""
    keepers = [kept.keeper() for _ in range(8)]
    writers = [
        threading.Thread(target=keeper.profile_set, args=(f"key{number}", number))
        for number, keeper in enumerate(keepers)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert json.loads(kept.text("context/profile.json")) == {f"key{number}": number for number in range(8)}


def test_a_zone_that_the_settings_do_not_have_is_said_to_date_no_note(kept: Kept) -> None:
    keeper = kept.keeper(flags={"timezone": "Europe/Berlin"})
    assert keeper.profile_set("timezone", "Asia/Tokyo").warnings == (
        'Notes are dated by the settings: put timezone = "Asia/Tokyo" into ".clawvault/config.toml" as well.',
    )
    assert keeper.profile_set("timezone", "Europe/Berlin").warnings == ()
    assert keeper.profile_set("location", "Berlin").warnings == ()
