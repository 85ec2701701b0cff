"""The README is run: every command in it works, and prints what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WATCH = """clawvault watch 2> watch.log & watcher=$!
trap 'kill $watcher; wait $watcher || true' EXIT
until grep -q Ready watch.log; do kill -0 $watcher; sleep 0.1; done"""
MAX_LINES = 150

# Only a command that hangs takes so long; a model may load slowly on a busy machine.
LONGEST_S = 900
pytestmark = [pytest.mark.model, pytest.mark.timeout(2 * LONGEST_S)]


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS.findall(README) if name == language]


def session_commands() -> list[str]:
    return [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]


def session_output() -> list[str]:
    return [line for block in blocks("console") for line in block.splitlines() if not line.startswith("$ ")]


def shell_commands() -> list[str]:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [WATCH if line.strip() == "clawvault watch" else line for line in lines if line.startswith("clawvault ")]


def run_script(commands: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ours = {key: value for key, value in os.environ.items() if not key.startswith("CLAWVAULT_")}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(commands)],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST_S,
        check=False,
        env={**ours, "PATH": path, "CLAWVAULT_STATE_DIR": str(folder / "state"), "PYTHONUTF8": "1"},
    )


def without_figures(lines: list[str]) -> list[str]:
    return [re.sub(r"\d+\.\d+", "#", line) for line in lines]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("readme")
    return folder, run_script(session_commands(), folder)


def test_the_session_at_the_top_prints_what_it_shows(session: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    _, done = session
    assert done.returncode == 0, done.stderr
    printed = without_figures(done.stdout.splitlines())
    assert [line for line in without_figures(session_output()) if line not in printed] == []


def test_every_command_works(session: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, _ = session
    commands = shell_commands()
    assert len(commands) > 10
    done = run_script(commands, folder / "notes")
    assert done.returncode == 0, done.stderr


def test_the_python_example_works(session: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, _ = session
    (example,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", example],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST_S,
        check=False,
        env={**os.environ, "CLAWVAULT_STATE_DIR": str(folder / "state"), "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "Production listens on port 5433" in done.stdout


def test_every_command_word_exists() -> None:
    from clawvault.cli.main import COMMANDS

    mentioned = set(re.findall(r"\bclawvault ([a-z]+)", README))
    assert mentioned - set(COMMANDS) - {"and", "adds"} == set()


def test_it_is_short_and_its_links_lead_somewhere() -> None:
    assert len(README.splitlines()) <= MAX_LINES
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert [target for target in targets if not (ROOT / target).exists()] == []
