"""Where each agent keeps its configuration, and what goes into it."""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PureWindowsPath
from typing import Any

from clawvault.agent.connecting.parts import JsonItem, JsonMember, OwnFile, Part, TomlItem, TomlTable
from clawvault.agent.guide import render_guide
from clawvault.errors import UsageError

NAME = "clawvault"
# OpenClaw has tools called memory_search and memory_get of its own, and refuses others of these names.
OPENCLAW_PREFIX = "vault_"
PREFIX_VARIABLE = "CLAWVAULT_AGENT_TOOL_PREFIX"
CONTEXT_S, INDEX_S = 30, 60
# A hook as ``command_line`` writes it, for either shell; what it is called with is nothing but a vault.
_WORD, _WINDOWS_WORD = r"(?:'[^']*'|\"'\"|[^\s'\"|&;<>$`()])+", r'(?:"[^"]*"|[^\s"|&<>])+'
_REST = r"(?P<module> -m clawvault)? --vault (?P<vault>{word}) (?:context|index)"
_OWN = re.compile(rf"(?:CLAWVAULT_[A-Z_]+={_WORD} )*(?P<program>{_WORD}){_REST.format(word=_WORD)}")
_OWN_WINDOWS = re.compile(
    rf'(?:set "CLAWVAULT_[A-Z_]+=[^"]*"&& )*(?P<program>{_WINDOWS_WORD}){_REST.format(word=_WINDOWS_WORD)}'
)
DESCRIPTION = (
    "Long-term memory of the person you work for. Use it before answering anything about earlier conversations, "
    "people, preferences, dates, decisions or todos, and to save lasting facts."
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants to be connected.

    Attributes:
        root: The vault.
        folder: The project, for agents that keep configuration there.
        home: The person's home folder.
        environment: Where the agents' own folders are looked up.
        program: How clawvault is started, words of a command.
        scope: ``project`` or ``user``; empty is the usual one of the agent.
        read_only: Offer only tools that leave the vault as it is.
        hooks: Have the agent run clawvault when conversations begin and end, where it can.
        prefix: Of the names of tools, as the settings of the vault say.
    """

    root: Path
    folder: Path
    home: Path
    environment: Mapping[str, str]
    program: tuple[str, ...]
    scope: str = ""
    read_only: bool = False
    hooks: bool = True
    prefix: str = ""


@dataclass(slots=True)
class Plan:
    """What goes into which file, in order, and what a person should know of it.

    Attributes:
        files: The parts of each file.
        said: One text for each thing to know.
        root: The vault.
        kept: Folders that are never removed, nor any above them.
    """

    files: dict[Path, list[Part]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    root: Path = field(default_factory=Path)
    kept: tuple[Path, ...] = ()

    def put(self, path: Path, part: Part) -> None:
        """Put one more part into a file."""
        self.files.setdefault(path, []).append(part)


def plan_connection(agent: str, wish: Wish) -> Plan:
    """Return what connecting an agent puts where.

    Args:
        agent: A name of ``AGENTS``.
        wish: What is wanted.

    Raises:
        UsageError: The agent has no configuration in that scope.
    """
    plan = Plan(root=wish.root, kept=(wish.folder, wish.home))
    AGENTS[agent](plan, wish)
    return plan


def server_entry(wish: Wish, **environment: str) -> dict[str, Any]:
    """Return how an agent starts the server, in the form that nearly all of them share."""
    command, *rest = wish.program
    arguments = [*rest, "--vault", str(wish.root), "mcp", *(["--read-only"] if wish.read_only else [])]
    variables = {**_variables(wish), **environment}
    return {"command": command, "args": arguments, **({"env": variables} if variables else {})}


def command_line(command: Sequence[str], variables: Mapping[str, str], *, is_windows: bool) -> str:
    """Return a command as its shell takes it, with variables for it alone.

    Args:
        command: Its words.
        variables: What it finds in its environment.
        is_windows: Write it for ``cmd``, else for a POSIX shell.
    """
    if is_windows:
        settings = "".join(f'set "{name}={value}"&& ' for name, value in variables.items())
        return settings + subprocess.list2cmdline(command)
    return "".join(f"{name}={shlex.quote(value)} " for name, value in variables.items()) + shlex.join(command)


def find_program() -> tuple[str, ...]:
    """Return the words that start clawvault from anywhere."""
    started = Path(sys.argv[0])
    if started.stem == NAME and started.is_absolute() and started.suffix != ".py" and started.exists():
        return (str(started),)
    beside = Path(sys.executable).with_name(NAME + (".exe" if os.name == "nt" else ""))
    return (str(beside),) if beside.exists() else (sys.executable, "-m", NAME)


def _claude_code(plan: Plan, wish: Wish) -> None:
    user = wish.scope == "user"
    base = wish.home / ".claude" if user else wish.folder / ".claude"
    servers = wish.home / ".claude.json" if user else wish.folder / ".mcp.json"
    # Hooks run on this machine alone, so they go where a project keeps what it does not share.
    settings = base / ("settings.json" if user else "settings.local.json")
    plan.put(servers, JsonMember(("mcpServers", NAME), {"type": "stdio", **server_entry(wish)}))
    if wish.hooks:
        plan.put(settings, JsonItem(("hooks", "SessionStart"), _hook(wish, CONTEXT_S, "context"), is_own_hook))
        plan.put(settings, JsonItem(("hooks", "SessionEnd"), _hook(wish, INDEX_S, "index"), is_own_hook))
    plan.put(base / "skills" / NAME / "SKILL.md", OwnFile(_skill(wish, wish.prefix)))
    if not user:
        plan.said.append("Claude Code asks once whether it may use the server of .mcp.json.")


def _codex(plan: Plan, wish: Wish) -> None:
    project = wish.scope == "project"
    home = Path(wish.environment.get("CODEX_HOME") or wish.home / ".codex")
    config = (wish.folder / ".codex" if project else home) / "config.toml"
    plan.put(config, TomlTable(("mcp_servers", NAME), server_entry(wish)))
    if wish.hooks:
        plan.put(config, TomlItem(("hooks", "SessionStart"), _hook(wish, CONTEXT_S, "context"), is_own_hook))
        plan.said.append("Codex asks once whether it may run the hook; it has none for the end of a conversation.")
    skills = wish.folder / ".agents" / "skills" if project else home / "skills"
    plan.put(skills / NAME / "SKILL.md", OwnFile(_skill(wish, wish.prefix)))
    if project:
        plan.said.append("Codex reads .codex/config.toml in projects it trusts.")


def _cursor(plan: Plan, wish: Wish) -> None:
    base = (wish.home if wish.scope == "user" else wish.folder) / ".cursor"
    plan.put(base / "mcp.json", JsonMember(("mcpServers", NAME), server_entry(wish)))
    if wish.scope == "user":
        plan.said.append('Cursor keeps rules of a user in its settings: paste what "clawvault guide" prints there.')
    else:
        rule = f"---\ndescription: {DESCRIPTION}\nalwaysApply: true\n---\n\n{_guide(wish, wish.prefix)}"
        plan.put(base / "rules" / f"{NAME}.mdc", OwnFile(rule))


def _openclaw(plan: Plan, wish: Wish) -> None:
    if wish.scope == "project":
        raise UsageError("OpenClaw keeps its configuration per user.", "Leave out --scope.")
    base = wish.home / ".openclaw"
    config = Path(wish.environment.get("OPENCLAW_CONFIG_PATH") or base / "openclaw.json")
    prefix = wish.prefix or OPENCLAW_PREFIX
    plan.put(config, JsonMember(("mcp", "servers", NAME), server_entry(wish, **{PREFIX_VARIABLE: prefix})))
    plan.put(base / "skills" / NAME / "SKILL.md", OwnFile(_skill(wish, prefix)))
    plan.said.append(f"Tools are called {prefix}..., since OpenClaw has memory_search of its own.")


def _generic(plan: Plan, wish: Wish) -> None:
    entry = json.dumps({"mcpServers": {NAME: server_entry(wish)}}, ensure_ascii=False, indent=2)
    plan.said.append(f"Put this where your agent lists its MCP servers:\n\n{entry}\n")
    plan.said.append('and what "clawvault guide" prints where its instructions are.')


AGENTS: dict[str, Callable[[Plan, Wish], None]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "cursor": _cursor,
    "openclaw": _openclaw,
    "generic": _generic,
}


def _variables(wish: Wish) -> dict[str, str]:
    # An agent starts its servers with little of the environment; an index made elsewhere would be made once more.
    state = wish.environment.get("CLAWVAULT_STATE_DIR")
    return {"CLAWVAULT_STATE_DIR": os.path.abspath(state)} if state else {}


def _hook(wish: Wish, timeout_s: int, *words: str) -> dict[str, Any]:
    command = [*wish.program, "--vault", str(wish.root), *words]
    # Hooks have no field for variables, and must ask the index that the server keeps.
    line = command_line(command, _variables(wish), is_windows=os.name == "nt")
    return {"hooks": [{"type": "command", "command": line, "timeout": timeout_s}]}


def is_own_hook(group: Any, *, is_windows: bool = os.name == "nt") -> bool:
    """Say whether a group of hooks is what connecting once put there, from wherever the program was started.

    A command that a person made their own, by words before or after it, is theirs.
    """
    return _match_own_hook(group, is_windows=is_windows) is not None


def _match_own_hook(group: Any, *, is_windows: bool) -> re.Match[str] | None:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(hooks, list) or len(hooks) != 1 or not isinstance(hooks[0], dict):
        return None
    line = hooks[0].get("command")
    if not isinstance(line, str) or set(group) != {"hooks"}:
        return None
    found = (_OWN_WINDOWS if is_windows else _OWN).fullmatch(line)
    if found is None:
        return None
    program = PureWindowsPath(found["program"].strip("\"'"))
    return found if found["module"] or program.stem.lower() == NAME else None


def vault_named_in(value: Any, *, is_windows: bool = os.name == "nt") -> str | None:
    """Return the vault that an entry of a server, or a group of hooks that connecting wrote, names; else ``None``.

    Args:
        value: As a ``Part`` finds it.
        is_windows: Hooks are written for ``cmd``, else for a POSIX shell.
    """
    if not isinstance(value, dict):
        return None
    words = value.get("args")
    if isinstance(words, list):
        named = [word for before, word in itertools.pairwise(words) if before == "--vault"]
        return named[0] if named and isinstance(named[0], str) else None
    found = _match_own_hook(value, is_windows=is_windows)
    if found is None:
        return None
    word = found["vault"]
    return word.replace('"', "") if is_windows else "".join(shlex.split(word))


def _skill(wish: Wish, prefix: str) -> str:
    return f"---\nname: {NAME}\ndescription: {DESCRIPTION}\n---\n\n{_guide(wish, prefix)}"


def _guide(wish: Wish, prefix: str) -> str:
    return render_guide(prefix=prefix, read_only=wish.read_only)
