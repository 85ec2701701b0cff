"""An agent is told of the vault in its own configuration, and every byte comes back."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from raw_client import LONGEST_S

from clawvault.agent.connecting import agents
from clawvault.agent.connecting.agents import find_program
from clawvault.cli.main import cli

CLAUDE_SETTINGS = """{
  // mine
  "model": "best",
  "hooks": {
    "SessionStart": [
      {"hooks": [{"type": "command", "command": "date"}]}
    ]
  }
}
"""
CODEX_CONFIG = """# my settings
model = "best" # the one

[mcp_servers.other]
command = "x"

[[hooks.SessionStart]]
[[hooks.SessionStart.hooks]]
type = "command"
command = "date"
"""
OPENCLAW_CONFIG = """// gateway
{
  agents: { defaults: { workspace: '~/w' } },
  mcp: { servers: { other: { command: 'x' } } }, // mine
}
"""
EXISTING = {
    "claude-code": {
        "project/.mcp.json": '{"mcpServers": {"other": {"command": "x"}}}',
        "project/.claude/settings.local.json": CLAUDE_SETTINGS,
    },
    "codex": {"home/.codex/config.toml": CODEX_CONFIG},
    "cursor": {"project/.cursor/mcp.json": '{\r\n\t"mcpServers": {}\r\n}'},
    "openclaw": {"home/.openclaw/openclaw.json": OPENCLAW_CONFIG},
}
AGENTS = list(EXISTING)


@pytest.fixture
def place(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a project, with a home folder of our own."""
    for name in ("project", "home"):
        (tmp_path / name).mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name in ("CODEX_HOME", "OPENCLAW_CONFIG_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLAWVAULT_VAULT", str(root))
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["connect", *arguments])


def files_of(place: Path) -> dict[str, bytes]:
    found = [path for name in ("project", "home") for path in (place / name).rglob("*") if path.is_file()]
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in found}


def make(place: Path, agent: str) -> dict[str, bytes]:
    for path, text in EXISTING[agent].items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(text.encode())
    return files_of(place)


def test_claude_code_gets_server_hooks_and_skill(place: Path, root: Path) -> None:
    assert run("claude-code", "--yes").exit_code == 0
    entry = json.loads((place / "project/.mcp.json").read_text())["mcpServers"]["clawvault"]
    assert (entry["type"], entry["args"][-3:]) == ("stdio", ["--vault", str(root), "mcp"])
    assert entry["env"] == {"CLAWVAULT_STATE_DIR": str(place / "state")}
    hooks = json.loads((place / "project/.claude/settings.local.json").read_text())["hooks"]
    start, end = (hooks[name][0]["hooks"][0] for name in ("SessionStart", "SessionEnd"))
    assert (start["type"], shlex.split(start["command"])[-3:]) == ("command", ["--vault", str(root), "context"])
    assert shlex.split(end["command"])[-1] == "index"
    skill = (place / "project/.claude/skills/clawvault/SKILL.md").read_text()
    assert skill.startswith("---\nname: clawvault\ndescription: ")
    assert "memory_search" in skill


def test_codex_gets_server_hook_and_skill_in_the_folder_of_its_user(place: Path, root: Path) -> None:
    make(place, "codex")
    assert run("codex", "--yes").exit_code == 0
    text = (place / "home/.codex/config.toml").read_text()
    config = tomllib.loads(text)
    assert config["mcp_servers"]["clawvault"]["args"][-3:] == ["--vault", str(root), "mcp"]
    assert config["mcp_servers"]["other"] == {"command": "x"}
    assert [len(group["hooks"]) for group in config["hooks"]["SessionStart"]] == [1, 1]
    assert text.startswith('# my settings\nmodel = "best" # the one\n')
    assert (place / "home/.codex/skills/clawvault/SKILL.md").exists()


