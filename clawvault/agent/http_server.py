"""Serve the protocol over streamable HTTP, on this machine alone (T09)."""

from __future__ import annotations

import re
import secrets
import signal
import socket
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from clawvault.agent.bucket import TokenBucket
from clawvault.agent.gate import LOOPBACK_NAMES, Gate
from clawvault.agent.mcp_server import build_server
from clawvault.agent.toolbox import Toolbox
from clawvault.errors import ClawvaultError, UsageError
from clawvault.vault.private_file import write_private_file

LOOPBACK = {"127.0.0.1": socket.AF_INET, "localhost": socket.AF_INET, "::1": socket.AF_INET6}
ROUTE = "/mcp"
TOKEN_NAME = "mcp.token"  # noqa: S105 - the name of a file
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
MAX_BODY_BYTES = 2_000_000
MAX_CONNECTIONS = 64
REQUESTS_PER_S = 50.0
REQUESTS_BURST = 200
CLOSING_S = 2


def bind_loopback(host: str, port: int) -> socket.socket:
    """Return a listening socket of this machine.

    Args:
        host: ``127.0.0.1``, ``localhost`` or ``::1``.
        port: 0 takes any that is free.

    Raises:
        UsageError: The host is reached from elsewhere.
        ClawvaultError: The port is taken.
    """
    if host not in LOOPBACK:
        raise UsageError(
            f'The MCP server does not listen on "{host}": notes would leave this machine.',
            "Use 127.0.0.1 or ::1; to reach it from elsewhere, forward the port over SSH.",
        )
    family = LOOPBACK[host]
    listening = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform == "win32":
        # Without it another process may bind the same port and take the questions.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1" if family == socket.AF_INET else host, port))
    except OSError as error:
        listening.close()
        raise ClawvaultError(
            f"Cannot listen on port {port}: {error.strerror or error}.", "Choose another with --port."
        ) from error
    listening.listen(MAX_CONNECTIONS)
    return listening


def load_token(state: Path) -> str:
    """Return the token of a vault's server, made when there is none that only its owner can read.

    Args:
        state: The state folder of the vault.

    Raises:
        ClawvaultError: The state folder cannot be written.
    """
    path = state / TOKEN_NAME
    try:
        seen = path.lstat()
        private = sys.platform == "win32" or not stat.S_IMODE(seen.st_mode) & 0o077
        if stat.S_ISREG(seen.st_mode) and private and TOKEN.fullmatch(text := path.read_text("ascii").strip()):
            return text
    except (OSError, ValueError):
        pass
    token = secrets.token_urlsafe(32)
    try:
        write_private_file(path, token.encode("ascii") + b"\n")
    except OSError as error:
        raise ClawvaultError(f'Cannot write "{path}": {error.strerror}.', "Check the state folder.") from error
    return token


def serve_http(toolbox: Toolbox, listening: socket.socket, token: str, on_ready: Callable[[str], None]) -> None:
    """Serve until the process is interrupted; must be called from its main thread.

    Args:
        toolbox: What is served.
        listening: As ``bind_loopback`` gives it.
        token: What each request must show.
        on_ready: Called with the address when the first request may come.
    """
    host, port = listening.getsockname()[:2]
    app = build_app(toolbox, port, token)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=CLOSING_S,
        ws="none",
    )
    server = uvicorn.Server(config)

    def end(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    # Uvicorn takes interrupts itself, but not until much is imported, and an exception that is raised within an import
    # may be lost. What it took it raises again when all is closed.
    signal.signal(signal.SIGINT, end)
    on_ready(f"http://{f'[{host}]' if ':' in host else host}:{port}{ROUTE}")
    server.run(sockets=[listening])


def build_app(toolbox: Toolbox, port: int, token: str) -> Any:
    """Return the whole server as an ASGI application, its gate before everything."""
    addresses = [f"{name}:{port}" for name in LOOPBACK_NAMES]
    security = TransportSecuritySettings(
        allowed_hosts=addresses, allowed_origins=[f"http://{address}" for address in addresses]
    )
    app = build_server(toolbox).streamable_http_app(
        streamable_http_path=ROUTE, max_request_body_size=MAX_BODY_BYTES, transport_security=security
    )
    return Gate(app, port, token, TokenBucket(REQUESTS_PER_S, REQUESTS_BURST, time.monotonic))
