"""However much is remembered, the long-term memory note never gets larger than its cap (CS-26, L5)."""

from __future__ import annotations

from kept_vault import Kept

from clawvault.keeping.keeper import Keeper
from clawvault.keeping.routing import CATEGORIES

HUMAN = "# Memory\r\n\r\nAnna wrote this.\r\n\r\n## Facts\r\n\r\n- by hand\r\n\r\n## Mine\r\n\r\n- stays  \r\n"
FULL = HUMAN + "- a line of hers that takes room\r\n" * 255


def test_no_fact_and_no_pointer_gets_past_the_cap_and_no_line_of_a_person_is_lost(kept: Kept, keeper: Keeper) -> None:
    """More topics than the note has room to point to; each fact is kept all the same."""
    kept.put("MEMORY.md", FULL)
    unpointed = 0
    for number in range(40):
        category = CATEGORIES[number % 8].name if number % 8 < 6 else f"topic number {number} of a long list"
        written = keeper.remember(f"item{number} weighs {number * 7} grams, said wit{number}ness", category)
        assert len(kept.text("MEMORY.md").encode()) <= 10_000
        unpointed += any("no room to point" in said for said in written.warnings)
    assert unpointed > 0
    hers = [line for line in FULL.split("\n") if line.strip()]
    assert [line for line in kept.text("MEMORY.md").split("\n") if line in hers] == hers
    everything = "".join(path.read_text(encoding="utf-8") for path in kept.root.rglob("*.md"))
    assert [number for number in range(40) if f"item{number} weighs" not in everything] == []
