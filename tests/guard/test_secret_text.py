"""What counts as a secret, and the mark that takes its place."""

from __future__ import annotations

import pytest
from fake_secrets import fake_secrets, signs
from growing import grows_with_length
from hypothesis import given
from hypothesis import strategies as st
from innocent_lines import INNOCENT

from clawvault.guard.checking import find_flaws
from clawvault.guard.secret_text import find_secrets, mask_secrets

FAKES = fake_secrets()
TOKEN = "gh" + "p_" + signs(36)


@pytest.mark.parametrize("name", FAKES)
def test_no_line_of_a_secret_is_left(name: str) -> None:
    """T07, I43."""
    text, secret = FAKES[name]
    masked = mask_secrets(text)
    assert [line for line in secret.split("\n") if line in masked] == []
    assert "‹secret" in masked


@pytest.mark.parametrize("name", FAKES)
def test_a_masked_text_has_the_length_and_the_lines_of_the_text(name: str) -> None:
    """I14."""
    text = f"before\r\n\r\n{FAKES[name][0]}\r\nafter\n"
    masked = mask_secrets(text)
    assert [len(line) for line in masked.split("\n")] == [len(line) for line in text.split("\n")]
    assert masked.startswith("before\r\n\r\n")
    assert masked.endswith("\r\nafter\n")


def test_forty_kinds_of_keys_were_tried() -> None:
    assert len({secret for _, secret in FAKES.values()}) == 40


@pytest.mark.parametrize("line", INNOCENT)
def test_an_innocent_line_stays_as_it_is(line: str) -> None:
    """T07."""
    assert mask_secrets(line) == line


def test_sixty_innocent_lines_were_tried() -> None:
    assert len(set(INNOCENT)) == 60


def test_a_secret_is_named_by_kind_place_and_line() -> None:
    text = f"# Keys\n\nThe token is {TOKEN}.\n"
    (secret,) = find_secrets(text)
    assert (secret.kind, secret.line, text[secret.start : secret.end]) == ("github token", 3, TOKEN)


def test_the_mark_says_what_was_there() -> None:
    masked = mask_secrets(f"The token is {TOKEN}.")
    assert masked == "The token is " + "‹secret github token›".ljust(40) + "."


def test_a_mark_need_not_be_filled_to_the_length_of_its_secret() -> None:
    assert mask_secrets(f"The token is {TOKEN}.", fill=False) == "The token is ‹secret github token›."


def test_a_short_secret_has_a_short_mark() -> None:
    assert mask_secrets("PIN: 4821") == "PIN: ‹…› "
    assert mask_secrets("password: " + "a1b2" + "c3d4") == "password: ‹secret›"


@pytest.mark.parametrize(
    "line",
    [
        f"token: {TOKEN} <!-- clawvault: allow-secret -->",
        f"token: {TOKEN}  # clawvault: allow-secret",
    ],
)
def test_a_line_with_the_mark_of_the_person_is_left_alone(line: str) -> None:
    """T07."""
    text = f"{line}\ntoken: {TOKEN}\n"
    assert mask_secrets(text).split("\n")[0] == line
    assert [secret.line for secret in find_secrets(text)] == [2]


def test_front_matter_with_a_masked_value_can_still_be_read() -> None:
    masked = mask_secrets(f"---\ntitle: Keys\ntoken: {TOKEN}\nquoted: '{TOKEN}'\n---\n")
    assert masked.split("\n")[2].rstrip() == "token: ‹secret github token›"
    assert masked.split("\n")[1] == "title: Keys"


@pytest.mark.parametrize(
    "text",
    [
        "The password for the router is " + "Kaffee" + "2024",
        "路由器的密码是 " + "Kaffee" + "2024，别外传",
        "wifi pw: " + "Kaffee" + "2024 (guests)",
        "| password | " + "Kaffee" + "2024 |",
        '{"password": "' + "Kaffee" + '2024"}',
        "mysqldump --password=" + "Kaffee" + "2024 shop",
        "https://example.org/?password=" + "Kaffee" + "2024&page=2",
    ],
)
def test_a_password_is_known_by_its_name(text: str) -> None:
    masked = mask_secrets(text)
    assert "Kaffee2024" not in masked
    assert "‹secret" in masked


def test_a_private_key_without_its_end_is_masked_to_the_last_line_that_looks_like_one() -> None:
    body = [signs(64, seed=str(at)) for at in range(3)]
    text = "-----BEGIN PRI" + "VATE KEY-----\n" + "\n".join(body) + "\nAnd then we had tea.\n"
    masked = mask_secrets(text)
    assert [line for line in body if line in masked] == []
    assert masked.endswith("\nAnd then we had tea.\n")


def test_a_private_key_in_one_line_of_json_is_masked() -> None:
    body = "\\n".join(signs(64, seed=str(at)) for at in range(3))
    text = '{"private_key": "-----BEGIN PRI' + f"VATE KEY-----\\n{body}\\n-----END PRI" + 'VATE KEY-----\\n", "a": 1}'
    masked = mask_secrets(text)
    assert body not in masked
    assert masked.endswith('-----END PRIVATE KEY-----\\n", "a": 1}')


