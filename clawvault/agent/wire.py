"""Messages of the protocol over two descriptors: one JSON object a line, each way (F38, F36).

The SDK's own reader of standard input drops what it cannot parse, and forgets questions whose client has said its last
word. Here each bad line is answered with an error of the protocol, and what was asked is answered before the end.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any

import anyio.to_thread
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
MAX_MESSAGE_BYTES = 16_000_000
READ_BYTES = 65_536
# Lines that wait to be handled; a client that sends more has to wait itself.
MAX_WAITING = 64
ANSWERED = re.compile(r'\{"jsonrpc":"2\.0","id":(?P<id>-?\d+|"(?:[^"\\]|\\.)*"),"(?:result|error)"')


class Wire:
    """Stand in for the two files that ``mcp.server.stdio.stdio_server`` reads and writes.

    Args:
        incoming: Descriptor to read from.
        outgoing: Descriptor to write to.
        grace_s: Seconds that questions still open may take once the client has ended.
    """

    def __init__(self, incoming: int, outgoing: int, *, grace_s: float) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._grace_s = grace_s
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._room = threading.Semaphore(MAX_WAITING)
        self._loop = asyncio.get_running_loop()
        self._open: set[str] = set()
        self._settled = asyncio.Event()
        self._writing = asyncio.Lock()
        self._gone = False
        self._ended = False
        self._on_end: Callable[[], None] = self.end

    def start(self, on_end: Callable[[], None]) -> None:
        """Begin to read, in a thread that ends with the process.

        Args:
            on_end: Called when the client has ended, in any thread; it calls ``end``.
        """
        self._on_end = on_end
        threading.Thread(target=self._read, name="mcp-reader", daemon=True).start()

    def end(self) -> None:
        """Take no more messages; may be called from any thread and from a handler of signals."""
        if not self._ended:
            self._ended = True
            self._loop.call_soon_threadsafe(self._lines.put_nowait, None)

    async def __aiter__(self) -> AsyncIterator[str]:
        """Give each line that holds a message; end when the client does and all is answered, or grace is over."""
        while (line := await self._lines.get()) is not None:
            self._room.release()
            problem = self._problem(line)
            if problem is None:
                yield line.decode("utf-8")
            else:
                await self._refuse(*problem)
        if self._open and not self._gone:
            self._settled.clear()
            try:
                await asyncio.wait_for(self._settled.wait(), self._grace_s)
            except TimeoutError:
                return

    async def write(self, text: str) -> None:
        """Send one message, which ends with a newline; nothing is sent to a client that is gone."""
        found = ANSWERED.match(text)
        async with self._writing:
            if not self._gone:
                try:
                    data = text.encode("utf-8", "surrogatepass")
                    await anyio.to_thread.run_sync(partial(_write_all, self._outgoing, data), abandon_on_cancel=True)
                except OSError:
                    self._gone = True
                    self._on_end()
        if found:
            self._settle(found["id"])

    async def flush(self) -> None:
        """Do nothing: what was written has left this process."""

    def _settle(self, key: str) -> None:
        self._open.discard(key)
        if not self._open:
            self._settled.set()

    def _problem(self, line: bytes) -> tuple[object, int, str] | None:
        """Note what a line asks; return id, code and reason when it is no message."""
        if not line:
            return None, INVALID_REQUEST, f"a message is longer than {MAX_MESSAGE_BYTES} bytes"
        try:
            value = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            return None, PARSE_ERROR, "it is not JSON"
        key = value.get("id") if isinstance(value, dict) else None
        usable = isinstance(key, (int, str)) and not isinstance(key, bool)
        reason = "it is not a JSON-RPC 2.0 request or notification"
        if not isinstance(value, dict) or ("id" in value and not usable):
            return None, INVALID_REQUEST, reason
        try:
            jsonrpc_message_adapter.validate_python(value, by_name=False)
        except ValidationError:
            return key, INVALID_REQUEST, reason
        self._note(value, key)
        return None

    def _note(self, message: dict[str, Any], key: object) -> None:
        method, params = message.get("method"), message.get("params")
        if method is not None and key is not None:
            self._open.add(json.dumps(key, ensure_ascii=False))
        elif method == "notifications/cancelled" and isinstance(params, dict):
            # A cancelled question is never answered.
            self._settle(json.dumps(params.get("requestId"), ensure_ascii=False))

    async def _refuse(self, key: object, code: int, reason: str) -> None:
        answer = {"jsonrpc": "2.0", "id": key, "error": {"code": code, "message": f"Not a message: {reason}."}}
        await self.write(json.dumps(answer, ensure_ascii=True, separators=(",", ":")) + "\n")

    def _read(self) -> None:
        for line in _lines_of(self._incoming):
            self._room.acquire()
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        self._on_end()


def _lines_of(descriptor: int) -> Iterator[bytes]:
    """Give the lines read from a descriptor until it ends; an empty one stands for a line that is too long."""
    parts: list[bytes] = []
    size = 0
    while True:
        try:
            data = os.read(descriptor, READ_BYTES)
        except OSError:
            data = b""
        if not data:
            break
        *whole, rest = data.split(b"\n")
        for piece in whole:
            size += len(piece)
            line = b"".join([*parts, piece]).strip() if size <= MAX_MESSAGE_BYTES else b""
            if line or size > MAX_MESSAGE_BYTES:
                yield line
            parts, size = [], 0
        size += len(rest)
        parts = [*parts, rest] if size <= MAX_MESSAGE_BYTES else []
    # Half a message is one that the client did not finish; the error says so to a client that still listens.
    if line := b"".join(parts).strip():
        yield line


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
