"""The SDK's own client over both transports, and a client written by hand over HTTP (IW-89..95)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from agent_types import Connect
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from raw_client import INITIALIZE, LONGEST_S

ADDRESS = re.compile(r"MCP server at (http://127\.0\.0\.1:\d+/mcp);")


@dataclass
class HttpServer:
    process: subprocess.Popen[str]
    address: str
    token: str


@pytest.fixture
def http_server(root: Path, tmp_path: Path) -> Iterator[HttpServer]:
    """Run ``clawvault mcp --http`` until the test is over."""
    process = subprocess.Popen(
        [sys.executable, "-m", "clawvault", "--vault", str(root), "mcp", "--http"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    watchdog = threading.Timer(LONGEST_S, process.kill)
    watchdog.start()
    assert process.stderr is not None
    said = process.stderr.readline()
    process.stderr.readline()
    found = ADDRESS.search(said)
    assert found is not None, said
    (token,) = (tmp_path / "state").rglob("mcp.token")
    yield HttpServer(process, found[1], token.read_text().strip())
    process.terminate()
    process.communicate(timeout=LONGEST_S)
    watchdog.cancel()


Use = Callable[[Client], Awaitable[None]]


def over_stdio(root: Path, use: Use, mode: str, *arguments: str) -> None:
    """Use the SDK's client over standard input and output."""
    environment = {name: value for name, value in os.environ.items() if name.startswith(("CLAWVAULT", "PYTHON"))}
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "clawvault", "--vault", str(root), "mcp", *arguments], env=environment
    )

    async def run() -> None:
        async with Client(stdio_client(server), mode=mode) as client:
            await use(client)

    anyio.run(run)


def over_http(server: HttpServer, use: Use, mode: str) -> None:
    """Use the SDK's client over streamable HTTP."""

    async def run() -> None:
        headers = {"Authorization": f"Bearer {server.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=LONGEST_S) as session,
            Client(streamable_http_client(server.address, http_client=session), mode=mode) as client,
        ):
            await use(client)

    anyio.run(run)


async def try_everything(client: Client) -> None:
    tools = await client.list_tools()
    assert len(tools.tools) == 12
    found = await client.call_tool("memory_search", {"query": "which port does the database use"})
    assert (found.is_error, found.structured_content["hits"][0]["path"]) == (False, "MEMORY.md")
    saved = await client.call_tool("memory_remember", {"text": "Ben lives in Lyon"})
    assert saved.is_error is False
    failed = await client.call_tool("memory_read", {"path": "../secret"})
    assert (failed.is_error, "not a path inside the vault" in failed.structured_content["error"]) == (True, True)
    resources = await client.list_resources()
    assert "vault://notes/projects/atlas.md" in [resource.uri for resource in resources.resources]
    templates = await client.list_resource_templates()
    assert [template.uri_template for template in templates.resource_templates] == ["vault://notes/{+path}"]
    note = await client.read_resource("vault://notes/projects/atlas.md")
    assert note.contents[0].text == "# Atlas\n\nThe launch is planned for May.\n"  # type: ignore[union-attr]
    for address in ("vault://notes/%FF.md", "file:///etc/passwd", "vault://notes/"):
        with pytest.raises(MCPError, match=r"is not the address of a note\. They are made as vault://notes/MEMORY\.md"):
            await client.read_resource(address)
    prompts = await client.list_prompts()
    assert [prompt.name for prompt in prompts.prompts] == ["memory_guide"]
    guide = await client.get_prompt("memory_guide")
    assert "memory_search" in guide.messages[0].content.text  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdk_client_over_standard_input_and_output(root: Path, mode: str) -> None:
    over_stdio(root, try_everything, mode)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdk_client_over_http(http_server: HttpServer, mode: str) -> None:
    over_http(http_server, try_everything, mode)


def test_a_server_that_only_reads_offers_no_more(root: Path) -> None:
    async def use(client: Client) -> None:
        tools = await client.list_tools()
        assert all(tool.annotations is not None and tool.annotations.read_only_hint for tool in tools.tools)
        answer = await client.call_tool("memory_write", {"path": "a.md", "content": "x"})
        assert answer.is_error is True

    over_stdio(root, use, "legacy", "--read-only")
    assert not (root / "a.md").exists()


def speak(server: HttpServer, message: dict[str, Any], **headers: str) -> httpx.Response:
    """Send one message by hand."""
    return httpx.post(
        server.address,
        json={"jsonrpc": "2.0", **message},
        headers={
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {server.token}",
            **headers,
        },
        timeout=LONGEST_S,
        trust_env=False,
    )


def test_a_client_written_by_hand_over_http(http_server: HttpServer) -> None:
    hello = speak(http_server, {"id": 1, "method": "initialize", "params": INITIALIZE})
    assert (hello.status_code, '"name":"clawvault"' in hello.text) == (200, True)
    session = {"Mcp-Session-Id": hello.headers["mcp-session-id"], "Mcp-Protocol-Version": "2025-06-18"}
    assert speak(http_server, {"method": "notifications/initialized"}, **session).status_code == 202
    ask = {"id": 2, "method": "tools/call", "params": {"name": "memory_get", "arguments": {"path": "USER.md"}}}
    answer = speak(http_server, ask, **session)
    assert (answer.status_code, "Name: Anna" in answer.text) == (200, True)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Host": "evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://evil.example"}, 403),
    ],
)
def test_the_running_server_has_its_gate(http_server: HttpServer, headers: dict[str, str], status: int) -> None:
    answer = speak(http_server, {"id": 1, "method": "initialize", "params": INITIALIZE}, **headers)
    assert (answer.status_code, "clawvault" in answer.text) == (status, False)
    assert "access-control-allow-origin" not in answer.headers


def test_a_body_that_is_too_large_is_refused(http_server: HttpServer) -> None:
    params = {"name": "memory_append", "arguments": {"path": "a.md", "content": "x" * 2_100_000}}
    assert speak(http_server, {"id": 1, "method": "tools/call", "params": params}).status_code == 413


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C cannot be sent to one process there")
def test_ctrl_c_ends_the_http_server(http_server: HttpServer) -> None:
    http_server.process.send_signal(signal.SIGINT)
    assert http_server.process.wait(timeout=LONGEST_S) == 130


def test_a_host_that_others_reach_is_a_mistake_of_usage(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clawvault", "--vault", str(root), "mcp", "--http", "--host", "0.0.0.0"],  # noqa: S104
        capture_output=True,
        check=False,
        timeout=LONGEST_S,
    )
    assert done.returncode == 2
    assert b"would leave this machine" in done.stderr


def test_two_clients_at_one_vault_both_write(connect: Connect, root: Path) -> None:
    first, second = connect(), connect()
    first.hello()
    second.hello()
    keys = [
        client.begin("tools/call", {"name": "memory_append", "arguments": {"path": "log.md", "content": f"{name}"}})
        for client, name in ((first, "one"), (second, "two"))
    ]
    assert [first.next()["id"], second.next()["id"]] == keys
    assert sorted((root / "log.md").read_text().split()) == ["one", "two"]
