"""A note that is put away can be changed, and none is made there (L13)."""

from __future__ import annotations

import pytest
from kept_vault import Kept

from clawvault.errors import UsageError
from clawvault.keeping.keeper import Keeper

PUT_AWAY = "archive/2025/memory/2025-03-01.md"


def test_no_note_is_made_in_the_archive(keeper: Keeper) -> None:
    with pytest.raises(UsageError, match="in the archive alone"):
        keeper.append(PUT_AWAY, "x")


def test_a_note_that_is_there_is_corrected_and_forgotten(kept: Kept, keeper: Keeper) -> None:
    """MN-33: what a person wants forgotten goes, wherever it is."""
    kept.put(PUT_AWAY, "- the port is 5433\n- the phone of Anna\n")
    keeper.patch(PUT_AWAY, "5433", "5435")
    assert keeper.forget("the phone of Anna").undo_ids
    assert kept.text(PUT_AWAY) == "- the port is 5435\n"


def test_a_folder_of_that_name_kept_in_another_way_is_an_ordinary_one(keeper: Keeper) -> None:
    assert keeper.append("archive/birds.md", "x").created
