"""Make ``.venv`` and install the project into it, with nothing but Python and pip to begin with.

A stamp of everything the installation depends on decides whether there is anything to do.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "clawvault-installed.json"
CONSTRAINTS = ROOT / "constraints.txt"
TORCH = "torch==2.13.0"


class SetUpError(Exception):
    """Say that a step of the installation failed, and what to do."""


def prepare(*, dev: bool = False) -> None:
    """Bring ``.venv`` to the state this checkout asks for; does nothing when it is there already.

    Args:
        dev: Install the tools of the tests too.

    Raises:
        SetUpError: A step failed.
    """
    wanted = stamp(ROOT, dev=dev)
    if is_current(read_stamp(STAMP), wanted) and runs(PYTHON):
        return
    say("Installing into .venv; the first time takes a few minutes.")
    if not runs(PYTHON):
        make_venv()
    STAMP.unlink(missing_ok=True)
    install_torch()
    pip("install", "--constraint", str(CONSTRAINTS), "--editable", f"{ROOT}[dev]" if dev else str(ROOT))
    STAMP.write_text(json.dumps(wanted), encoding="ascii")


def stamp(root: Path, *, dev: bool) -> dict[str, Any]:
    """Return what an installation depends on."""
    content = b"\0".join((root / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    version = ".".join(map(str, sys.version_info[:2]))
    return {"content": hashlib.sha256(content).hexdigest(), "root": str(root), "python": version, "dev": dev}


def is_current(found: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Say whether an installation serves; one with the tools of the tests serves without them too."""
    same = all(found.get(key) == value for key, value in wanted.items() if key != "dev")
    return same and (bool(found.get("dev")) or not wanted["dev"])


def read_stamp(path: Path) -> dict[str, Any]:
    """Return what was installed; empty when nothing was, or not to the end."""
    try:
        found = json.loads(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def make_venv() -> None:
    """Make ``.venv`` anew."""
    # A checkout that was moved has a .venv whose scripts name the old place.
    done = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=False)
    if done.returncode:
        raise SetUpError(
            f'Cannot make "{VENV}".', "Install the venv module of your Python (on Debian and Ubuntu: python3-venv)."
        )


def install_torch() -> None:
    """Install PyTorch, and never gigabytes for a graphics card that is not there."""
    resolved = resolve(TORCH)
    if not resolved:
        return
    if brings_cuda(resolved) and sys.platform.startswith("linux") and not has_nvidia_gpu():
        say("No NVIDIA graphics card here: taking PyTorch for the processor alone.")
        pip("install", "uv")
        run([str(BIN / "uv"), "pip", "install", "--python", str(PYTHON), TORCH, "--torch-backend=cpu"])
        return
    pip("install", "--constraint", str(CONSTRAINTS), TORCH)


def resolve(requirement: str) -> list[tuple[str, str]]:
    """Ask pip what it would install, as (name, version) pairs; empty when nothing is missing."""
    report = VENV / "torch-report.json"
    options = ("--dry-run", "--quiet", "--report", str(report), "--constraint", str(CONSTRAINTS))
    pip("install", *options, requirement)
    found = json.loads(report.read_text(encoding="utf-8"))
    report.unlink()
    return [(item["metadata"]["name"], item["metadata"]["version"]) for item in found["install"]]


def brings_cuda(packages: Iterable[tuple[str, str]]) -> bool:
    """Say whether one of some packages is there for NVIDIA cards alone."""
    return any(
        name.lower().startswith("nvidia-") or "cuda" in name.lower() or "+cu" in version for name, version in packages
    )


def has_nvidia_gpu() -> bool:
    """Say whether this Linux machine has a driver for an NVIDIA card."""
    return shutil.which("nvidia-smi") is not None or Path("/proc/driver/nvidia").exists()


def runs(python: Path) -> bool:
    """Say whether a Python of a virtual environment is there and new enough."""
    try:
        code = "import pip, sys; sys.exit(sys.version_info < (3, 11))"
        return subprocess.run([str(python), "-c", code], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def pip(*arguments: str) -> None:
    """Run the pip of ``.venv`` with the person's own configuration."""
    quiet = [] if sys.stderr.isatty() else ["-qq"]
    run([str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", *quiet, *arguments])


def run(command: list[str]) -> None:
    """Run one step.

    Raises:
        SetUpError: It failed; what it said is on the terminal.
    """
    done = subprocess.run(command, check=False, cwd=ROOT)
    if done.returncode:
        raise SetUpError(f"This step failed: {' '.join(command)}", "What it said above names the reason.")


def clean_environment(**settings: str) -> dict[str, str]:
    """Return the environment without settings of the product that a person has, and with the given ones."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("CLAWVAULT_")}
    return {**kept, **settings}


def say(text: str) -> None:
    """Tell the person what happens; standard output stays free for what commands print."""
    print(text, file=sys.stderr, flush=True)


def report(error: SetUpError) -> int:
    """Say what failed and what to do; return the exit code."""
    message, hint = error.args
    say(f"Error: {message}\nHint: {hint}")
    return 1
