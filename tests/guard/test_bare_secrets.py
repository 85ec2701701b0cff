"""A password without a sign before it, a PIN and the number of a card are masked, and what resembles them stays."""

from __future__ import annotations

import pytest
from growing import grows_with_length

from clawvault.guard.checking import find_flaws
from clawvault.guard.secret_text import find_secrets, mask_secrets

WORD = "Kaffee" + "2024x"
SIGNS = "Zx9!" + "kkLm33"
CARD = "4111 1111 " + "1111 1111"


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("passwd hunter2" + "Xy99", "hunter2" + "Xy99"),
        (f"password {SIGNS}", SIGNS),
        (f"The password is {SIGNS}.", SIGNS),
        (f"the wifi password {WORD} (guests)", WORD),
        (f"password for the router {WORD}", WORD),
        (f"password is now {WORD}", WORD),
        (f"passphrase `{SIGNS}`", SIGNS),
        (f"Passwort {WORD}", WORD),
        (f"Passwort ist {WORD}", WORD),
        (f"密码 {WORD}", WORD),
        (f"密码{WORD}，别外传", WORD),
        ("PIN of the card 4711", "4711"),
        ("PIN for my phone 471182", "471182"),
        ("wifi password is Blau Ente 77", "Blau Ente 77"),
        ("wifi password: Blau Ente 77", "Blau Ente 77"),
        (f"My credit card is {CARD}", CARD),
        (f"card: {CARD.replace(' ', '-')}.", CARD.replace(" ", "-")),
        (CARD.replace(" ", ""), CARD.replace(" ", "")),
        ("Amex 3782 822463 10005", "3782 822463 10005"),
        ("卡号 6222 0200 0000 0000 000", "6222 0200 0000 0000 000"),
    ],
)
def test_a_secret_without_a_sign_before_it_is_masked(line: str, secret: str) -> None:
    """T07, MN-31."""
    masked = mask_secrets(f"Tea.\n{line}\nMore.\n")
    assert secret not in masked
    assert len(masked) == len(f"Tea.\n{line}\nMore.\n")


def test_a_tool_may_not_write_the_number_of_a_card() -> None:
    """L31."""
    assert [flaw.label for flaw in find_flaws(f"My credit card is {CARD}")] == ["high:secret (card number)"]


@pytest.mark.parametrize(
    "line",
    [
        "password manager",
        "The password reset is on page 12.",
        "password reset 2026-11-30",
        "the password is in the safe",
        "The password is long.",
        "password is required",
        "Password policy v2.1 begins in May",
        "password manager KeePassXC 2.7",
        "password hash sha512sum",
        "password field2",
        "password ubuntu-22.04",
        "Password for user anna2024",
        "Send the password to anna@example.org",
        "password was changed on 2026-11-30",
        "passwords must have 12 signs",
        "Password: See Page Number 12",
        "passwd -l deploy",
        "密码管理器很好用。",
        "密码在第12页。",
        "PIN of the year 2024",
        "GPIO pin 1013 of the chip",
        "The number 4111 1111 1111 1112 has a wrong check digit",
        "1700000000000 ms",
        "ISBN 9783161484100",
        "IBAN DE89 3704 0044 0532 0130 00",
        "1 2 3 4 5 6 7 8 9 10 11 12 13",
        "https://example.org/status/4111111111111111",
        "id=4111111111111111",
        "0000 0000 0000 0000",
    ],
)
def test_what_resembles_such_a_secret_stays(line: str) -> None:
    assert find_secrets(line) == ()


GROWING = (
    *(
        "password ",
        "password is ",
        "password a1!",
        "password for the a ",
        "密码a1",
        "pin of the ",
        "pin of a 1",
        "4",
        "4 ",
    ),
    *("4111 ", "4111-", "password is Blau ", "password is Blau Ente ", "a ", "1!"),
)


@pytest.mark.parametrize("piece", GROWING)
def test_time_grows_with_the_length_of_the_text(piece: str) -> None:
    """T14."""
    assert grows_with_length(mask_secrets, piece, n_chars=8_000)
