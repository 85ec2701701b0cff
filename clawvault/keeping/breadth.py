"""How much a wish to forget would take away, and whether that may go before somebody has seen it: pure (MN-33)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from clawvault.keeping.forgetting import Forgotten
from clawvault.keeping.likeness import plain
from clawvault.search.asking.query import STOP_WORDS

# A wish that takes no more than this, in words that mean one thing, is done at once.
FEW_LINES = 5
FEW_NOTES = 3
FEW_WORDS = 2
FEW_LETTERS = 8
FEW_DENSE = 4
# Nobody looks through a longer list before agreeing to it.
MOST_LINES = 40
SIGN_DIGITS = 12
_FIRST_DENSE = "\u2e80"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a wish to forget is not done at once.

    Attributes:
        reason: A sentence.
        confirm: Agrees to these very lines; empty when there are more than anybody looks through.
    """

    reason: str
    confirm: str


def doubt_of(plan: Forgotten, text: str) -> Doubt | None:
    """Say why the lines of a plan should be looked at first; ``None`` when they may go at once.

    Args:
        plan: What ``plan_forget`` found.
        text: What it looked for.
    """
    n_lines, n_notes = len(plan.going), len({line.path for line in plan.going})
    is_little = n_lines <= FEW_LINES and n_notes <= FEW_NOTES and is_specific(text)
    if not n_lines or (is_little and not plan.n_more):
        return None
    where = f"{n_lines} line{'s' * (n_lines != 1)} of {n_notes} note{'s' * (n_notes != 1)}"
    if is_little:
        reason = f"Nothing was removed: {where} would go, and {plan.n_more} of these take more than that text."
    else:
        reason = f"Nothing was removed: that text stands in {where}."
    return Doubt(reason, sign_of(plan) if n_lines <= MOST_LINES else "")


def is_specific(text: str) -> bool:
    """Say whether a text means one thing: two words that matter, or one long one, or four dense characters."""
    words = [word for word in plain(text).split() if word not in STOP_WORDS]
    letters = "".join(words)
    n_dense = sum(letter >= _FIRST_DENSE for letter in letters)
    if n_dense:
        return n_dense >= FEW_DENSE or len(letters) >= FEW_LETTERS
    return len(words) >= FEW_WORDS or len(letters) >= FEW_LETTERS


def sign_of(plan: Forgotten) -> str:
    """Return a few hexadecimal digits that stand for the lines that go, and for no others."""
    lines = "\n".join(f"{line.path}\0{line.line}\0{line.text}" for line in plan.going)
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()[:SIGN_DIGITS]
