"""The server between a socket and an answering function."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from daemon_fakes import WAIT_S

from clawvault.daemon import server as server_module
from clawvault.daemon.listening import Listener
from clawvault.daemon.server import Server
from clawvault.daemon.transport import ask, receive_line


class Echo:
    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.seen: list[dict[str, object]] = []

    def __call__(self, request: Mapping[str, object]) -> dict[str, object]:
        self.seen.append(dict(request))
        if request.get("op") == "slow":
            assert self.gate.wait(WAIT_S)
        return {"ok": True, "op": request.get("op")}


@pytest.fixture
def echo() -> Echo:
    return Echo()


@pytest.fixture
def running(tmp_path: Path, echo: Echo) -> Iterator[Path]:
    server = Server(Listener(tmp_path), echo)
    server.start()
    yield tmp_path
    server.stop()


def say(state: Path, data: bytes) -> dict[str, object]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(state / "daemon.sock"))
        connection.sendall(data)
        answer = json.loads(receive_line(connection, 1_000_000, time.monotonic() + WAIT_S))
        assert isinstance(answer, dict)
        return answer


def test_a_slow_answer_keeps_no_other_waiting(running: Path, echo: Echo) -> None:
    echo.gate.clear()
    slow = threading.Thread(target=ask, args=(running, {"op": "slow"}, WAIT_S))
    slow.start()
    assert ask(running, {"op": "ping"}, WAIT_S) == {"ok": True, "op": "ping"}
    echo.gate.set()
    slow.join(WAIT_S)
    assert not slow.is_alive()


def test_many_questions_at_once_are_all_answered(running: Path) -> None:
    answers: list[object] = []

    def put() -> None:
        answers.extend(ask(running, {"op": f"{number}"}, WAIT_S) for number in range(20))

    threads = [threading.Thread(target=put) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    assert len(answers) == 320
    assert None not in answers


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"not json\n", "The request is not JSON on one line."),
        (b"[1]\n", "The request is not a JSON object."),
        (b"\xff\xfe\n", "The request is not JSON on one line."),
        (b"[" * 200_000 + b"\n", "The request is not JSON on one line."),
        (b'{"op":"' + b"x" * 999_994, "The request is longer than 1000000 bytes."),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "The request is not JSON on one line."),
    ],
)
def test_what_is_no_request_is_refused(running: Path, echo: Echo, data: bytes, message: str) -> None:
    """T09."""
    answer = say(running, data)
    assert answer == {"ok": False, "error": {"message": message, "hint": answer["error"]["hint"], "exit_code": 2}}  # type: ignore[index]
    assert echo.seen == []


def test_who_says_nothing_is_not_waited_for(running: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "REQUEST_S", 0.1)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(WAIT_S)
        connection.connect(str(running / "daemon.sock"))
        assert connection.recv(1) == b""


def test_who_hangs_up_early_costs_nothing(running: Path) -> None:
    for _ in range(100):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(running / "daemon.sock"))
            connection.sendall(b'{"op":"ping"}\n')
    assert ask(running, {"op": "ping"}, WAIT_S) == {"ok": True, "op": "ping"}


@pytest.mark.parametrize("token", [None, "", "wrong", "\udce9", 5])
def test_a_loopback_port_answers_nobody_without_the_token(tmp_path: Path, echo: Echo, token: object) -> None:
    """T09."""
    server = Server(Listener(tmp_path, over_tcp=True), echo)
    server.start()
    port = json.loads((tmp_path / "daemon.port.json").read_bytes())["port"]
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(json.dumps({"op": "ping", "token": token}).encode() + b"\n")
        answer = json.loads(receive_line(connection, 10_000, time.monotonic() + WAIT_S))
    assert answer["error"]["message"] == "The token is missing or wrong."
    assert echo.seen == []
    assert ask(tmp_path, {"op": "ping"}, WAIT_S) == {"ok": True, "op": "ping"}
    assert echo.seen == [{"op": "ping"}]
    server.stop()


def test_a_stopped_server_is_nobody(tmp_path: Path, echo: Echo) -> None:
    server = Server(Listener(tmp_path), echo)
    server.start()
    server.stop()
    assert ask(tmp_path, {"op": "ping"}, WAIT_S) is None
