"""Listen on the vault's local socket and have each question answered in a thread of its own."""

from __future__ import annotations

import errno
import hmac
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Mapping

from clawvault.daemon.answering import failure
from clawvault.daemon.listening import Listener
from clawvault.daemon.transport import MAX_REQUEST_BYTES, receive_line, send_message
from clawvault.errors import UsageError

# A question comes at once; who connects and says nothing is not waited for.
REQUEST_S = 5.0
ANSWER_S = 30.0
MAX_CONNECTIONS = 64

log = logging.getLogger("clawvault.daemon.server")


class Server:
    """Serve one listener until it is closed.

    Args:
        listener: Where connections come from; closed by ``stop``.
        answer: Turns a request into an answer; called from many threads.
    """

    def __init__(self, listener: Listener, answer: Callable[[Mapping[str, object]], dict[str, object]]) -> None:
        self._listener = listener
        self._answer = answer
        self._slots = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._accept_all, name="server", daemon=True)

    def start(self) -> None:
        """Begin to accept connections."""
        self._thread.start()

    def stop(self) -> None:
        """Accept no more connections; answers under way are finished by their own threads."""
        self._stopping.set()
        self._listener.close()
        if self._thread.ident is not None:
            self._thread.join(1.0)

    def _accept_all(self) -> None:
        while not self._stopping.is_set():
            self._slots.acquire()
            try:
                connection = self._listener.accept()
            except OSError as error:
                self._slots.release()
                if self._stopping.is_set() or error.errno in {errno.EBADF, errno.EINVAL, errno.ENOTSOCK}:
                    return
                # Out of descriptors, most likely: wait for some to come back instead of spinning (F03).
                log.warning("cannot accept a connection: %s", error.strerror)
                self._stopping.wait(0.2)
                continue
            threading.Thread(target=self._serve, args=(connection,), name="answer", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection:
                answer = self._answer_to(connection)
                send_message(connection, answer, time.monotonic() + ANSWER_S)
        except OSError:
            # The one who asked has gone; there is nobody left to tell.
            log.debug("a connection ended early")
        finally:
            self._slots.release()

    def _answer_to(self, connection: socket.socket) -> dict[str, object]:
        try:
            request = json.loads(receive_line(connection, MAX_REQUEST_BYTES, time.monotonic() + REQUEST_S))
        except OSError as error:
            if error.errno != errno.EMSGSIZE:
                raise
            return failure(f"The request is longer than {MAX_REQUEST_BYTES} bytes.", "Ask less.", UsageError.exit_code)
        except (ValueError, RecursionError):
            return failure("The request is not JSON on one line.", "", UsageError.exit_code)
        if not isinstance(request, dict):
            return failure("The request is not a JSON object.", "", UsageError.exit_code)
        # Any process of any user can reach a loopback port, and a web page can make a browser try (T09).
        token = str(request.pop("token", ""))
        if self._listener.token and not hmac.compare_digest(
            token.encode("utf-8", "surrogatepass"), self._listener.token.encode()
        ):
            return failure("The token is missing or wrong.", "", UsageError.exit_code)
        return self._answer(request)
