"""Messages between two processes of this program over pipes: a JSON object, then numbers; nothing in them can run."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from clawvault.embed.protocol import FloatArray

Frame = tuple[dict[str, Any], FloatArray]
SIZES = struct.Struct(">II")
# A thousand times what a batch takes; what claims more is no message.
MAX_BYTES = 1 << 30


def write_frame(stream: IO[bytes], header: Mapping[str, Any], numbers: FloatArray | None = None) -> None:
    """Write one message.

    Args:
        stream: A pipe.
        header: JSON-safe values; text may hold lone surrogates.
        numbers: float32 of any shape; the shape is not sent.

    Raises:
        OSError: The other side is gone.
    """
    head = json.dumps(header).encode("ascii")
    body = b"" if numbers is None else numbers.astype(np.float32).tobytes()
    stream.write(SIZES.pack(len(head), len(body)) + head + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Frame:
    """Wait for one message.

    Returns:
        The JSON object, and float32 of shape (n,).

    Raises:
        EOFError: The other side is gone.
        ValueError: What came is no message.
    """
    n_head, n_body = SIZES.unpack(_read(stream, SIZES.size))
    if max(n_head, n_body) > MAX_BYTES or n_body % 4:
        raise ValueError("it sent what is no message")
    header = json.loads(_read(stream, n_head))
    if not isinstance(header, dict):
        raise ValueError("it sent what is no message")
    return header, np.frombuffer(_read(stream, n_body), dtype=np.float32).copy()


def _read(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("it ended by itself")
    return data
