"""What is done beside an answer."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from clawvault.dream.recall.later import await_all, do_later

# Ends as soon as it has begun, like a command that has printed its answer.
HURRIED = """
import sys
from pathlib import Path
from clawvault.dream.recall.later import do_later
do_later(Path("state"), lambda: print("done"))
sys.exit(0)
"""


def test_it_returns_before_it_is_done(tmp_path: Path) -> None:
    begun, may_go_on = threading.Event(), threading.Event()
    done: list[int] = []
    do_later(tmp_path, lambda: (begun.set(), may_go_on.wait(60), done.append(1)))
    assert begun.wait(60)
    assert done == []
    may_go_on.set()
    await_all(tmp_path)
    assert done == [1]


def test_what_is_about_one_folder_is_done_in_order(tmp_path: Path) -> None:
    done: list[int] = []
    for number in range(5):
        do_later(tmp_path, lambda number=number: done.append(number))  # type: ignore[misc]
    await_all(tmp_path)
    assert done == [0, 1, 2, 3, 4]


def test_nothing_to_wait_for_is_no_wait(tmp_path: Path) -> None:
    await_all(tmp_path / "never")


def test_a_process_that_ends_at_once_does_it_first() -> None:
    """OC-34: a search on the command line counts too."""
    ended = subprocess.run([sys.executable, "-c", HURRIED], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout == "done\n"
