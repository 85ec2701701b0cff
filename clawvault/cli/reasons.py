"""Why a hit stands where it does, as a person reads it: pure, from the JSON of a search with ``explain``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clawvault.cli.terminal import show_path

LANES = (("words", "keyword", "strength"), ("meaning", "vector", "cosine"))
FACTORS = (("time", "time asked for"), ("change", "what changed since"))


def render_reasons(hit: Mapping[str, Any]) -> list[str]:
    """Render how the score of a hit came about, one step a line.

    Args:
        hit: The JSON of a hit (design, section 4) with ``explain``.

    Returns:
        One line a lane, one for the reranker where it read the hit, one that makes up the score, then what moved the
        place and why the hit stands before the next.
    """
    explain: Mapping[str, Any] = hit["explain"]
    lines = [_lane(name, explain[lane], raw) for name, lane, raw in LANES]
    if explain["reranker"]:
        reranker = explain["reranker"]
        lines.append(f"reranker  read it as {reranker['raw']:.2f}: +{reranker['adds']:.3f}")
    lines.append(_score(hit, explain))
    if explain["penalty"]:
        lines.append(f"variety   {explain['likeness']:.0%} like a hit above it, which costs {explain['penalty']:.3f}")
    if hit.get("copy_paths"):
        lines.append(f"also in   {', '.join(show_path(path) for path in hit['copy_paths'])}")
    if hit.get("merged", 1) > 1:
        lines.append(f"passage   of {hit['merged']} neighbours; the figures are those of the best")
    if explain["beats_next"]:
        lines.append(f"before the next: {explain['beats_next']}")
    return lines


def _lane(name: str, lane: Mapping[str, Any], raw: str) -> str:
    found = "not found" if lane["rank"] is None else f"rank {lane['rank']}"
    score = "" if lane[raw] is None else f", {raw} {lane[raw]:.3f}"
    return f"{name:<9} {found}{score}, weight {lane['weight']:.2f} (trust {lane['trust']:.2f}): +{lane['adds']:.3f}"


def _score(hit: Mapping[str, Any], explain: Mapping[str, Any]) -> str:
    age = "does not fade" if hit["evergreen"] or hit["date"] is None else f"of {hit['date']}"
    factors = [f"decay {explain['decay']:.3f} ({age})"]
    factors += [f"{words} {explain[name]:.3f}" for name, words in FACTORS if explain[name] != 1.0]
    return f"score     {explain['fused']:.3f} × {' × '.join(factors)} = {hit['score']:.3f}"
