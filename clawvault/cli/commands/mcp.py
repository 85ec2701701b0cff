"""``clawvault mcp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawvault.cli.endings import BUG, INTERRUPTED, report_bug
from clawvault.cli.place import Invocation, Place
from clawvault.cli.terminal import warn

if TYPE_CHECKING:
    from clawvault.agent.toolbox import Toolbox


@click.command("mcp")
@click.option("--read-only", is_flag=True, help="Offer only tools that leave the vault as it is.")
@click.option("--http", is_flag=True, help="Serve HTTP on this machine instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: 127.0.0.1 or ::1.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default="any free one", help="With --http: where."
)
@click.pass_obj
def command(invocation: Invocation, read_only: bool, http: bool, host: str, port: int) -> int:
    """Give an agent the tools of this vault over MCP.

    On standard input and output, for an agent that starts it; it ends with that agent. See clawvault connect.
    """
    return _serve_http(invocation.locate(), read_only, host, port) if http else _serve_stdio(invocation, read_only)


def _serve_stdio(invocation: Invocation, read_only: bool) -> int:
    import sys

    from clawvault.agent.lifeline import end_process
    from clawvault.agent.streams import claim_streams

    if sys.stdin.isatty():
        warn("Waiting for an agent on standard input; clawvault connect tells one of this server.")
    incoming, outgoing = claim_streams()
    toolbox = _open_toolbox(invocation.locate(), read_only)
    from clawvault.agent.stdio_server import serve_stdio

    try:
        code = serve_stdio(toolbox, incoming, outgoing)
    except Exception as error:  # noqa: BLE001 - threads may be busy, so the usual end of a command is never reached
        report_bug(error, invocation)
        code = BUG
    end_process(code)
    return code


def _serve_http(place: Place, read_only: bool, host: str, port: int) -> int:
    from clawvault.agent.http_server import TOKEN_NAME, bind_loopback, load_token, serve_http

    listening = bind_loopback(host, port)
    token = load_token(place.state)

    def say(address: str) -> None:
        warn(f"MCP server at {address}; Ctrl-C ends it.")
        warn(f'Requests need "Authorization: Bearer" with the token in "{place.state / TOKEN_NAME}".')

    serve_http(_open_toolbox(place, read_only), listening, token, say)
    return INTERRUPTED


def _open_toolbox(place: Place, read_only: bool) -> Toolbox:
    from clawvault.agent.tool import Desk
    from clawvault.agent.toolbox import Toolbox

    return Toolbox(Desk(place.open, use_daemon=True), read_only=read_only, prefix=place.config.agent.tool_prefix)
