"""On standard output there is protocol and nothing else, whatever happens (I33, F38)."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from pathlib import Path

from agent_types import Connect
from raw_client import LONGEST_S

# Everything that may write to standard output while a tool runs, and then the tool itself.
NOISY = """
import ctypes, logging, os, subprocess, sys, warnings
from clawvault.cli.main import main
from clawvault.agent import toolbox
real = toolbox.Toolbox.call
def call(self, name, arguments=None):
    print("a print of a library")
    sys.stdout.write("half a line")
    sys.stdout.flush()
    sys.__stdout__.write("the first stream of the process\\n")
    warnings.warn("a warning")
    logging.getLogger("elsewhere").error("a line of a log")
    os.write(1, b"a write to descriptor 1\\n")
    libc = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    libc.puts(b"a line written in C")
    libc.fflush(None)
    subprocess.run([sys.executable, "-c", "print('a child')"], check=True)
    return real(self, name, arguments)
toolbox.Toolbox.call = call
sys.argv[0] = "clawvault"
main()
"""
FAILING = """
import sys
from clawvault.cli.main import main
from clawvault.agent import reading_tools
from clawvault.api import Vault
def read(self, *arguments):
    raise RuntimeError("secret text of a note")
Vault.read = read
main()
"""
SLOW = """
import sys, time
from clawvault.cli.main import main
from clawvault.api import Vault
real = Vault.read
def read(self, *arguments):
    time.sleep(float(__import__("os").environ["SLOW_S"]))
    return real(self, *arguments)
Vault.read = read
main()
"""
BAD_LINES = {
    b"{broken": -32700,
    b"\xff\xfe": -32700,
    b"[" * 100_000: -32700,
    b"[]": -32600,
    b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]': -32600,
    b"null": -32600,
    b'"text"': -32600,
    b'{"id":1,"method":"ping"}': -32600,
    b'{"jsonrpc":"1.0","id":1,"method":"ping"}': -32600,
    b'{"jsonrpc":"2.0","id":{},"method":"ping"}': -32600,
}


def test_what_libraries_print_goes_to_standard_error(connect: Connect) -> None:
    client = connect(code=NOISY)
    client.hello()
    assert client.call("memory_read", path="USER.md")["text"] == "# User\n\nName: Anna\n"
    assert client.hang_up() == 0
    assert client.strays == []
    for said in (
        b"a print",
        b"half a line",
        b"first stream",
        b"a warning",
        b"a log",
        b"descriptor 1",
        b"in C",
        b"a child",
    ):
        assert said in client.said


def test_a_fault_of_a_tool_is_a_result_and_its_traceback_stays_inside(connect: Connect) -> None:
    client = connect(code=FAILING)
    client.hello()
    answer = client.call("memory_read", path="USER.md")
    assert answer["is_error"] is True
    assert answer["error"] == "memory_read failed with RuntimeError, a fault of clawvault."
    assert "result" in client.ask("ping")
    assert client.hang_up() == 0
    assert client.strays == []
    assert b"secret text" not in client.said


def test_each_line_that_is_no_message_is_answered_with_an_error(connect: Connect) -> None:
    client = connect()
    client.hello()
    codes = {}
    for line in BAD_LINES:
        client.send_bytes(line + b"\n")
        codes[line] = client.next()["error"]["code"]
    assert codes == BAD_LINES
    assert client.ask("ping")["result"] == {}
    assert client.hang_up() == 0
    assert client.strays == []


def test_half_a_message_waits_for_its_other_half(connect: Connect) -> None:
    client = connect()
    client.hello()
    message = b'{"jsonrpc":"2.0","id":"late","method":"ping"}\n'
    client.send_bytes(message[:17])
    client.send_bytes(message[17:])
    assert client.next() == {"jsonrpc": "2.0", "id": "late", "result": {}}


def test_half_a_message_at_the_end_is_answered_with_an_error(connect: Connect) -> None:
    client = connect()
    client.hello()
    client.send_bytes(b'{"jsonrpc":"2.0","id":5,"met')
    assert client.hang_up() == 0
    assert client.next()["error"]["code"] == -32700


def test_a_message_that_is_too_long_is_refused_and_the_next_is_answered(connect: Connect) -> None:
    client = connect()
    client.hello()
    client.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * 16_000_000 + b'"}\n')
    assert client.next()["error"]["code"] == -32600
    assert "result" in client.ask("ping")


def test_an_answer_of_ten_million_bytes_is_one_message(connect: Connect, root: Path) -> None:
    text = "# Large\n" + ("a line of this note, é 漢\n" * 450_000)
    (root / "large.md").write_text(text, encoding="utf-8", newline="\n")
    client = connect(CLAWVAULT_INDEX_MAX_NOTE_BYTES="20000000")
    client.hello()
    answer = client.ask("resources/read", {"uri": "vault://notes/large.md"})
    assert answer["result"]["contents"][0]["text"] == text
    assert len(text.encode()) > 10_000_000
    assert client.hang_up() == 0
    assert client.strays == []


def test_every_question_is_answered_though_the_client_has_said_its_last_word(connect: Connect, root: Path) -> None:
    client = connect()
    client.hello()
    keys = [client.begin("tools/call", {"name": "memory_tree", "arguments": {}}) for _ in range(5)]
    assert client.hang_up() == 0
    assert sorted(client.next()["id"] for _ in keys) == keys


def test_the_protocol_goes_on_while_a_question_takes_long(connect: Connect) -> None:
    client = connect(code=SLOW, SLOW_S="3")
    client.hello()
    slow = client.begin("tools/call", {"name": "memory_read", "arguments": {"path": "USER.md"}})
    assert "result" in client.ask("ping")
    assert client.next()["id"] == slow


def test_a_cancelled_question_has_no_answer_and_delays_no_end(connect: Connect) -> None:
    client = connect(code=SLOW, SLOW_S="60")
    client.hello()
    key = client.begin("tools/call", {"name": "memory_read", "arguments": {"path": "USER.md"}})
    client.send({"method": "notifications/cancelled", "params": {"requestId": key}})
    assert "result" in client.ask("ping")
    began = time.monotonic()
    assert client.hang_up() == 0
    assert time.monotonic() - began < 2.5


def test_a_client_that_closes_its_pipe_ends_the_server_quietly(root: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "clawvault", "--vault", str(root), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    process.stdin.flush()
    assert b'"id":1' in process.stdout.readline()
    process.stdout.close()
    process.stdin.write(b'{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
    process.stdin.flush()
    assert process.wait(timeout=LONGEST_S) == 0
    assert process.stderr.read() == b""
    process.stderr.close()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()


def test_a_server_without_a_vault_says_so_on_standard_error(tmp_path: Path, connect: Connect, root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clawvault", "--vault", str(tmp_path / "nowhere"), "mcp"],
        input=b"",
        check=False,
        capture_output=True,
        timeout=LONGEST_S,
    )
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"Error:" in done.stderr


def test_answers_are_plain_json_lines(connect: Connect) -> None:
    client = connect()
    hello = client.hello()
    assert hello["result"]["serverInfo"]["name"] == "clawvault"
    assert json.dumps(hello)
    assert client.hang_up() == 0
    assert client.strays == []
