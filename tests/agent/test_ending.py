"""The server ends with its client, within five seconds, whatever it is doing (F36, B125)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from agent_types import Connect
from raw_client import LONGEST_S

BUSY = """
import sys, time
from clawvault.cli.main import main
from clawvault.api import Vault
def read(self, *arguments):
    time.sleep(600)
Vault.read = read
main()
"""
# Starts a server that inherits both ends of a pipe as its input, so that only the end of this process can tell it.
PARENT = """
import os, subprocess, sys, time
reading, writing = os.pipe()
os.set_inheritable(writing, True)
server = subprocess.Popen(
    [sys.executable, "-m", "clawvault", "--vault", sys.argv[1], "mcp"],
    stdin=reading, stdout=subprocess.PIPE, close_fds=False,
)
os.write(writing, b'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n')
server.stdout.readline()
print(server.pid, flush=True)
time.sleep(600)
"""
SIGNALS = [name for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name) and os.name != "nt"]
MOST_S = 5.0


@pytest.mark.parametrize("busy", [False, True])
def test_the_end_of_its_input_ends_it(connect: Connect, busy: bool) -> None:
    client = connect(code=BUSY)
    client.hello()
    ask = {True: lambda: client.begin("tools/call", {"name": "memory_read", "arguments": {"path": "USER.md"}})}
    ask.get(busy, lambda: 0)()
    began = time.monotonic()
    assert client.hang_up() == 0
    assert time.monotonic() - began < MOST_S
    assert client.strays == []


@pytest.mark.parametrize("busy", [False, True])
@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_ends_it(connect: Connect, name: str, busy: bool) -> None:
    client = connect(code=BUSY)
    client.hello()
    ask = {True: lambda: client.begin("tools/call", {"name": "memory_read", "arguments": {"path": "USER.md"}})}
    ask.get(busy, lambda: 0)()
    assert "result" in client.ask("ping")
    began = time.monotonic()
    client.process.send_signal(getattr(signal, name))
    assert client.wait() == {"SIGINT": 130}.get(name, 0)
    assert time.monotonic() - began < MOST_S
    assert b"Traceback" not in client.said


@pytest.mark.skipif("SIGINT" not in SIGNALS, reason="signals cannot be sent to one process there")
def test_a_second_signal_ends_it_at_once(connect: Connect) -> None:
    client = connect(code=BUSY)
    client.hello()
    client.begin("tools/call", {"name": "memory_read", "arguments": {"path": "USER.md"}})
    client.ask("ping")
    client.process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    began = time.monotonic()
    client.process.send_signal(signal.SIGINT)
    assert client.wait() == 130
    assert time.monotonic() - began < 2.0


@pytest.mark.skipif(os.name == "nt", reason="there is no pipe that the server keeps open itself")
def test_the_death_of_its_parent_ends_it_though_its_input_stays_open(root: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(root)], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    server = int(parent.stdout.readline())
    parent.kill()
    parent.wait(timeout=LONGEST_S)
    parent.stdout.close()
    began = time.monotonic()
    while is_there(server) and time.monotonic() - began < MOST_S:
        time.sleep(0.05)
    assert not is_there(server)


def is_there(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
