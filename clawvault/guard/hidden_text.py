"""Text that a person does not see and a model reads (pure)."""

from __future__ import annotations

from clawvault.guard.findings import Severity
from clawvault.guard.rules import compiled

LETTER = r"A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff"
IN_WORD = rf"(?<=[{LETTER}])[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{{1,64}}(?=[{LETTER}])"
# Arabic and Hebrew need marks of direction; nobody needs an override.
OVERRIDE = "[\u202d\u202e]"
DIRECTION = "[\u202a\u202b\u2066-\u2069]"
RIGHT_TO_LEFT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
# The flags of England, Scotland and Wales are a black flag and six invisible letters.
INVISIBLE_LETTERS = "(\U0001f3f4)?[\U000e0020-\U000e007e]{3,1000}"
FLAG_CHARS = 8
SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,1000}"
HIDING_TAG = (
    r"<[a-z][^<>]{0,200}?(?:display ?: ?none|visibility ?: ?hidden|opacity ?: ?0(?![0-9.]{0,4}[1-9])|"
    r"font-size ?: ?0(?![0-9.]{0,4}[1-9])|[ \"';]color ?[:=] ?[\"']?(?:white|transparent|#fff\b|#ffffff|rgba?\( "
    r"?255 ?, ?255 ?, ?255)|"
    r" hidden[ =>])[^<>]{0,200}>"
)


def find_hidden_signs(line: str) -> list[tuple[str, Severity]]:
    """Find signs in one line that hide text or its order.

    Returns:
        Reason and severity of each kind found.
    """
    if line.isascii():
        return []
    found: list[tuple[str, Severity]] = []
    if compiled(IN_WORD).search(line):
        found.append(("hidden-zero-width", Severity.MEDIUM))
    if compiled(OVERRIDE).search(line) or (
        compiled(DIRECTION).search(line) and not compiled(RIGHT_TO_LEFT).search(line)
    ):
        found.append(("hidden-bidi", Severity.MEDIUM))
    if any(not run[1] or len(run[0]) > FLAG_CHARS for run in compiled(INVISIBLE_LETTERS).finditer(line)):
        found.append(("hidden-letters", Severity.HIGH))
    if compiled(SELECTORS).search(line):
        found.append(("hidden-selectors", Severity.HIGH))
    return found


def is_hiding(tag: str) -> bool:
    """Say whether a folded HTML tag hides what stands in it; white text on a coloured ground is seen."""
    return compiled(HIDING_TAG).fullmatch(tag) is not None and "background" not in tag
