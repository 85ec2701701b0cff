"""What one conversation saves the next one knows, in a new process (IW-02, TC-23, TC-27)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from raw_client import LONGEST_S

SCRIPT = Path(__file__).parents[2] / "scripts" / "mcp_conversation.py"


def test_a_preference_is_saved_in_one_process_and_found_in_another(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(root)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=LONGEST_S * 3,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# Found in MEMORY.md: Anna prefers dark mode in every editor" in done.stdout
    assert done.stdout.count("ended with 0") == 2
