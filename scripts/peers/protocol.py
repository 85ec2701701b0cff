"""What every program that is compared can be asked to do, and how each gets an environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from speed.processes import run_timed

from peers.long_lived import LongLived

CAN_LOAD = "import sqlite3, sys; sys.exit(not hasattr(sqlite3.Connection, 'enable_load_extension'))"
NEWEST_MINOR = 15
N_HITS = 5
OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}


class SkippedError(Exception):
    """Say why a program, or a part of it, cannot be measured here."""


class Peer(Protocol):
    """One program with its own copy of the notes.

    ``remarks`` say what a reader must know to judge its figures.
    """

    name: str
    remarks: list[str]

    def install(self) -> None:
        """Make its environment, unless it is there.

        Raises:
            SkippedError: It cannot be installed here.
        """

    def index(self) -> float:
        """Bring its index up to date in a new process; return the seconds."""

    def search(self, question: str) -> tuple[float, list[str]]:
        """Ask in a new process; return the seconds and the paths of the first five hits, as the notes name them."""

    def serve(self) -> LongLived:
        """Start the process it answers from when many questions come: its server, or its API."""

    def watch(self) -> LongLived | None:
        """Start what keeps its index up to date, ``None`` when it has nothing or ``serve`` does it."""

    def database(self) -> list[Path]:
        """Return the files and folders that hold its index."""


@dataclass
class Room:
    """Where one program lives: its environment, its copy of the notes, its home."""

    folder: Path
    notes: Path
    model: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        home = self.folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        named = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "SSL_CERT_FILE")
        self.environment = {
            **{name: os.environ[name] for name in named if name in os.environ},
            "HOME": str(home),
            "USERPROFILE": str(home),
            **{f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA", "STATE")},
            **OFFLINE,
        }

    @property
    def venv(self) -> Path:
        """Return the environment's folder; it outlives the run."""
        return self.folder.parent / "environments" / self.folder.name

    def program(self, name: str) -> str:
        """Return the path of a program of the environment."""
        return str(self.venv / ("Scripts" if os.name == "nt" else "bin") / (f"{name}.exe" if os.name == "nt" else name))

    def run(self, *command: str) -> tuple[float, str]:
        """Run one command in the room; return its seconds and what it printed."""
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            return run_timed(command, self.environment)
        finally:
            os.chdir(before)

    def install(self, python: str, *steps: Sequence[str]) -> None:
        """Make the environment with pip, unless the same steps made it before.

        Raises:
            SkippedError: pip could not install it.
        """
        stamp = self.venv / "installed.txt"
        wanted = "\n".join([python, *(" ".join(step) for step in steps)])
        if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
            return
        shutil.rmtree(self.venv, ignore_errors=True)
        _check(
            subprocess.run([python, "-m", "venv", "--without-pip", str(self.venv)], capture_output=True, check=False)
        )
        for step in steps:
            command = [sys.executable, "-m", "pip", "--python", self.program("python"), "install", "--no-input", *step]
            _check(subprocess.run(command, capture_output=True, check=False))
        stamp.write_text(wanted, encoding="utf-8")

    def relative(self, path: str) -> str:
        """Return a path as the notes name it."""
        found = Path(path)
        return found.relative_to(self.notes.resolve()).as_posix() if found.is_absolute() else found.as_posix()


def _check(done: subprocess.CompletedProcess[bytes]) -> None:
    if done.returncode:
        lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith("ERROR")]
        raise SkippedError(f"not installed: {' '.join(lines)[:300] or done.stderr.decode(errors='replace')[-300:]}")


def find_python(least: tuple[int, int], given: Sequence[str] = ()) -> tuple[str, bool]:
    """Find an interpreter, one whose ``sqlite3`` can load extensions if there is any.

    Args:
        least: The oldest version that will do.
        given: Interpreters to try before those on the path.

    Returns:
        The interpreter, and whether its ``sqlite3`` can load extensions.

    Raises:
        SkippedError: There is none so new.
    """
    names = [f"python3.{minor}" for minor in range(least[1], NEWEST_MINOR)]
    on_path = [f"{folder}{os.sep}{name}" for name in names for folder in os.get_exec_path()]
    managed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [*given, sys.executable, *on_path, *map(str, sorted(managed.glob("3.*/bin/python")))]
    usable = [
        path
        for path in dict.fromkeys(candidates)
        if _runs(path, f"import sys, venv; sys.exit(sys.version_info < {least})")
    ]
    if not usable:
        raise SkippedError(
            f"it needs Python {least[0]}.{least[1]} or newer, and there is none here; name one with --python"
        )
    able = [path for path in usable if _runs(path, CAN_LOAD)]
    return (able or usable)[0], bool(able)


def _runs(path: str, code: str) -> bool:
    try:
        return subprocess.run([path, "-c", code], capture_output=True, check=False, timeout=30).returncode == 0
    except OSError:
        return False
