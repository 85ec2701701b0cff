"""No web page, and no program without the token, gets past the gate of the server on loopback (T09)."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest

from clawvault.agent import gate
from clawvault.agent.bucket import TokenBucket
from clawvault.agent.gate import Gate, find_refusal
from clawvault.agent.http_server import bind_loopback, load_token
from clawvault.errors import ClawvaultError, UsageError

TOKEN = "a-token-of-this-vault"  # noqa: S105 - made up
GOOD = [(b"host", b"127.0.0.1:4000"), (b"authorization", b"Bearer a-token-of-this-vault")]


def with_host(*hosts: bytes) -> list[tuple[bytes, bytes]]:
    return [*((b"host", host) for host in hosts), GOOD[1]]


def with_origin(*origins: bytes) -> list[tuple[bytes, bytes]]:
    return [*GOOD, *((b"origin", origin) for origin in origins)]


def with_token(*values: bytes) -> list[tuple[bytes, bytes]]:
    return [GOOD[0], *((b"authorization", value) for value in values)]


REFUSED = {
    "no host": (with_host(), 403),
    "two hosts": (with_host(b"127.0.0.1:4000", b"evil.example"), 403),
    "rebinding name": (with_host(b"evil.example:4000"), 403),
    "rebinding name of an address service": (with_host(b"127.0.0.1.nip.io:4000"), 403),
    "no port": (with_host(b"127.0.0.1"), 403),
    "other port": (with_host(b"127.0.0.1:4001"), 403),
    "longer port": (with_host(b"127.0.0.1:40001"), 403),
    "port with zeros": (with_host(b"127.0.0.1:04000"), 403),
    "empty port": (with_host(b"127.0.0.1:"), 403),
    "trailing dot": (with_host(b"localhost.:4000"), 403),
    "short address": (with_host(b"127.1:4000"), 403),
    "number for an address": (with_host(b"2130706433:4000"), 403),
    "other loopback address": (with_host(b"127.0.0.2:4000"), 403),
    "any address": (with_host(b"0.0.0.0:4000"), 403),
    "mapped IPv6": (with_host(b"[::ffff:127.0.0.1]:4000"), 403),
    "long IPv6": (with_host(b"[0:0:0:0:0:0:0:1]:4000"), 403),
    "IPv6 without brackets": (with_host(b"::1:4000"), 403),
    "name and password": (with_host(b"me@127.0.0.1:4000"), 403),
    "two hosts in one": (with_host(b"127.0.0.1:4000, evil.example"), 403),
    "space before": (with_host(b" 127.0.0.1:4000"), 403),
    "null origin": (with_origin(b"null"), 403),
    "page": (with_origin(b"https://evil.example"), 403),
    "page of a name that points here": (with_origin(b"http://evil.example:4000"), 403),
    "other server here": (with_origin(b"http://127.0.0.1:3000"), 403),
    "secure form": (with_origin(b"https://127.0.0.1:4000"), 403),
    "origin without port": (with_origin(b"http://127.0.0.1"), 403),
    "origin with a tail": (with_origin(b"http://127.0.0.1:4000.evil.example"), 403),
    "file": (with_origin(b"file://"), 403),
    "extension": (with_origin(b"chrome-extension://abcdef"), 403),
    "empty origin": (with_origin(b""), 403),
    "two origins": (with_origin(b"http://127.0.0.1:4000", b"null"), 403),
    "origin with a slash": (with_origin(b"http://127.0.0.1:4000/"), 403),
    "no token": (with_token(), 401),
    "wrong token": (with_token(b"Bearer b-token-of-this-vault"), 401),
    "start of the token": (with_token(b"Bearer a-token"), 401),
    "token and more": (with_token(b"Bearer a-token-of-this-vaultx"), 401),
    "empty token": (with_token(b"Bearer "), 401),
    "basic": (with_token(b"Basic a-token-of-this-vault"), 401),
    "token alone": (with_token(b"a-token-of-this-vault"), 401),
    "not ASCII": (with_token(b"Bearer \xff\xfe"), 401),
    "two tokens": (with_token(b"Bearer wrong", GOOD[1][1]), 401),
}
LET_THROUGH = {
    "address": GOOD,
    "name": with_host(b"localhost:4000"),
    "name in capitals": with_host(b"LOCALHOST:4000"),
    "IPv6": with_host(b"[::1]:4000"),
    "own origin": with_origin(b"http://127.0.0.1:4000"),
    "own origin by name": with_origin(b"http://localhost:4000"),
    "small bearer": with_token(b"bearer a-token-of-this-vault"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_request_is_refused(case: str) -> None:
    headers, status = REFUSED[case]
    refusal = find_refusal("POST", headers, 4000, TOKEN)
    assert refusal is not None
    assert refusal.status == status


@pytest.mark.parametrize("case", LET_THROUGH)
def test_a_program_of_this_machine_with_the_token_may_pass(case: str) -> None:
    assert find_refusal("POST", LET_THROUGH[case], 4000, TOKEN) is None


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "TRACE", "CONNECT", "HEAD", "post"])
def test_what_a_page_asks_beforehand_gets_no_leave(method: str) -> None:
    refusal = find_refusal(method, GOOD, 4000, TOKEN)
    assert refusal is not None
    assert refusal.status == 405


def answers_of(scopes: list[dict[str, Any]], burst: int = 10) -> list[dict[str, Any]]:
    """Send requests through a gate and return every message of its answers."""
    sent: list[dict[str, Any]] = []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def run() -> None:
        door = Gate(behind, 4000, TOKEN, TokenBucket(1.0, burst, lambda: 0.0))

        async def send(message: Any) -> None:
            sent.append(dict(message))

        for scope in scopes:
            await door(scope, None, send)  # type: ignore[arg-type]

    asyncio.run(run())
    return sent


def test_a_refusal_says_no_more_than_why_and_allows_no_page_anything() -> None:
    start, body = answers_of([{"type": "http", "method": "POST", "headers": with_token(b"Bearer wrong")}])
    names = {name for name, _ in start["headers"]}
    assert (start["status"], names) == (401, {b"content-type", b"content-length", b"www-authenticate"})
    assert b"token is missing or wrong" in body["body"]
    assert TOKEN.encode() not in body["body"]


def test_other_ways_to_speak_are_closed() -> None:
    assert answers_of([{"type": "websocket", "headers": GOOD}]) == [{"type": "websocket.close", "code": 1008}]


def test_too_many_requests_are_refused_with_the_wrong_token_too() -> None:
    scope = {"type": "http", "method": "POST", "headers": with_token(b"Bearer wrong")}
    sent = answers_of([scope] * 3, burst=2)
    assert [message["status"] for message in sent if "status" in message] == [401, 401, 429]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.com", "", "127.0.0.2", "127.1"])  # noqa: S104
def test_a_host_that_others_reach_is_refused(host: str) -> None:
    with pytest.raises(UsageError, match="would leave this machine"):
        bind_loopback(host, 0)


def test_a_port_that_is_taken_is_no_traceback() -> None:
    with bind_loopback("127.0.0.1", 0) as first, pytest.raises(ClawvaultError, match="Cannot listen on port"):
        bind_loopback("127.0.0.1", first.getsockname()[1])


def test_the_socket_is_on_loopback() -> None:
    with bind_loopback("localhost", 0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        assert listening.family == socket.AF_INET


def test_the_token_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    token = load_token(tmp_path)
    assert len(token) == 43
    assert load_token(tmp_path) == token
    assert (tmp_path / "mcp.token").stat().st_mode & 0o077 == 0


def test_a_token_that_others_could_read_is_made_anew(tmp_path: Path) -> None:
    token = load_token(tmp_path)
    (tmp_path / "mcp.token").chmod(0o644)
    assert load_token(tmp_path) != token
    assert (tmp_path / "mcp.token").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"short", b"\xff" * 43, b"x" * 43 + b"\nmore"])
def test_a_damaged_token_is_made_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "mcp.token").write_bytes(content)
    (tmp_path / "mcp.token").chmod(0o600)
    token = load_token(tmp_path)
    assert (len(token), token.encode() == content) == (43, False)


def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    monkeypatch.setattr(gate.hmac, "compare_digest", lambda *sides: bool(compared.append(sides)))
    assert find_refusal("POST", with_token(b"Bearer guess"), 4000, TOKEN) is not None
    assert compared == [(b"guess", TOKEN.encode())]
