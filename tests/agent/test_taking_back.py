"""Taking a connection back removes what connecting made, and nothing of the person or of another vault."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from clawvault.cli.main import cli
from clawvault.vault.template import seed_vault


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in an empty project, with a home folder and two vaults of our own."""
    for name in ("project", "home"):
        (tmp_path / name).mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name in ("CODEX_HOME", "OPENCLAW_CONFIG_PATH", "CLAWVAULT_STATE_DIR", "CLAWVAULT_VAULT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    for name in ("notes", "zh"):
        seed_vault(tmp_path / name, language=None, model=None, locale_language="", today=date(2026, 3, 9))
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def run(place: Path, vault: str, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--vault", str(place / vault), "connect", *arguments, "--yes"])


def everything(place: Path) -> dict[str, bytes | None]:
    found = [path for name in ("project", "home") for path in [place / name, *(place / name).rglob("*")]]
    return {path.relative_to(place).as_posix(): path.read_bytes() if path.is_file() else None for path in found}


AGENTS = ["claude-code", "codex", "cursor", "openclaw"]


@pytest.mark.parametrize("agent", AGENTS)
def test_an_empty_project_stays_and_folders_that_were_made_go(place: Path, agent: str) -> None:
    before = everything(place)
    assert run(place, "notes", agent).exit_code == 0
    assert run(place, "notes", agent, "--undo").exit_code == 0
    assert everything(place) == before


@pytest.mark.parametrize("folder", [".cursor", ".cursor/rules"])
def test_an_empty_folder_of_the_person_stays(place: Path, folder: str) -> None:
    (place / "project" / folder).mkdir(parents=True)
    before = everything(place)
    run(place, "notes", "cursor")
    run(place, "notes", "cursor", "--undo")
    assert everything(place) == before


def test_folders_above_a_named_project_stay_whatever_was_removed_by_hand(place: Path) -> None:
    project = place / "project/k1/k2/proj"
    project.mkdir(parents=True)
    run(place, "notes", "claude-code", "--folder", "k1/k2/proj")
    shutil.rmtree(project / ".claude")
    assert run(place, "notes", "claude-code", "--folder", "k1/k2/proj", "--undo").exit_code == 0
    assert list(project.iterdir()) == []


def test_no_folder_goes_where_none_is_recorded(place: Path) -> None:
    run(place, "notes", "cursor")
    (records,) = (place / "state").rglob("connections")
    shutil.rmtree(records)
    run(place, "notes", "cursor", "--undo")
    assert (place / "project/.cursor/rules").is_dir()


def test_folders_made_by_a_first_connecting_are_known_after_a_second(place: Path) -> None:
    before = everything(place)
    run(place, "notes", "cursor")
    run(place, "notes", "cursor", "--read-only")
    run(place, "notes", "cursor", "--undo")
    assert everything(place) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_the_connection_of_another_vault_is_left_alone_and_named(place: Path, agent: str) -> None:
    run(place, "notes", agent)
    before = everything(place)
    result = run(place, "zh", agent, "--undo")
    assert result.exit_code == 1
    assert f'connected to "{place / "notes"}", not to "{place / "zh"}"' in result.output
    assert everything(place) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_the_former_connection_comes_back_and_then_goes_too(place: Path, agent: str) -> None:
    empty = everything(place)
    run(place, "notes", agent)
    first = everything(place)
    run(place, "zh", agent)
    assert everything(place) != first
    result = run(place, "zh", agent, "--undo")
    assert f'connected to "{place / "notes"}" again' in result.output
    assert everything(place) == first
    run(place, "notes", agent, "--undo")
    assert everything(place) == empty


def test_connections_made_in_turn_are_taken_back_in_turn(place: Path) -> None:
    states = [everything(place)]
    vaults = ["notes", "zh", "notes", "zh"]
    for vault in vaults:
        run(place, vault, "claude-code")
        states.append(everything(place))
    for vault in reversed(vaults):
        assert everything(place) == states.pop()
        assert run(place, vault, "claude-code", "--undo").exit_code == 0
    assert everything(place) == states.pop()


def test_a_former_connection_that_cannot_come_back_is_named(place: Path) -> None:
    run(place, "notes", "claude-code")
    run(place, "zh", "claude-code")
    file = place / "project/.mcp.json"
    file.write_text(file.read_text().replace('"type"', '"note": "mine", "type"'))
    result = run(place, "zh", "claude-code", "--no-hooks", "--undo")
    assert f'connected to "{place / "notes"}" before' in result.output


def test_what_connecting_made_goes_though_it_was_touched_and_nothing_empty_is_left(place: Path) -> None:
    run(place, "notes", "claude-code")
    for name in (".mcp.json", ".claude/settings.local.json"):
        file = place / "project" / name
        file.write_text(file.read_text() + "\n\n")
    run(place, "notes", "claude-code", "--undo")
    assert list((place / "project").iterdir()) == []


def test_what_a_person_added_stays_and_what_was_empty_before_stays_empty(place: Path) -> None:
    mcp, settings = place / "project/.mcp.json", place / "project/.claude/settings.local.json"
    mcp.write_text('{"mcpServers": {}}')
    run(place, "notes", "claude-code")
    mcp.write_text(mcp.read_text() + "\n")
    settings.write_text(settings.read_text().replace("{", '{"model": "best",', 1))
    run(place, "notes", "claude-code", "--undo")
    assert json.loads(mcp.read_text()) == {"mcpServers": {}}
    assert json.loads(settings.read_text()) == {"model": "best"}