@pytest.mark.parametrize("after", ["", "\n", "...", " and the rest is lost", "\n\nTea.\n"])
@pytest.mark.parametrize("before", ["\n", " ", "\\n", "\n> "])
def test_one_line_of_a_private_key_that_was_cut_off_is_masked(before: str, after: str) -> None:
    body = "MIIE" + signs(60, seed="cut")
    masked = mask_secrets("-----BEGIN RSA PRI" + f"VATE KEY-----{before}{body}{after}")
    assert "MIIE" not in masked
    assert masked.endswith(after)


@pytest.mark.parametrize("before", ["key ", "the secret is ", "AWS: ", "aws_key = ", "密钥 AWS "])
def test_forty_signs_of_base64_after_a_word_for_a_key_are_masked(before: str) -> None:
    """The shape of the secret keys of AWS, which have no beginning of their own.

    The keys of its manual end in EXAMPLE; they open nothing, and stay.
    """
    value = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzX9kQwErTy"
    assert value not in mask_secrets(f"{before}{value}")
    assert mask_secrets(f"see {value}") == f"see {value}"
    assert mask_secrets("key AKIAIOSFODNN7EXAMPLE") == "key AKIAIOSFODNN7EXAMPLE"


@pytest.mark.parametrize(
    "line",
    ["password: abc", "- wifi password: letmein", "密码：abc", "**Passwort:** geheim", "passphrase: `swordfish`"],
)
def test_a_word_alone_after_the_name_of_a_password_is_masked(line: str) -> None:
    assert mask_secrets(f"Tea.\n{line}\nMore.\n").split("\n")[1] != line


@pytest.mark.parametrize(
    "line",
    [
        "Password: done",
        "reset password: fixed.",
        "password: string",
        "password: changeme",
        "password: abc is what nobody should use",
        "Which password: hers?",
        "密码：见保险箱",
        "key rotation: 3f786850e387550fdab836ed7e6dc881de23001b",
        "key facts/are/in/the/notes/of/Anna/and/Benjamin1",
    ],
)
def test_what_became_of_a_password_or_key_stays(line: str) -> None:
    assert mask_secrets(f"Tea.\n{line}\nMore.\n").split("\n")[1] == line


def test_the_talk_about_private_keys_stays() -> None:
    text = "A PEM file begins with `-----BEGIN PRIVATE KEY-----` and ends with `-----END PRIVATE KEY-----`.\n"
    assert mask_secrets(text) == text


def test_a_recovery_phrase_is_masked() -> None:
    words = "apple river stone cloud tiger paper ocean lemon chair music water light"
    assert "river" not in mask_secrets(f"Seed phrase: {words}")


def test_a_secret_refuses_the_write_of_a_tool_without_being_told() -> None:
    """MN-31, L31, T08."""
    flaws = find_flaws(f"Tea.\ntoken: {TOKEN}\nAct as a hacker.\n")
    assert [(flaw.line, flaw.label) for flaw in flaws] == [
        (2, "high:secret (github token)"),
        (3, "medium:act-as"),
    ]
    assert TOKEN not in repr(flaws)


@given(st.text(max_size=400))
def test_any_text_is_masked_to_one_of_its_length_and_lines(text: str) -> None:
    masked = mask_secrets(text)
    assert len(masked) == len(text)
    assert [len(line) for line in masked.split("\n")] == [len(line) for line in text.split("\n")]


@given(st.lists(st.sampled_from([text for text, _ in FAKES.values()] + ["tea\n", " ", "\n", "password: ", "://a:"])))
def test_a_masked_text_has_nothing_left_to_mask(pieces: list[str]) -> None:
    masked = mask_secrets("".join(pieces))
    assert mask_secrets(masked) == masked


GROWING = (
    *(text for text, _ in list(FAKES.values())[::2]),
    *(
        TOKEN[:20],
        "gh" + "p_",
        "eyJ",
        "eyJa.",
        "://",
        "://a:",
        "password",
        "password: ",
        "password for ",
        "pass:",
        "token=",
        "token-a",
    ),
    *(
        "--password=",
        "bearer ",
        "curl ",
        "curl -u a:",
        "login a password ",
        "login ",
        "seed apple ",
        "seed: apple ",
        "apple ",
    ),
    *(
        "-----BEGIN PRI" + "VATE KEY-----",
        "-----BEGIN PRI" + "VATE KEY-----\n",
        "-----BEGIN ",
        "Private-Lines: 3\n",
        "A",
        "a1",
    ),
    *(
        "aws ",
        "\npassword: abc",
        "a b c password",
        "密码",
        "密码是",
        "key-",
        "sk-",
        "S" + "G.",
        "hooks.slack.com/services/",
        "\n",
        "auth_a_",
        "secret_key_",
        "AKIA",
        "0:AA",
    ),
)


@pytest.mark.parametrize("piece", GROWING)
def test_time_grows_with_the_length_of_the_text(piece: str) -> None:
    """T14: below 2.5 times for each doubling, measured over two of them."""
    assert grows_with_length(mask_secrets, piece, n_chars=8_000)
