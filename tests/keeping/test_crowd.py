"""Many write at once, and an editor besides: no line is lost."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading

import pytest
from kept_vault import Kept

from clawvault.errors import ConflictError

# Only Linux can tell who has a file open; elsewhere an editor this fast may lose a line.
PAUSES_S = [0.05, *([0.002] if sys.platform == "linux" else [])]
APPEND = """
import sys
from pathlib import Path
from clawvault.config import Config
from clawvault.keeping.keeper import Keeper
root, state, name = sys.argv[1:]
keeper = Keeper(Path(root), Config(), Path(state))
print("ready", flush=True)
sys.stdin.readline()
for number in range(100):
    keeper.append("MEMORY.md", f"- {name} {number}")
"""


def test_eight_processes_lose_none_of_eight_hundred_lines(kept: Kept) -> None:
    """MN-55, F24."""
    command = [sys.executable, "-c", APPEND, str(kept.root), str(kept.state)]
    crowd = [
        subprocess.Popen([*command, str(name)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in range(8)
    ]
    for process in crowd:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in crowd:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in crowd:
        process.communicate(timeout=300)
    lines = kept.text("MEMORY.md").splitlines()
    assert [process.returncode for process in crowd] == [0] * 8
    assert sorted(lines) == sorted(f"- {name} {number}" for name in range(8) for number in range(100))


@pytest.mark.parametrize("pause_s", PAUSES_S)
def test_no_line_of_an_editor_is_lost_while_a_hundred_writes_are_tried(kept: Kept, pause_s: float) -> None:
    """F25: the editor knows nothing of any lock; a write it keeps from happening is refused, never half done."""
    keeper = kept.keeper()
    kept.put("MEMORY.md", "# Memory\n")
    over = threading.Event()
    edits: list[str] = []

    def edit() -> None:
        while not over.wait(pause_s):
            line = f"edit {len(edits)}"
            descriptor = os.open(kept.root / "MEMORY.md", os.O_WRONLY | os.O_APPEND)
            os.write(descriptor, f"{line}\n".encode())
            os.close(descriptor)
            edits.append(line)

    editor = threading.Thread(target=edit)
    editor.start()
    written = []
    tries = itertools.count()
    # A quick disk takes a hundred writes before a slow editor has saved a few times.
    while (number := next(tries)) < 100 or len(edits) <= 5:
        try:
            keeper.append("MEMORY.md", f"write {number}")
        except ConflictError:
            continue
        written.append(f"write {number}")
    over.set()
    editor.join()
    lines = kept.text("MEMORY.md").splitlines()
    assert sorted(lines) == sorted(["# Memory", *edits, *written])
    assert len(edits) > 5