def test_hooks_work_on_the_index_of_the_server(place: Path) -> None:
    run("claude-code", "--yes")
    run("codex", "--yes")
    hooks = [
        *json.loads((place / "project/.claude/settings.local.json").read_text())["hooks"].values(),
        tomllib.loads((place / "home/.codex/config.toml").read_text())["hooks"]["SessionStart"],
    ]
    first_words = [shlex.split(groups[0]["hooks"][0]["command"])[0] for groups in hooks]
    assert first_words == [f"CLAWVAULT_STATE_DIR={place / 'state'}"] * 3


def test_hooks_name_no_index_where_none_was_chosen(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAWVAULT_STATE_DIR")
    run("claude-code", "--yes")
    assert "CLAWVAULT_STATE_DIR" not in (place / "project/.claude/settings.local.json").read_text()


def test_cursor_gets_server_and_rule(place: Path) -> None:
    assert run("cursor", "--yes").exit_code == 0
    assert "clawvault" in json.loads((place / "project/.cursor/mcp.json").read_text())["mcpServers"]
    rule = (place / "project/.cursor/rules/clawvault.mdc").read_text()
    assert "alwaysApply: true\n---\n" in rule


def test_openclaw_gets_a_server_whose_tools_have_names_of_their_own(place: Path) -> None:
    make(place, "openclaw")
    assert run("openclaw", "--yes").exit_code == 0
    text = (place / "home/.openclaw/openclaw.json").read_text()
    assert '"CLAWVAULT_AGENT_TOOL_PREFIX": "vault_"' in text
    for part in ("// gateway\n", "workspace: '~/w'", "other: { command: 'x' }", "// mine"):
        assert part in text
    assert "vault_memory_search" in (place / "home/.openclaw/skills/clawvault/SKILL.md").read_text()


def test_any_other_agent_gets_a_text_to_paste(place: Path, root: Path) -> None:
    result = run("generic")
    assert result.exit_code == 0
    entry = json.loads(result.output[result.output.index("{") : result.output.rindex("}") + 1])
    assert entry["mcpServers"]["clawvault"]["args"][-3:] == ["--vault", str(root), "mcp"]
    assert files_of(place) == {}


@pytest.mark.parametrize("agent", AGENTS)
def test_undo_restores_every_byte(place: Path, agent: str) -> None:
    before = make(place, agent)
    assert run(agent, "--yes").exit_code == 0
    assert files_of(place) != before
    assert run(agent, "--undo", "--yes").exit_code == 0
    assert files_of(place) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_undo_where_nothing_was_leaves_nothing(place: Path, agent: str) -> None:
    run(agent, "--yes")
    run(agent, "--undo", "--yes")
    assert files_of(place) == {}


@pytest.mark.parametrize("agent", AGENTS)
def test_undo_after_a_change_of_the_person_takes_out_our_part_alone(place: Path, agent: str) -> None:
    make(place, agent)
    run(agent, "--yes")
    ((path, text),) = list(EXISTING[agent].items())[:1]
    changed = (place / path).read_bytes().replace(b"other", b"another")
    (place / path).write_bytes(changed)
    assert run(agent, "--undo", "--yes").exit_code == 0
    left = (place / path).read_bytes()
    assert b"clawvault" not in left
    assert (b"another" in left) == ("other" in text)


@pytest.mark.parametrize("agent", AGENTS)
def test_connecting_twice_is_connecting_once(place: Path, agent: str) -> None:
    before = make(place, agent)
    run(agent, "--yes")
    once = files_of(place)
    assert "connected already" in run(agent, "--yes").output
    assert files_of(place) == once
    run(agent, "--read-only", "--yes")
    run(agent, "--undo", "--yes")
    assert files_of(place) == before


@pytest.mark.parametrize(("agent", "n_commands"), [("claude-code", 3), ("codex", 2)])
def test_connecting_from_another_path_of_the_program_leaves_one_hook_of_each_kind(
    place: Path, agent: str, n_commands: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = make(place, agent)
    for folder in ("first", "other's place"):
        monkeypatch.setattr(agents, "find_program", lambda folder=folder: (str(place / folder / "clawvault"),))
        assert run(agent, "--yes").exit_code == 0
    written = b"".join(files_of(place).values()).decode()
    assert (str(place / "first") in written, "date" in written) == (False, True)
    assert written.count("--vault") == n_commands
    assert run(agent, "--undo", "--yes").exit_code == 0
    assert files_of(place) == before


def test_a_hook_of_another_path_goes_with_the_connection(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(place, "claude-code")
    settings = place / "project/.claude/settings.local.json"
    monkeypatch.setattr(agents, "find_program", lambda: (str(place / "first/clawvault"),))
    run("claude-code", "--yes")
    settings.write_text(settings.read_text().replace("best", "better"))
    monkeypatch.setattr(agents, "find_program", lambda: (str(place / "second/clawvault"),))
    run("claude-code", "--undo", "--yes")
    left = settings.read_text()
    assert ("clawvault" in left, "better" in left, "date" in left) == (False, True, True)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_look_changes_nothing_and_shows_the_diff(place: Path, agent: str) -> None:
    before = make(place, agent)
    result = run(agent, "--print")
    assert result.exit_code == 0
    assert f"+++ {place}" in result.output
    assert files_of(place) == before


def test_nothing_is_changed_without_a_yes(place: Path) -> None:
    result = run("claude-code")
    assert (result.exit_code, files_of(place)) == (2, {})
    assert "run it with --yes" in result.output


@pytest.mark.parametrize(
    ("agent", "path", "text"),
    [
        ("claude-code", "project/.mcp.json", '{"mcpServers": '),
        ("cursor", "project/.cursor/mcp.json", '{"mcpServers": []}'),
        ("codex", "home/.codex/config.toml", "model = "),
    ],
)
def test_a_file_that_cannot_be_read_is_left_alone(place: Path, agent: str, path: str, text: str) -> None:
    (place / path).parent.mkdir(parents=True, exist_ok=True)
    (place / path).write_text(text)
    result = run(agent, "--yes")
    assert (result.exit_code, files_of(place)) == (1, {path: text.encode()})
    assert "Cannot change" in result.output


def test_no_hooks_means_none(place: Path) -> None:
    run("claude-code", "--no-hooks", "--yes")
    assert not (place / "project/.claude/settings.local.json").exists()


def test_a_user_wide_connection_goes_to_the_home_folder(place: Path) -> None:
    run("claude-code", "--scope", "user", "--yes")
    assert sorted(files_of(place)) == [
        "home/.claude.json",
        "home/.claude/settings.json",
        "home/.claude/skills/clawvault/SKILL.md",
    ]


@pytest.mark.skipif(os.name == "nt", reason="modes and links are of POSIX")
def test_a_link_and_a_mode_stay_what_they_are(place: Path) -> None:
    real = place / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o600)
    (place / "project/.mcp.json").symlink_to(real)
    run("claude-code", "--yes")
    assert (place / "project/.mcp.json").is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert "clawvault" in real.read_text()


def test_a_workspace_of_openclaw_is_adopted_as_it_is(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = place / "home/.openclaw/workspace"
    (workspace / "memory").mkdir(parents=True)
    notes = {"MEMORY.md": "# Mine\n", "memory/2026-03-09.md": "text\n"}
    for path, text in notes.items():
        (workspace / path).write_text(text)
    monkeypatch.delenv("CLAWVAULT_VAULT")
    result = run("openclaw", "--yes")
    assert result.exit_code == 0
    assert "no note is moved or changed" in result.output
    kept = {path.relative_to(workspace).as_posix(): path.read_text() for path in workspace.rglob("*.md")}
    assert kept == notes
    assert (workspace / ".clawvault/config.toml").exists()


def test_the_server_that_is_written_down_starts(place: Path) -> None:
    run("claude-code", "--yes")
    entry: dict[str, Any] = json.loads((place / "project/.mcp.json").read_text())["mcpServers"]["clawvault"]
    done = subprocess.run(
        [entry["command"], *entry["args"]],
        input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
        capture_output=True,
        check=True,
        env={**os.environ, **entry["env"]},
        timeout=LONGEST_S,
    )
    assert done.stdout == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'


def test_the_program_is_one_that_starts_from_anywhere() -> None:
    assert Path(find_program()[0]).is_absolute()
