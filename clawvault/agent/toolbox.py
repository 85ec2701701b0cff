"""The tools of one vault, ready to be called: by the MCP server, and by any program that talks to a model.

tools = clawvault.tools(vault)
model.generate(..., tools=tools.to_openai())
answer = tools.call("memory_search", {"query": "which port does the database use"})
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from clawvault.agent.bucket import TokenBucket
from clawvault.agent.checking import check_arguments
from clawvault.agent.reading_tools import READING_TOOLS
from clawvault.agent.tool import Desk, JsonObject, Tool
from clawvault.agent.writing_tools import WRITING_TOOLS
from clawvault.daemon.logs import describe_bug
from clawvault.errors import ClawvaultError, ConfigError, UsageError
from clawvault.guard.presenting import clean_line

if TYPE_CHECKING:
    from clawvault.api import Vault

TOOLS: tuple[Tool, ...] = (*READING_TOOLS, *WRITING_TOOLS)
PREFIX = re.compile(r"[A-Za-z0-9_-]{0,32}")
NAME_IN_BRACES = re.compile(r"\{((?:memory|profile)_[a-z]+)\}")
_OFFERED = "tree|read|search|write|append|patch|remember|forget"
_COMMAND = re.compile(rf'"?\bclawvault ({_OFFERED})\b"?')
_DEED = re.compile(r"\b(use|Use|with) (append|patch|remember|forget)\b")
_FLAG = re.compile(r"--(since|until|mode|limit|path|kind|sync)\b")
# What no tool does: the person has the command line.
_OF_A_PERSON = re.compile(
    r"\bclawvault (?:init|index|watch|pin|unpin|recalls|dream|lint|archive|profile|undo|record|why|eval|status|accept|"
    r"doctor|model|mcp|connect)\b|--[a-z]"
)
# A model that calls more often than this goes round in circles.
CALLS_PER_S = 4.0
BURST = 60

log = logging.getLogger("clawvault.agent.toolbox")


class Toolbox:
    """The tools of one vault; may be called from many threads.

    Args:
        desk: Where they work.
        read_only: Offer only tools that leave the vault as it is.
        prefix: Put before every name.
        clock: Monotonic seconds, for the limit on how often tools are called.

    Raises:
        ConfigError: The prefix is none that a name of a tool can begin with.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        read_only: bool = False,
        prefix: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.prefix = checked_prefix(prefix)
        self.read_only = read_only
        self.tools = {self.prefix + tool.name: tool for tool in list_tools(read_only=read_only)}
        self.desk = desk
        self._bucket = TokenBucket(CALLS_PER_S, BURST, clock)

    def call(self, name: str, arguments: object = None) -> JsonObject:
        """Call a tool.

        Args:
            name: As it is offered, with its prefix.
            arguments: A mapping as the schema of the tool says.

        Returns:
            JSON values: the answer of the tool, or ``is_error`` true with ``error`` and ``hint`` that say what to do.
            Nothing is raised for what a model or a person did.
        """
        try:
            tool = self._find(name)
            checked = check_arguments(tool, name, arguments)
            wait_s = self._bucket.take()
            if wait_s:
                raise ClawvaultError("Too many calls in a short time.", f"Wait {wait_s:.1f} s, then go on.")
            return tool.run(self.desk, checked)
        except ClawvaultError as error:
            hint = _for_a_model(error.hint)
            hint = f"For the person: {hint}" if _OF_A_PERSON.search(hint) else hint
            return _failure(*(apply_prefix(text, self.prefix) for text in (_for_a_model(error.message), hint)))
        except Exception as error:  # noqa: BLE001 - one call must not end the conversation
            # The message of the error may quote a note, and what a log holds is read by others.
            log.error("the tool %s failed with %s", clean_line(name)[:80], describe_bug(error))
            return _failure(
                f"{clean_line(name)[:80]} failed with {type(error).__name__}, a fault of clawvault.",
                "Go on without it, and tell the person that it failed.",
            )

    def describe(self, name: str) -> str:
        """Return what a tool says of itself, with the names of other tools as they are offered here."""
        return apply_prefix(self.tools[name].description, self.prefix)

    def schema(self, name: str) -> JsonObject:
        """Return the JSON schema of a tool's arguments, draft 2020-12."""
        schema = self.tools[name].schema
        for inner in schema["properties"].values():
            inner["description"] = apply_prefix(inner["description"], self.prefix)
        return schema

    def to_openai(self) -> list[JsonObject]:
        """Return the tools in the form of OpenAI's chat completions, which many servers and libraries share."""
        return [
            {"type": "function", "function": {"name": name, **self._described(name, "parameters")}}
            for name in self.tools
        ]

    def to_anthropic(self) -> list[JsonObject]:
        """Return the tools in the form of Anthropic's messages."""
        return [{"name": name, **self._described(name, "input_schema")} for name in self.tools]

    def functions(self) -> dict[str, Callable[..., JsonObject]]:
        """Return the tools as functions with keyword arguments, by name, for libraries that read docstrings."""
        return {name: self._function(name) for name in self.tools}

    def _function(self, name: str) -> Callable[..., JsonObject]:
        def function(**arguments: Any) -> JsonObject:
            return self.call(name, arguments)

        function.__name__ = function.__qualname__ = name
        function.__doc__ = self.describe(name)
        return function

    def _described(self, name: str, field: str) -> JsonObject:
        schema = self.schema(name)
        schema.pop("$schema")
        return {"description": self.describe(name), field: schema}

    def _find(self, name: str) -> Tool:
        if name in self.tools:
            return self.tools[name]
        if self.read_only and name.removeprefix(self.prefix) in {tool.name for tool in TOOLS}:
            raise UsageError(f"{name} changes memory, and this server only reads.", "Tell the person what to save.")
        raise UsageError(f'There is no tool "{clean_line(name)[:80]}".', f"There are: {', '.join(self.tools)}.")


def tools(vault: Vault, read_only: bool = False) -> Toolbox:
    """Return the tools of a vault for any program that talks to a model.

    Args:
        vault: An open vault.
        read_only: Offer only tools that leave the vault as it is.

    Raises:
        ConfigError: The setting ``agent.tool_prefix`` has no usable value.
    """
    return Toolbox(Desk(lambda: vault), read_only=read_only, prefix=vault.config.agent.tool_prefix)


def list_tools(*, read_only: bool) -> tuple[Tool, ...]:
    """Return all tools, or those that leave a vault as it is."""
    return READING_TOOLS if read_only else TOOLS


def checked_prefix(prefix: str) -> str:
    """Return a prefix that a name of a tool can begin with.

    Raises:
        ConfigError: It is none.
    """
    if not PREFIX.fullmatch(prefix):
        raise ConfigError(
            f'agent.tool_prefix is "{clean_line(prefix)[:80]}", which no name of a tool can begin with.',
            "Use up to 32 letters, digits, _ and -, such as vault_.",
        )
    return prefix


def apply_prefix(text: str, prefix: str) -> str:
    """Put a prefix before each name of a tool that stands in braces."""
    return NAME_IN_BRACES.sub(lambda found: prefix + found[1], text)


def _for_a_model(text: str) -> str:
    """Return a text of an error, which is written for the command line, in words of the tools."""
    text = _COMMAND.sub(r"{memory_\1}", text)
    text = _DEED.sub(r"\1 {memory_\2}", text)
    return _FLAG.sub(r"\1", text.replace("--insist", "even_if_similar"))


def _failure(message: str, hint: str) -> JsonObject:
    return {"is_error": True, "error": clean_line(message), "hint": clean_line(hint)}
