"""Find the numbers of payment cards: digits that their check digit and their first digits tell (pure)."""

from __future__ import annotations

from collections.abc import Iterator

from clawvault.guard.rules import compiled

# Four digits stand before the look back, so that little else is looked at.
NUMBER = r"[1-9][0-9]{3}(?<![\w./\-+=#%&?@].{4})(?:[ \-]?[0-9]){9,15}(?![ \-]?[0-9]|[A-Za-z_/=]|\.[0-9])"
# With its usual number of digits, so that a time or the key of a table is none.
ISSUED = (
    r"4[0-9]{15}|5[1-5][0-9]{14}|2(?:2[2-9]|[3-6][0-9]|7[01])[0-9]{13}|3[47][0-9]{13}|35[0-9]{14}|"
    r"6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}|62[0-9]{14}"
)
NAMED = r"(?i)card|visa|amex|karte|卡"
# An account number begins with its land.
ACCOUNT = r"\b[A-Z]{2}[0-9]{2} $"
NEAR_CHARS = 60


def find_cards(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each number of a payment card.

    Args:
        text: A note, or a piece of one.

    Cost: Linear.
    Source: T07.
    """
    for found in compiled(NUMBER).finditer(text):
        start, end = found.span()
        digits = found[0].replace(" ", "").replace("-", "")
        if not _is_grouped(found[0]) or not _has_check_digit(digits) or len(set(digits)) < 2:
            continue
        before = text[max(0, start - NEAR_CHARS) : start]
        near = before[before.rfind("\n") + 1 :]
        if compiled(ACCOUNT).search(near):
            continue
        if compiled(ISSUED).fullmatch(digits) or compiled(NAMED).search(near):
            yield start, end


def _is_grouped(number: str) -> bool:
    """Say whether the digits stand as on a card; a row of figures has other gaps."""
    groups = [len(group) for group in number.replace("-", " ").split(" ")]
    return len(groups) == 1 or groups in ([4, 6, 5], [4, 6, 4]) or (set(groups[:-1]) == {4} and groups[-1] <= 4)


def _has_check_digit(digits: str) -> bool:
    """Say whether the last digit is the one that Luhn's formula gives."""
    total = 0
    for place, digit in enumerate(map(int, reversed(digits))):
        doubled = digit * 2 if place % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0
