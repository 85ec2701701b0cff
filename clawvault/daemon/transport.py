"""Carry questions to a vault's daemon and its answers back over a local socket.

POSIX has a socket file in the state folder, readable by its owner alone. Windows has a loopback port and a token in a
file readable by its owner alone. Each way a message is one JSON object on one line. The asking side is imported by
every ``clawvault search``, so of the standard library this module imports little beyond socket and json.

Source: T09, T10, T11, design section 4.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import stat
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from clawvault.errors import ERRORS_BY_EXIT_CODE, ClawvaultError
from clawvault.vault.state_place import sha256_of_bytes

SOCKET_NAME = "daemon.sock"
PORT_NAME = "daemon.port.json"
MAX_REQUEST_BYTES = 1_000_000
MAX_ANSWER_BYTES = 64_000_000
# struct sockaddr_un holds 104 bytes on macOS and 108 on Linux, its closing NUL included.
MAX_SOCKET_PATH_BYTES = 100
RETRY_S = 0.01
# Most answers are there by then. One that takes longer is waited for as long as the daemon answers a ping in time.
PING_AFTER_S = 0.5
PING_S = 1.5
PING_AGAIN_S = 5.0
ANSWERED_HERE = "This process answered instead."
NOBODY = frozenset({errno.ENOENT, errno.ECONNREFUSED, errno.ENOTSOCK, errno.ENOTDIR})
# Some builds for Windows know socket files, yet nobody there guards them by owner and mode.
HAS_UNIX_SOCKETS: bool = sys.platform != "win32"
UNIX_FAMILY: int = getattr(socket, "AF_UNIX", socket.AF_INET)
get_user: Callable[[], int] = getattr(os, "getuid", lambda: 0)


class SilentDaemonError(ClawvaultError):
    """Say that a daemon listens but did not answer in time."""

    @property
    def passed_over(self) -> str:
        """Return what is said beside an answer that was given without it."""
        return f"{self.message} {ANSWERED_HERE}"


class DaemonFaultError(ClawvaultError):
    """Say that the daemon failed while it answered (exit 70)."""

    exit_code = 70


class ForeignFolderError(ClawvaultError):
    """Say that the folder for the socket belongs to somebody else or is open to others (T11)."""


def ask(state: Path, request: Mapping[str, object], timeout_s: float) -> dict[str, object] | None:
    """Ask the daemon of a vault one question.

    A daemon that works on a question is waited for; one that is alive and silent, because it was stopped or hangs, is
    given up after ``PING_AFTER_S`` and ``PING_S``, about two seconds.

    Args:
        state: The state folder of the vault.
        request: JSON-safe mapping with ``op``.
        timeout_s: Seconds for the whole exchange, above 0.

    Returns:
        The answer, which has ``ok``; ``None`` when nobody listens, or the daemon ended before it answered.

    Raises:
        SilentDaemonError: Somebody listens and did not answer in time.
        ForeignFolderError: The folder of the socket is not ours alone.
    """
    began = time.monotonic()
    deadline = began + timeout_s
    connection, token = _connect(state, min(deadline, began + PING_AFTER_S + PING_S))
    if connection is None:
        return None
    with connection:
        try:
            send_message(connection, {**request, "token": token} if token else request, deadline)
            _await_answer(connection, state, deadline)
            line = receive_line(connection, MAX_ANSWER_BYTES, deadline)
        except TimeoutError as error:
            raise SilentDaemonError(
                f'The daemon of "{state.name}" did not answer within {time.monotonic() - began:.2g} s.',
                'Ask "clawvault status" what it is doing, or restart it.',
            ) from error
        except OSError:
            return None
    if not line:
        return None
    answer = json.loads(line)
    return answer if isinstance(answer, dict) else None


def ask_daemon(state: Path, request: Mapping[str, object], timeout_s: float) -> dict[str, object] | None:
    """Ask the daemon of a vault, and raise what it refused with.

    Args:
        state: The state folder of the vault.
        request: JSON-safe mapping with ``op``.
        timeout_s: Seconds for the whole exchange, above 0.

    Returns:
        The answer; ``None`` when no daemon runs.

    Raises:
        SilentDaemonError: A daemon runs and did not answer in time.
        DaemonFaultError: It failed.
        ClawvaultError: It refused, with the error it named.
    """
    answer = ask(state, request, timeout_s)
    if answer is None or answer.get("ok"):
        return answer
    error = answer.get("error")
    if not isinstance(error, dict):
        raise DaemonFaultError("The daemon gave no usable answer.", "Restart it.")
    kind = ERRORS_BY_EXIT_CODE.get(int(error.get("exit_code", 1)), DaemonFaultError)
    raise kind(str(error.get("message", "The daemon refused.")), str(error.get("hint", "")))


def _await_answer(connection: socket.socket, state: Path, deadline: float) -> None:
    """Wait for the first byte of an answer while the daemon gives signs of life.

    Raises:
        TimeoutError: The time is over, or the daemon is silent.
    """
    wait_s = PING_AFTER_S
    while True:
        connection.settimeout(min(wait_s, _remaining(deadline)))
        try:
            connection.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            _ping(state, min(deadline, time.monotonic() + PING_S))
            wait_s = PING_AGAIN_S
        else:
            return


def _ping(state: Path, deadline: float) -> None:
    """Have a sign of life, over a connection of its own.

    Raises:
        TimeoutError: There was none in time.
    """
    try:
        connection, token = _connect(state, deadline)
    except SilentDaemonError as error:
        raise TimeoutError from error
    if connection is None:
        # It no longer listens; the connection of the question tells whether it still answers that.
        return
    with connection:
        try:
            send_message(connection, {"op": "ping", "token": token} if token else {"op": "ping"}, deadline)
            receive_line(connection, MAX_ANSWER_BYTES, deadline)
        except TimeoutError:
            raise
        except OSError:
            return


def send_message(connection: socket.socket, message: Mapping[str, object], deadline: float) -> None:
    """Send one JSON object as one line.

    Args:
        connection: A connected socket.
        message: JSON-safe mapping.
        deadline: Monotonic seconds at which to give up.

    Raises:
        TimeoutError: The other side did not take it in time.
        OSError: The connection is gone.
    """
    connection.settimeout(_remaining(deadline))
    # Lone surrogates stand for file names that are not UTF-8; ASCII escapes carry them unharmed.
    connection.sendall(json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode() + b"\n")


def receive_line(connection: socket.socket, limit: int, deadline: float) -> bytes:
    """Receive bytes up to the first line end.

    Args:
        connection: A connected socket.
        limit: Most bytes to take.
        deadline: Monotonic seconds at which to give up.

    Returns:
        The line without its end; empty when the other side closed before one was complete.

    Raises:
        TimeoutError: The line was not complete in time.
        OSError: The connection is gone, or the line is longer than ``limit`` (EMSGSIZE).
    """
    parts: list[bytes] = []
    total = 0
    while True:
        connection.settimeout(_remaining(deadline))
        part = connection.recv(65_536)
        if not part:
            return b""
        end = part.find(b"\n")
        total += len(part) if end < 0 else end
        if total > limit:
            raise OSError(errno.EMSGSIZE, f"message is longer than {limit} bytes")
        if end >= 0:
            return b"".join([*parts, part[:end]])
        parts.append(part)


def socket_path(state: Path) -> Path:
    """Return where the socket file of a vault is.

    Args:
        state: The state folder of the vault.

    Returns:
        A file in the state folder; where that path is too long for a socket, a hashed name in a folder of this user,
        which both sides find without asking the environment (a service and a shell differ there).
    """
    path = state / SOCKET_NAME
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH_BYTES:
        return path
    return runtime_folder() / f"{sha256_of_bytes(os.fsencode(state))[:24]}.sock"


def runtime_folder() -> Path:
    """Return the folder of this user for sockets whose own path would be too long."""
    return Path(f"/tmp/clawvault-{get_user()}")  # noqa: S108 - checked for owner and mode before each use


def check_own_folder(folder: Path) -> None:
    """Check that a folder for sockets is this user's alone.

    Raises:
        ForeignFolderError: It is not (T11).
        FileNotFoundError: It is not there.
    """
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != get_user() or found.st_mode & 0o077:
        raise ForeignFolderError(
            f'Cannot use "{folder}" for a socket: it belongs to somebody else or is open to others.',
            "Remove it, or choose a shorter state folder (state_dir in .clawvault/config.toml).",
        )


def _connect(state: Path, deadline: float) -> tuple[socket.socket | None, str]:
    if HAS_UNIX_SOCKETS:
        path = socket_path(state)
        try:
            if path.parent == runtime_folder():
                check_own_folder(path.parent)
        except FileNotFoundError:
            return None, ""
        connection = _connect_retrying(UNIX_FAMILY, os.fspath(path), deadline)
        if connection is not None:
            return connection, ""
    try:
        address = json.loads((state / PORT_NAME).read_bytes())
        target, token = ("127.0.0.1", int(address["port"])), str(address["token"])
    except (OSError, ValueError, KeyError, TypeError):
        return None, ""
    return _connect_retrying(socket.AF_INET, target, deadline), token


def _connect_retrying(family: int, address: str | tuple[str, int], deadline: float) -> socket.socket | None:
    while True:
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(_remaining(deadline))
            connection.connect(address)
        except OSError as error:
            connection.close()
            # A full queue answers EAGAIN at once, whatever the timeout says.
            if error.errno == errno.EAGAIN and time.monotonic() < deadline:
                time.sleep(RETRY_S)
                continue
            if error.errno in NOBODY:
                return None
            if isinstance(error, TimeoutError) or error.errno == errno.EAGAIN:
                raise SilentDaemonError("The daemon takes no more questions.", "Try again in a moment.") from error
            raise
        return connection


def _remaining(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
