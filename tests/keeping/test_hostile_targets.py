"""No path that a tool gives leads out of the vault (T01, T02)."""

from __future__ import annotations

from contextlib import suppress

from hostile_paths import hostile_paths
from kept_vault import Kept

from clawvault.errors import ClawvaultError
from clawvault.keeping.keeper import Keeper


def test_ten_thousand_hostile_paths_change_nothing_outside(keeper: Keeper, kept: Kept) -> None:
    """T01, T02, MN-56..58."""
    outside = kept.root.parent / "outside"
    outside.mkdir()
    (outside / "canary.md").write_bytes(b"canary")
    (kept.root / "link").symlink_to(outside)
    paths = hostile_paths(10_000)
    for path in paths:
        for act in (keeper.append, keeper.write):
            with suppress(ClawvaultError):
                act(path, "new")
        with suppress(ClawvaultError):
            keeper.patch(path, "canary", "new")
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"canary.md": b"canary"}
    assert sorted(path.name for path in kept.root.parent.iterdir()) == ["outside", "state", "vault"]
    assert all(not path.is_symlink() or path.name == "link" for path in kept.root.rglob("*"))
