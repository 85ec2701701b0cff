"""A password without a sign before it, a PIN and the number of a card are masked, and what resembles them stays."""

from __future__ import annotations

import pytest
from growing import grows_with_length

from clawvault.guard.checking import find_flaws
from clawvault.guard.secret_text import find_secrets, mask_secrets

WORD = "Kaffee" + "2024x"
SIGNS = "Zx9!" + "kkLm33"
CARD = "4111 1111 " + "1111 1111"
HEX = "2d711642b726b044" + "01627ca9fbac32f5" + "c8530fb1903cc4db" + "02258717921a4881"
TOKEN = "gh" + "p_" + "gciFnq9RBXO2tAG1yKwILALo" + "5vR67b2rMQSk"


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
        (f"secret key {HEX}", HEX),
        (f"secret key: {HEX}", HEX),
        (f"The API key of the shop is {HEX}.", HEX),
        (f"token `{HEX}`", HEX),
        (f"密钥{HEX}", HEX),
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
        f"commit {HEX}",
        f"public key {HEX}",
        f"sha256 {HEX}",
        "access token refresh-token-rotation-strategy-2024-v2",
        "private key ./a/b/some-long-file-name-with-2024-parts.pem",
        "https://example.org/status/4111111111111111",
        "id=4111111111111111",
        "0000 0000 0000 0000",
    ],
)
def test_what_resembles_such_a_secret_stays(line: str) -> None:
    assert find_secrets(line) == ()


@pytest.mark.parametrize(
    "sign", ["\u200b", "\u00ad", "\u2060\u2060", "\ufeff", "\U000e0041", "\x08", "\u034f", "\ufe0f"]
)
@pytest.mark.parametrize("place", [2, 9, 30])
def test_a_sign_that_nobody_sees_hides_no_secret(sign: str, place: int) -> None:
    """T03, T07, I43: what is masked is as long as what stood there."""
    text = f"Tea.\r\nthe token {TOKEN[:place]}{sign}{TOKEN[place:]} of the shop\r\nCake.\r\n"
    masked = mask_secrets(text)
    assert (len(masked), masked.count("\n")) == (len(text), 3)
    assert masked.startswith("Tea.\r\nthe token ‹secret github token›")
    assert masked.endswith(" of the shop\r\nCake.\r\n")
    assert [flaw.label for flaw in find_flaws(text) if "secret" in flaw.reason] == ["high:secret (github token)"]


def test_several_secrets_with_hidden_signs_are_each_found_in_their_place() -> None:
    text = f"a\u200bb {TOKEN[:5]}\u200b{TOKEN[5:]} tea\u200btime {TOKEN} c\u200bd {TOKEN[:8]}\u2060{TOKEN[8:]} e"
    secrets = find_secrets(text)
    assert [text[secret.start : secret.end].replace("\u200b", "").replace("\u2060", "") for secret in secrets] == [
        TOKEN,
        TOKEN,
        TOKEN,
    ]


def test_emoji_and_scripts_that_need_such_signs_hold_no_secret() -> None:
    assert find_secrets("می\u200cخواهم \U0001f469\u200d\U0001f4bb and \u2764\ufe0f") == ()


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
    *("secret key ", "secret key a1", "token is ", "a\u200b", "gh\u200bp_", "\u200b"),
    *("4111 ", "4111-", "password is Blau ", "password is Blau Ente ", "a ", "1!"),
)


@pytest.mark.parametrize("piece", GROWING)
def test_time_grows_with_the_length_of_the_text(piece: str) -> None:
    """T14."""
    assert grows_with_length(mask_secrets, piece, n_chars=8_000)
