"""Both kinds of local connection carry the same messages."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from daemon_fakes import WAIT_S

from clawvault.daemon import transport
from clawvault.daemon.listening import Listener
from clawvault.daemon.transport import (
    DaemonFaultError,
    ForeignFolderError,
    SilentDaemonError,
    ask,
    ask_daemon,
    receive_line,
    send_message,
)
from clawvault.errors import ClawvaultError, UsageError

Answering = Callable[[Listener], threading.Thread]


@pytest.fixture
def answering() -> Iterator[Answering]:
    """Start a thread that answers each question with the question."""
    listeners: list[Listener] = []

    def serve(listener: Listener) -> None:
        while True:
            try:
                connection = listener.accept()
            except OSError:
                return
            with connection:
                deadline = time.monotonic() + WAIT_S
                question = json.loads(receive_line(connection, 1_000_000, deadline))
                send_message(connection, {"ok": True, "asked": question}, deadline)

    def start(listener: Listener) -> threading.Thread:
        listeners.append(listener)
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        return thread

    yield start
    for listener in listeners:
        listener.close()


def test_nobody_listening_is_none(tmp_path: Path) -> None:
    assert ask(tmp_path, {"op": "ping"}, WAIT_S) is None


def test_a_question_comes_back_with_its_answer(tmp_path: Path, answering: Answering) -> None:
    answering(Listener(tmp_path))
    answer = ask(tmp_path, {"op": "search", "query": "naïve \udce9\n\0 記憶"}, WAIT_S)
    assert answer == {"ok": True, "asked": {"op": "search", "query": "naïve \udce9\n\0 記憶"}}


def test_a_loopback_port_carries_the_token(tmp_path: Path, answering: Answering) -> None:
    listener = Listener(tmp_path, over_tcp=True)
    answering(listener)
    answer = ask(tmp_path, {"op": "ping"}, WAIT_S)
    assert answer == {"ok": True, "asked": {"op": "ping", "token": listener.token}}
    assert len(listener.token) == 64


def test_the_socket_and_the_port_file_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    """T09, T10, I41: at any umask."""
    before = os.umask(0)
    try:
        listeners = [Listener(tmp_path), Listener(tmp_path, over_tcp=True)]
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    for listener in listeners:
        listener.close()
    assert modes == {"daemon.sock": 0o600, "daemon.port.json": 0o600}


def test_a_dead_socket_file_is_nobody_and_is_replaced(tmp_path: Path, answering: Answering) -> None:
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(tmp_path / "daemon.sock"))
    dead.close()
    assert ask(tmp_path, {"op": "ping"}, WAIT_S) is None
    answering(Listener(tmp_path))
    assert ask(tmp_path, {"op": "ping"}, WAIT_S) == {"ok": True, "asked": {"op": "ping"}}


def test_a_port_file_left_behind_is_nobody(tmp_path: Path) -> None:
    listener = Listener(tmp_path, over_tcp=True)
    left = (tmp_path / "daemon.port.json").read_bytes()
    listener.close()
    (tmp_path / "daemon.port.json").write_bytes(left)
    assert ask(tmp_path, {"op": "ping"}, WAIT_S) is None


@pytest.mark.parametrize(
    ("answer", "kind", "message", "hint"),
    [
        ({"ok": False, "error": {"exit_code": 2, "message": "No.", "hint": "Ask."}}, UsageError, "No.", "Ask."),
        ({"ok": False, "error": {"exit_code": 70, "message": "Bug."}}, DaemonFaultError, "Bug.", ""),
        ({"ok": False}, DaemonFaultError, "The daemon gave no usable answer.", "Restart it."),
    ],
)
def test_what_a_daemon_refuses_is_raised_as_the_error_it_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: dict[str, object],
    kind: type[ClawvaultError],
    message: str,
    hint: str,
) -> None:
    monkeypatch.setattr(transport, "ask", lambda *_: answer)
    with pytest.raises(kind) as raised:
        ask_daemon(tmp_path, {"op": "search"}, WAIT_S)
    assert (type(raised.value), raised.value.message, raised.value.hint) == (kind, message, hint)


def test_closing_takes_the_address_away(tmp_path: Path) -> None:
    listener = Listener(tmp_path)
    assert listener.is_reachable()
    listener.close()
    assert list(tmp_path.iterdir()) == []


def test_a_silent_daemon_is_an_error_that_says_so(tmp_path: Path) -> None:
    """B027: a request times out with a reason."""
    listener = Listener(tmp_path)
    with pytest.raises(SilentDaemonError, match=r"did not answer within 0\.2 s"):
        ask(tmp_path, {"op": "ping"}, 0.2)
    listener.close()


def test_a_silent_daemon_is_given_up_long_before_the_time_is_over(tmp_path: Path) -> None:
    """A stopped process still has its connections taken by the system."""
    listener = Listener(tmp_path)
    with pytest.raises(SilentDaemonError, match=r"did not answer within 2(\.\d)? s"):
        ask(tmp_path, {"op": "search"}, WAIT_S)
    listener.close()


def test_a_question_that_is_worked_on_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ping answered meanwhile says that the daemon lives."""
    monkeypatch.setattr(transport, "PING_AFTER_S", 0.05)
    monkeypatch.setattr(transport, "PING_S", WAIT_S)
    listener = Listener(tmp_path)
    asked: list[str] = []

    def serve() -> None:
        deadline = time.monotonic() + WAIT_S
        with listener.accept() as first, listener.accept() as second:
            asked.append(json.loads(receive_line(second, 1_000_000, deadline))["op"])
            send_message(second, {"ok": True}, deadline)
            send_message(first, {"ok": True, "late": True}, deadline)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    assert ask(tmp_path, {"op": "search"}, WAIT_S) == {"ok": True, "late": True}
    thread.join(WAIT_S)
    listener.close()
    assert asked == ["ping"]


