"""A process is killed while it writes, at every call to the system (F02, I02)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "torn_writes.py"


def test_fifty_kills_leave_the_old_note_or_the_new() -> None:
    """F02, I02: a thousand with ``scripts/torn_writes.py``."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--kills", "50"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("50 kills: ")
    assert " new" in done.stdout
    assert " old" in done.stdout
