"""The vault as an MCP server: tools, notes as resources, and the guide as a prompt (IW-89..95, MN-35).

Answers are worked out in threads, so that the protocol goes on meanwhile. The vault is opened by the first question
that needs it, so that the first message waits for nothing.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from clawvault.agent.guide import render_guide, render_instructions
from clawvault.agent.note_resources import ADDRESS_TEMPLATE, address_of, list_page, read_address
from clawvault.agent.toolbox import Toolbox
from clawvault.errors import ClawvaultError
from clawvault.guard.presenting import clean_line
from clawvault.version import __version__

GUIDE_PROMPT = "memory_guide"
GUIDE_SAID = "When and how to use this memory."
MARKDOWN = "text/markdown"
INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603
# Questions worked on at once; more wait, and the protocol does not.
WORKERS = 4
Context = ServerRequestContext[Any]
Answer = TypeVar("Answer")


class VaultAnswers:
    """Answer the requests of the protocol from a toolbox."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._limiter = anyio.CapacityLimiter(WORKERS)
        self._warming = threading.Lock()

    async def list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """Return the tools; whoever asks for them will soon call one, so the vault is opened meanwhile."""
        if self._warming.acquire(blocking=False):
            threading.Thread(target=self._open_ahead, name="mcp-open", daemon=True).start()
        return types.ListToolsResult(tools=[self._describe(name) for name in self._toolbox.tools])

    async def call_tool(self, _: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Call a tool; its errors are results that a model can read."""
        answer = await self._in_thread(partial(self._toolbox.call, params.name, params.arguments))
        text = json.dumps(answer, ensure_ascii=False)
        is_error = answer.get("is_error") is True
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=answer, is_error=is_error
        )

    async def list_resources(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Return a page of notes."""
        cursor = None if params is None else params.cursor
        page, following = await self._in_thread(partial(list_page, self._toolbox.desk, cursor))
        found = [
            types.Resource(uri=note.address, name=note.name, mime_type=MARKDOWN, size=note.size_bytes, _meta=note.marks)
            for note in page
        ]
        return types.ListResourcesResult(resources=found, next_cursor=following)

    async def list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Return how the address of a note is made."""
        template = types.ResourceTemplate(
            uri_template=ADDRESS_TEMPLATE,
            name="note",
            description=f"A note by its path in the vault, such as {address_of('MEMORY.md')}",
            mime_type=MARKDOWN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, _: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Return a note, and how far it may be trusted."""
        text, marks = await self._in_thread(partial(read_address, self._toolbox.desk, params.uri))
        contents = types.TextResourceContents(uri=params.uri, mime_type=MARKDOWN, text=text, _meta=marks)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """Return the one prompt there is."""
        prompt = types.Prompt(name=GUIDE_PROMPT, description=GUIDE_SAID)
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Return the guide."""
        if params.name != GUIDE_PROMPT:
            raise MCPError(INVALID_PARAMS, f'There is no prompt "{clean_line(params.name)[:80]}".')
        text = render_guide(prefix=self._toolbox.prefix, read_only=self._toolbox.read_only)
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=GUIDE_SAID, messages=[message])

    def _describe(self, name: str) -> types.Tool:
        tool = self._toolbox.tools[name]
        hints = types.ToolAnnotations(
            read_only_hint=tool.read_only, destructive_hint=tool.destructive, open_world_hint=False
        )
        return types.Tool(
            name=name,
            title=tool.title,
            description=self._toolbox.describe(name),
            input_schema=self._toolbox.schema(name),
            annotations=hints,
        )

    def _open_ahead(self) -> None:
        try:
            self._toolbox.desk.vault  # noqa: B018 - opening is what it is for
        except ClawvaultError:
            # The question that needs the vault says why it cannot be opened.
            return

    async def _in_thread(self, act: Callable[[], Answer]) -> Answer:
        try:
            return await anyio.to_thread.run_sync(act, abandon_on_cancel=True, limiter=self._limiter)
        except ClawvaultError as error:
            raise MCPError(INVALID_PARAMS, clean_line(f"{error.message} {error.hint}".strip())) from error


def build_server(toolbox: Toolbox) -> Server[Any]:
    """Return the server that answers from a toolbox."""
    answers = VaultAnswers(toolbox)
    return Server(
        "clawvault",
        version=__version__,
        title="clawvault memory",
        instructions=render_instructions(prefix=toolbox.prefix, read_only=toolbox.read_only),
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
    )
