"""Paths made to leave a vault (T01): climbing, encoded, with mixed separators, long, look-alike."""

from __future__ import annotations

import random


def hostile_paths(count: int) -> list[str]:
    pieces = [
        *("..", ".", "", "/", "\\", "~", "canary.md", "outside", "vault", "x.md", "link", "link/canary.md"),
        *("%2e%2e", "%2f", "..%2f", "%00", "\0", "..\u200b", " ..", ".. ", "..\n", "....//", "..;", "...", "//"),
        *("\u2024\u2024", "\uff0e\uff0e", "\uff0f", "\u2215", "\u29f8", "\ud800", "a" * 300),
        *("C:", "c:\\", "\\\\?\\", "CON", "nul.md", "file:", "file:///"),
    ]
    chance = random.Random(20260309)
    joiners = ["/", "/", "/", "\\", "", "//", "/./", "\uff0f"]
    return [
        "".join(
            piece + chance.choice(joiners)
            for piece in chance.choices(pieces, k=chance.randint(1, 6))
        )
        + chance.choice(["", "canary.md", "outside/canary.md", "../canary.md"])
        for _ in range(count)
    ]  # fmt: skip
