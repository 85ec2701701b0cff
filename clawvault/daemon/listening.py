"""Listen for the questions of a vault where ``transport`` looks for a daemon (T09, T10, T11)."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from clawvault.daemon import transport
from clawvault.daemon.transport import HAS_UNIX_SOCKETS, PORT_NAME, UNIX_FAMILY, socket_path
from clawvault.vault.private_file import write_private_file

BACKLOG = 128
set_mode: Callable[[int, int], None] = getattr(os, "fchmod", lambda _handle, _mode: None)


class Listener:
    """Accept local connections for one vault.

    Args:
        state: The state folder; its writer lock is held by the caller, so a socket file found there is a dead one.
        over_tcp: Use a loopback port and a token instead of a socket file; ``None`` decides by platform.
    """

    def __init__(self, state: Path, *, over_tcp: bool | None = None) -> None:
        self.token = ""
        self._over_tcp = not HAS_UNIX_SOCKETS if over_tcp is None else over_tcp
        self._address_file = state / PORT_NAME if self._over_tcp else socket_path(state)
        self._socket = self._bind_tcp() if self._over_tcp else self._bind_unix()
        self._socket.listen(BACKLOG)

    def accept(self) -> socket.socket:
        """Wait for the next connection.

        Raises:
            OSError: The listener was closed.
        """
        connection, _ = self._socket.accept()
        return connection

    def close(self) -> None:
        """Stop listening and take the address away, so that nobody waits for an answer."""
        with contextlib.suppress(OSError):
            self._address_file.unlink()
        # Closing alone does not wake a thread that sits in accept().
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def is_reachable(self) -> bool:
        """Say whether the address that clients look for is still there; some systems empty /tmp by age."""
        return self._address_file.exists()

    def _bind_unix(self) -> socket.socket:
        path = self._address_file
        if path.parent == transport.runtime_folder():
            path.parent.mkdir(mode=0o700, exist_ok=True)
            transport.check_own_folder(path.parent)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        listening = socket.socket(UNIX_FAMILY, socket.SOCK_STREAM)
        try:
            # Linux gives the file the mode of the descriptor less the umask; macOS needs the second call.
            set_mode(listening.fileno(), 0o600)
            listening.bind(os.fspath(path))
            path.chmod(0o600)
        except OSError:
            listening.close()
            raise
        return listening

    def _bind_tcp(self) -> socket.socket:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if sys.platform == "win32":
                # Without it another process may bind the same port and take the questions.
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            listening.bind(("127.0.0.1", 0))
            self.token = secrets.token_hex(32)
            address = {"port": listening.getsockname()[1], "token": self.token}
            write_private_file(self._address_file, json.dumps(address).encode())
        except OSError:
            listening.close()
            raise
        return listening
