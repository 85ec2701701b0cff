"""What is done to a line before rules read it: marks and links at its start, and signs inside it (pure)."""

from __future__ import annotations

import re

from clawvault.guard.rules import compiled

# Enough of the following line to hold the rest of an order that was wrapped.
NEXT_CHARS = 200
MARKS = re.compile(r"(?:[ >#+\-|!\[\](){}.,:;•·=/^<\"'*_~]|[0-9]{1,9}[.)] ?|\[[ x]\] ?)*+")
# Links and code that a line begins with, after its marks, a date or a time.
LEADS = (
    r"(?:[ >#+\-|*_~]|[0-9]{1,9}[.)] ?|\[[ x]\] ?|[0-9][0-9:./\-]{0,30} )*+"
    r"(?:(?:\[\[[^\[\]]{1,120}+\]\]|\[[^\[\]]{1,120}+\](?:\([^()]{1,400}+\))?|`[^`]{1,200}+`|https?:[^ ]{1,400}+)"
    r"[ ,:;.!\-|]{1,4}+){1,4}+"
)
LEAD_SIGNS = ("[", "`", "http")
# Enough of a line to hold the first of these signs.
LEAD_HEAD = 32
INNER_REMOVED = ("*", "`", "~", "\\")
INNER_SIGN = re.compile(r"[*`~\\_]")


def end_of_marks(text: str) -> int:
    """Return where the marks that a line begins with end."""
    marks = MARKS.match(text)
    return marks.end() if marks else 0


def plain_line(folded: str) -> str:
    """Return a line without emphasis and code marks, with single spaces."""
    if not INNER_SIGN.search(folded):
        return folded
    return " ".join(without_signs(folded).split())


def without_signs(folded: str) -> str:
    """Return a text without the signs that stand inside words to no effect."""
    for sign in INNER_REMOVED:
        folded = folded.replace(sign, "")
    return folded.replace("_", " ")


def joined_unit(folded: str, following: str) -> str:
    """Return a line as rules read it, with the words of the line that follows."""
    said = plain_line(folded)
    return f"{said} {after_marks(plain_line(following))}" if following else said


def behind_leads(folded: str) -> str:
    """Return what follows the links and the code that a line begins with; empty where it begins with none."""
    head = folded[:LEAD_HEAD]
    if not ("[" in head or "`" in head or "http" in head):
        return ""
    leads = compiled(LEADS).match(folded)
    return folded[leads.end() :] if leads else ""


def after_marks(plain: str) -> str:
    """Return a line without the marks that it begins with."""
    return plain[end_of_marks(plain) :]
