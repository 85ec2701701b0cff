"""A vault, a state folder of its own, and two ways to run a command: in this process and as a process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_types import NOTES, Run, Start
from click.testing import CliRunner
from plain_vault import make_plain_vault

from clawvault.cli import progress
from clawvault.cli.main import cli

# Only a command that hangs takes so long.
LONGEST_S = 240
# ``clawvault watch``, whose answers are never stale for want of a processor.
PATIENT_WATCH = """
import sys
from clawvault.cli.main import main
from clawvault.daemon import answering
answering.SYNC_S = 20.0
sys.argv[1:] = ["watch"]
main()
"""


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a small vault without a model, and be in it."""
    root = make_plain_vault(tmp_path, NOTES, monkeypatch)
    monkeypatch.delenv("NO_COLOR", raising=False)
    # A busy machine would say how far it is, in between what is expected.
    monkeypatch.setattr(progress, "LINE_EVERY_S", 3600.0)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(vault: Path) -> Run:
    """Run a command in this process; ``result.output`` is what a person would see, interleaved."""
    return lambda *arguments: CliRunner().invoke(cli, list(arguments))


@pytest.fixture
def start(vault: Path) -> Start:
    """Run a command as a process of its own."""

    def start_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "clawvault", *arguments],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=LONGEST_S,
            check=False,
            env={**os.environ, "PYTHONUTF8": "1", **environment},
        )

    return start_process


@pytest.fixture
def daemon(vault: Path) -> Iterator[subprocess.Popen[str]]:
    """Run ``clawvault watch`` until the test is over; it is ready when the test begins."""
    process = subprocess.Popen(
        [sys.executable, "-c", PATIENT_WATCH], stderr=subprocess.PIPE, encoding="utf-8", env=os.environ
    )
    # A daemon that never gets ready is killed, which ends the wait for its line.
    watchdog = threading.Timer(LONGEST_S, process.kill)
    watchdog.start()
    assert process.stderr is not None
    lines = [process.stderr.readline(), process.stderr.readline()]
    assert lines[1:] == ["Ready.\n"], lines
    yield process
    process.terminate()
    process.communicate(timeout=LONGEST_S)
    watchdog.cancel()
