"""Who may speak to the server on loopback: programs of this user that know its token, and no web page (T09)."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any

from clawvault.agent.bucket import TokenBucket

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = Iterable[tuple[bytes, bytes]]

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
WAYS = frozenset({"POST", "GET", "DELETE"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request goes no further: the status of HTTP and a sentence."""

    status: int
    reason: str


class Gate:
    """Let through what may pass to the server behind it.

    Args:
        app: The server behind it.
        port: Where it listens, 1..65535.
        token: What each request must show.
        bucket: How many requests may come, those that are refused included.
    """

    def __init__(self, app: App, port: int, token: str, bucket: TokenBucket) -> None:
        self._app = app
        self._port = port
        self._token = token
        self._bucket = bucket

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or have it answered."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = None
        if self._bucket.take():
            refusal = Refusal(429, "too many requests")
        refusal = refusal or find_refusal(scope["method"], scope["headers"], self._port, self._token)
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await _refuse(refusal, send)


def find_refusal(method: str, headers: Headers, port: int, token: str) -> Refusal | None:
    """Return why a request may not pass, or ``None``.

    Args:
        method: Of the request; ``OPTIONS`` is what a page asks before it may send more, and gets nothing.
        headers: Names in lower case with their values, as often as they were sent.
        port: Where the server listens.
        token: What ``Authorization: Bearer`` must hold.

    Source: T09.
    """
    hosts, origins, shown = (_values(headers, name) for name in (b"host", b"origin", b"authorization"))
    addresses = {f"{name}:{port}" for name in LOOPBACK_NAMES}
    # A name that a page makes point to this machine, and each other way to write an address, is none of these.
    if len(hosts) != 1 or hosts[0].lower() not in addresses:
        return Refusal(403, "the Host is not this server")
    # Programs send no Origin. A page always does, "null" from a file or a sandbox among them.
    if len(origins) > 1 or any(origin.lower() not in {f"http://{name}" for name in addresses} for origin in origins):
        return Refusal(403, "the Origin is not this server")
    if method not in WAYS:
        return Refusal(405, "this way of asking is not known here")
    scheme, _, given = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
    # Both are bytes, since the comparison of texts refuses what is not ASCII.
    if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), token.encode()):
        return Refusal(401, "the token is missing or wrong")
    return None


def _values(headers: Headers, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in headers if key.lower() == name]


async def _refuse(refusal: Refusal, send: Send) -> None:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": f"Refused: {refusal.reason}."}}
    body = json.dumps(error).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refusal.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
