"""Time whole processes, and read what a running one costs."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from environment import ROOT, clean_environment

# Not sys.platform, by which a type checker would leave out what other systems run.
SYSTEM = platform.system()
SCRIPTS = ROOT / "scripts"
FEWEST = 3
SLOWEST_S = 600.0


class RowError(Exception):
    """Say that the product gave a wrong answer, or none, where a row needed one."""


class UnmeasurableError(Exception):
    """Say that a figure cannot be read on this system."""


def program() -> list[str]:
    """Return how a person starts the program: the installed script, else the module."""
    script = Path(sys.executable).with_name("clawvault.exe" if os.name == "nt" else "clawvault")
    return [str(script)] if script.exists() else [sys.executable, "-m", "clawvault"]


def run_timed(command: Sequence[str], environment: Mapping[str, str]) -> tuple[float, str]:
    """Run one process to its end; return the seconds from start to end and its standard output.

    Raises:
        RowError: It ended with another code than 0.
    """
    began = time.perf_counter()
    done = subprocess.run(
        command, env=dict(environment), capture_output=True, check=False, timeout=SLOWEST_S, stdin=subprocess.DEVNULL
    )
    took = time.perf_counter() - began
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()[-400:]
        raise RowError(f"{' '.join(command[-4:])} ended with {done.returncode}: {said}")
    return took, done.stdout.decode(errors="replace")


def run_part(module: str, *arguments: str, environment: Mapping[str, str]) -> Any:
    """Run one of these modules in a process of its own; return the JSON it prints.

    Raises:
        RowError: It failed.
    """
    path = os.pathsep.join(filter(None, (str(SCRIPTS), environment.get("PYTHONPATH", ""))))
    command = [sys.executable, "-m", f"speed.{module}", *arguments]
    _, said = run_timed(command, {**environment, "PYTHONPATH": path})
    return json.loads(said)


def take_turns(acts: Sequence[Callable[[], float]], *, most: int, budget_s: float) -> list[list[float]]:
    """Run several measurements in turn, so that all see the same machine; return the figures of each.

    Args:
        acts: Each returns its figure. All are run once beforehand, which is not counted.
        most: Rounds at most.
        budget_s: No further round once so much time has passed, after the third.
    """
    for act in acts:
        act()
    figures: list[list[float]] = [[] for _ in acts]
    began = time.monotonic()
    for round_ in range(most):
        if round_ >= FEWEST and time.monotonic() - began > budget_s:
            break
        for found, act in zip(figures, acts, strict=True):
            found.append(act())
    return figures


def bare_python(code: str = "pass") -> Callable[[], float]:
    """Return a measurement of a Python that runs next to nothing: what every command pays."""
    environment = clean_environment()
    return lambda: run_timed([sys.executable, "-c", code], environment)[0]


def resident_bytes(pid: int) -> int:
    """Return the memory of a process that is in RAM.

    Raises:
        UnmeasurableError: This system has no simple way to tell.
    """
    if SYSTEM == "Linux":
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))
    if SYSTEM == "Windows":
        raise UnmeasurableError("Windows tells the memory of a process only through its own interface")
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True).stdout) * 1024


def cpu_seconds(pid: int) -> float:
    """Return the processor time a process has used, to a hundredth of a second.

    Raises:
        UnmeasurableError: This system has no simple way to tell.
    """
    if SYSTEM == "Linux":
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    if SYSTEM == "Windows":
        raise UnmeasurableError("Windows tells the processor time of a process only through its own interface")
    shown = subprocess.run(["ps", "-o", "time=", "-p", str(pid)], capture_output=True, check=True).stdout.decode()
    seconds = 0.0
    for part in shown.strip().replace("-", ":").split(":"):
        seconds = seconds * 60 + float(part)
    return seconds


def file_stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of every file below a folder, by path."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            stat = path.stat()
            found[path.relative_to(folder).as_posix()] = (stat.st_size, stat.st_mtime_ns)
    return found
