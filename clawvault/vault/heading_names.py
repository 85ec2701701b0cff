"""When two headings are the same: pure, and apart from the parser, which takes long to import."""

from __future__ import annotations

import re

# What Obsidian drops from a heading when it makes a link to it (B077).
DROPPED_FROM_LINKS = re.compile(r"[#^|:%\[\]\\\s]+")


def fold_heading(text: str) -> str:
    """Fold a heading, or the heading part of a link, so that both compare equal (B077)."""
    return DROPPED_FROM_LINKS.sub(" ", text).strip().casefold()
