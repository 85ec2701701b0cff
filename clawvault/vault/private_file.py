"""Write small files of the state folder so that nobody else can read them and no reader sees half of one (T10, T11)."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_private_file(path: Path, data: bytes, *, lasting: bool = False) -> None:
    """Replace a file in one step, readable by its owner alone at any umask.

    Args:
        path: The file; its folder exists and belongs to us.
        data: The whole new content.
        lasting: It must outlive a loss of power, since nothing can make it anew.

    Raises:
        OSError: The folder cannot be written.

    Source: I41, T10, T11.
    """
    # The name cannot be guessed and O_EXCL follows no link, so nothing planted beforehand is written through.
    temporary = path.with_name(f".{path.name}.{os.urandom(8).hex()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            if lasting:
                stream.flush()
                os.fsync(stream.fileno())
        os.replace(temporary, path)  # noqa: PTH105 - Path.replace would hide that this is the atomic step
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
