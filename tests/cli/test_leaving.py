"""How the process of a command ends: at once, and after everything that somebody waits for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# An object that tells when the interpreter is taken apart, as no clock could.
ENDING = """
import atexit, os, sys, threading
class Last:
    def __del__(self, write=os.write):
        write(1, b"taken apart\\n")
last = Last()
{before}
from clawvault.cli.main import main
{after}
sys.argv[1:] = {arguments!r}
main()
"""


def end(*arguments: str, before: str = "", after: str = "") -> tuple[int, list[str]]:
    """Run a command in a process of its own; return its exit code and the last lines of what it printed."""
    code = ENDING.format(arguments=list(arguments), before=before, after=after)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=240, check=False)
    assert done.returncode != 1, done.stderr
    return done.returncode, done.stdout.splitlines()[-2:]


@pytest.mark.parametrize(
    ("arguments", "code", "lines"),
    [
        (("--version",), 0, ["clawvault 0.1.0"]),
        (("read", "standup.md", "--bogus"), 2, []),
        (("read", "nowhere.md"), 3, []),
    ],
)
def test_a_command_ends_without_taking_the_interpreter_apart(
    vault: Path, arguments: tuple[str, ...], code: int, lines: list[str]
) -> None:
    assert end(*arguments) == (code, lines)


def test_whoever_wants_to_be_called_at_the_end_is_called(vault: Path) -> None:
    command = (
        "import clawvault.cli.group as group\ndef run(): atexit.register(print, 'called'); return 5\ngroup.run = run"
    )
    assert end(after=command) == (5, ["called"])


def test_whoever_wanted_so_before_the_command_gets_the_ordinary_end(vault: Path) -> None:
    assert end("--version", before="atexit.register(print, 'called')") == (0, ["called", "taken apart"])


def test_a_thread_is_waited_for(vault: Path) -> None:
    """It goes on when the main thread has nothing left to do."""
    work = "threading.Thread(target=lambda: (threading.main_thread().join(), print('done'))).start()"
    assert end("--version", after=work) == (0, ["clawvault 0.1.0", "done"])


def test_an_end_that_the_command_line_does_not_know_is_left_to_the_interpreter(vault: Path) -> None:
    failing = "import clawvault.cli.group as group\ndef fail(): raise SystemExit('told')\ngroup.run = fail"
    code = ENDING.format(arguments=[], before="", after=failing)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "taken apart\n", "told\n")