def test_a_daemon_that_ends_before_answering_is_nobody(tmp_path: Path) -> None:
    listener = Listener(tmp_path)
    thread = threading.Thread(target=lambda: listener.accept().close())
    thread.start()
    assert ask(tmp_path, {"op": "ping"}, WAIT_S) is None
    thread.join()
    listener.close()


def test_a_line_longer_than_the_limit_is_refused() -> None:
    left, right = socket.socketpair()
    with left, right:
        left.sendall(b"x" * 3000 + b"\n")
        with pytest.raises(OSError, match="longer than 2000 bytes"):
            receive_line(right, 2000, time.monotonic() + WAIT_S)


def test_a_long_state_path_gets_a_hashed_socket_in_a_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answering: Answering
) -> None:
    runtime = tmp_path / "r"
    monkeypatch.setattr(transport, "runtime_folder", lambda: runtime)
    state = tmp_path / ("d" * 120)
    state.mkdir()
    assert ask(state, {"op": "ping"}, WAIT_S) is None
    answering(Listener(state))
    assert ask(state, {"op": "ping"}, WAIT_S) == {"ok": True, "asked": {"op": "ping"}}
    assert runtime.stat().st_mode & 0o777 == 0o700
    assert [len(path.name) for path in runtime.iterdir()] == [29]


def test_a_socket_folder_open_to_others_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T11."""
    runtime = tmp_path / "r"
    runtime.mkdir()
    runtime.chmod(0o777)
    monkeypatch.setattr(transport, "runtime_folder", lambda: runtime)
    state = tmp_path / ("d" * 120)
    state.mkdir()
    with pytest.raises(ForeignFolderError, match="open to others"):
        Listener(state)
    with pytest.raises(ForeignFolderError, match="open to others"):
        ask(state, {"op": "ping"}, WAIT_S)


def test_a_link_in_place_of_the_socket_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T11."""
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "r").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setattr(transport, "runtime_folder", lambda: tmp_path / "r")
    state = tmp_path / ("d" * 120)
    state.mkdir()
    with pytest.raises(ForeignFolderError):
        Listener(state)


def test_the_asking_side_imports_nothing_heavy() -> None:
    code = "import sys, clawvault.daemon.transport; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"apsw", "numpy", "click", "rich", "filelock", "watchdog", "logging", "asyncio"} & set(loaded)
