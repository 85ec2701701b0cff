"""What a real terminal is sent, through a pseudo-terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from cli_types import Run

LINK = "\x1b]8;;"
BOLD = "\x1b[1m"


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """Run a command whose output and errors are a terminal; return what it was sent."""
    import pty

    ours, theirs = pty.openpty()
    clean = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "TERM"}}
    process = subprocess.Popen(
        [sys.executable, "-m", "clawvault", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**clean, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment},
    )
    os.close(theirs)
    parts = []
    while True:
        try:
            part = os.read(ours, 65_536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    assert process.wait(timeout=240) == 0
    return b"".join(parts).decode()


def test_a_terminal_gets_links_and_emphasis(vault: Path) -> None:
    sent = on_a_terminal("search", "port", "--mode", "fts")
    assert f"{LINK}{(vault / 'databases.md').as_uri()}#L1\x1b\\" in sent
    assert f"listens on {BOLD}port\x1b[22m 5433" in sent


def test_no_color_leaves_out_emphasis(vault: Path) -> None:
    sent = on_a_terminal("search", "port", "--mode", "fts", NO_COLOR="1")
    assert "\x1b[" not in sent
    assert LINK in sent


def test_a_dumb_terminal_gets_no_sequences(vault: Path) -> None:
    assert "\x1b" not in on_a_terminal("search", "port", "--mode", "fts", TERM="dumb")


def test_read_on_a_terminal_leaves_out_what_steers_it(vault: Path) -> None:
    """T19."""
    (vault / "evil.md").write_text("a\x1b[31mb\u202ec\n", "utf-8")
    assert on_a_terminal("read", "evil.md") == "a[31mbc\r\n"


def test_indexing_shows_a_bar_on_a_terminal(vault: Path) -> None:
    sent = on_a_terminal("index")
    assert "Reading notes" in sent
    assert "Notes: 4 added" in sent


def test_help_names_every_command_with_its_purpose(run: Run) -> None:
    from clawvault.cli.main import COMMANDS

    listed = run("--help").stdout.partition("Commands:")[2].splitlines()
    rows = [line.split(maxsplit=1) for line in listed if line.strip()]
    assert tuple(row[0] for row in rows) == COMMANDS
    assert all(len(row) == 2 for row in rows)
