"""Forty kinds of keys that open nothing, put together when asked for: no scanner of a code host finds one here."""

from __future__ import annotations

import base64
import hashlib
import string

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"


def signs(n: int, alphabet: str = LETTERS, *, seed: str = "clawvault") -> str:
    """Return the same n signs each time, any two seeds giving others."""
    out: list[str] = []
    block = 0
    while len(out) < n:
        digest = hashlib.sha256(f"{seed}/{alphabet}/{block}".encode()).digest()
        out.extend(alphabet[byte % len(alphabet)] for byte in digest)
        block += 1
    return "".join(out[:n])


def _token_of_three() -> str:
    parts = ('{"alg":"HS256"}', '{"sub":"1234567890","name":"Anna"}')
    encoded = [base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, signs(43)])


def _block(name: str, lines: int = 6) -> str:
    return "\n".join(signs(64, seed=f"{name}{at}") for at in range(lines))


def fake_secrets() -> dict[str, tuple[str, str]]:
    """Return for each kind the text it stands in and the part of it that is secret."""
    plain = {
        "aws key": "AK" + "IA" + signs(16, UPPER),
        "github token": "gh" + "p_" + signs(36),
        "github fine-grained token": "github" + "_pat_" + signs(22) + "_" + signs(59),
        "gitlab token": "gl" + "pat-" + signs(20),
        "slack token": "xo" + "xb-" + signs(12, string.digits) + "-" + signs(24),
        "stripe key": "sk" + "_live_" + signs(24),
        "openai key": "sk" + "-proj-" + signs(48),
        "older openai key": "sk" + "-" + signs(48),
        "anthropic key": "sk" + "-ant-" + "api03-" + signs(90),
        "google key": "AI" + "za" + signs(35),
        "google secret": "GOC" + "SPX-" + signs(28),
        "npm token": "npm" + "_" + signs(36),
        "pypi token": "py" + "pi-AgEIcHlwaS5vcmc" + signs(120),
        "sendgrid key": "S" + "G." + signs(22) + "." + signs(43),
        "twilio key": "S" + "K" + signs(32, HEX),
        "telegram token": signs(10, "123456789") + ":A" + "A" + signs(33),
        "discord token": "M" + signs(23) + "." + signs(6) + "." + signs(38),
        "hugging face token": "h" + "f_" + signs(34),
        "digitalocean token": "do" + "p_v1_" + signs(64, HEX),
        "json web token": _token_of_three(),
        "shopify token": "shp" + "at_" + signs(32, HEX),
        "mailgun key": "ke" + "y-" + signs(32, HEX),
        "linear key": "lin" + "_api_" + signs(40),
        "notion token": "nt" + "n_" + signs(46),
        "grafana token": "gl" + "sa_" + signs(32) + "_" + signs(8, HEX),
        "vault token": "hv" + "s." + signs(90),
        "databricks token": "da" + "pi" + signs(32, HEX),
        "docker token": "dckr" + "_pat_" + signs(27),
        "age key": "AGE-SECRET-" + "KEY-1" + signs(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    }
    found = {name: (f"The key is {value} since May.", value) for name, value in plain.items()}
    values = {name: signs(24, seed=name) + "7a" for name in ("bearer", "url", "netrc", "zh", "assigned", "curl")}
    found |= {
        "bearer header": (f"Authorization: Bearer {values['bearer']}", values["bearer"]),
        "password in an address": (f"postgres://anna:{values['url']}@db.example.org:5432/shop", values["url"]),
        "netrc": (f"machine example.org\nlogin anna\npassword {values['netrc']}", values["netrc"]),
        "password in Chinese": (f"无线网密码：{values['zh']}", values["zh"]),
        "assigned value": (f'MY_APP_SECRET_KEY = "{values["assigned"]}"', values["assigned"]),
        "password of curl": (f"curl -s -u anna:{values['curl']} https://example.org/", values["curl"]),
        "short password": ("**Password:** hunter" + "2Tango", "hunter" + "2Tango"),
        "rsa key": _lined("RSA " + "PRIVATE", _block("rsa")),
        "openssh key": _lined("OPENSSH " + "PRIVATE", _block("openssh")),
        "pgp key": (
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + _block("pgp") + "\n-----END PGP PRI" + "VATE KEY BLOCK-----",
            _block("pgp"),
        ),
        "azure key": ("AccountName=shop;Account" + "Key=" + signs(86) + "==;", signs(86) + "=="),
    }
    return found


def _lined(name: str, body: str) -> tuple[str, str]:
    return f"-----BEGIN {name} KEY-----\n{body}\n-----END {name} KEY-----", body
