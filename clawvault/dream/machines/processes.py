"""Whether a process that wrote down its number is still the one that runs (OC-60, L24)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

STILL_ACTIVE = 259
QUERY_LIMITED = 0x1000
ACCESS_DENIED = 5
PROC = Path("/proc")


def is_running(pid: int, started: str) -> bool:
    """Say whether a process lives.

    Args:
        pid: Its number.
        started: What ``start_of`` said when it wrote that down; empty when it is not known. A process of the same
            number that began at another time is another one.

    Returns:
        ``True`` also where the system lets nobody ask, since nothing may be taken from the living.
    """
    if pid <= 0 or not _exists(pid):
        return False
    now = start_of(pid)
    return not (started and now) or started == now


if sys.platform == "win32":
    import ctypes

    def start_of(pid: int) -> str:
        """Return when a process began, in a form that is the same each time; empty when the system does not say."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        handle = kernel.OpenProcess(QUERY_LIMITED, False, pid)
        if not handle:
            return ""
        times = [ctypes.c_ulonglong() for _ in range(4)]
        known = kernel.GetProcessTimes(handle, *map(ctypes.byref, times))
        kernel.CloseHandle(handle)
        return str(times[0].value) if known else ""

    def _exists(pid: int) -> bool:
        # os.kill(pid, 0) would send Ctrl-C there.
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        handle = kernel.OpenProcess(QUERY_LIMITED, False, pid)
        if not handle:
            return ctypes.get_last_error() == ACCESS_DENIED
        code = ctypes.c_ulong()
        known = kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        kernel.CloseHandle(handle)
        return not known or code.value == STILL_ACTIVE

else:

    def start_of(pid: int) -> str:
        """Return when a process began, in a form that is the same each time; empty when the system does not say."""
        try:
            if PROC.exists():
                return f"{_proc_fields(pid)[19]}-{(PROC / 'sys/kernel/random/boot_id').read_text().strip()}"
            return _told_by_ps(pid)
        except (OSError, ValueError, IndexError):
            return ""

    def _told_by_ps(pid: int) -> str:
        import subprocess

        try:
            said = subprocess.run(
                ["ps", "-o", "lstart=", "-p", str(pid)],
                capture_output=True,
                text=True,
                check=False,
                timeout=10,
                env={"LC_ALL": "C", "PATH": "/bin:/usr/bin"},
            )
            return " ".join(said.stdout.split())
        except (OSError, ValueError, subprocess.SubprocessError):
            return ""

    def _exists(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            return True
        try:
            # One that has ended and waits to be looked at writes nothing any more.
            return _proc_fields(pid)[0] not in {"Z", "X"}
        except (OSError, IndexError):
            return True

    def _proc_fields(pid: int) -> list[str]:
        # The name of the program may hold spaces and brackets, so what follows it is counted from its end.
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
