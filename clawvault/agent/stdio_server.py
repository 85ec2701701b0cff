"""Serve the protocol on standard input and output until the client ends (F36, F38)."""

from __future__ import annotations

import signal
from typing import Any, cast

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from clawvault.agent.lifeline import GRACE_S, INTERRUPTED, Lifeline
from clawvault.agent.mcp_server import build_server
from clawvault.agent.toolbox import Toolbox
from clawvault.agent.wire import Wire


def serve_stdio(toolbox: Toolbox, incoming: int, outgoing: int) -> int:
    """Serve one client.

    Args:
        toolbox: What is served.
        incoming: Descriptor of its messages, as ``claim_streams`` gives it.
        outgoing: Descriptor of the answers.

    Returns:
        The exit code. Threads may still be busy with questions that nobody waits for: end the process, do not join.
    """
    return anyio.run(_serve, build_server(toolbox), incoming, outgoing)


async def _serve(server: Server[Any], incoming: int, outgoing: int) -> int:
    wire = Wire(incoming, outgoing, grace_s=GRACE_S)
    lifeline = Lifeline(wire.end)
    lifeline.watch()
    wire.start(on_end=lifeline.end)
    files = cast("anyio.AsyncFile[str]", wire)
    async with stdio_server(files, files) as (read, write):
        await server.run(read, write, server.create_initialization_options())
    return INTERRUPTED if lifeline.signalled == signal.SIGINT else 0
