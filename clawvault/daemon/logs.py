"""The daemon's log file: private, bounded, and without a word of any note or question (T08, T10, F34)."""

from __future__ import annotations

import io
import logging
import logging.handlers
import os
import traceback
from pathlib import Path
from typing import Any

LOG_NAME = "daemon.log"
MAX_BYTES = 1_000_000
KEPT = 3


class PrivateRotatingHandler(logging.handlers.RotatingFileHandler):
    """Write a rotating log that only its owner can read, at any umask."""

    def _open(self) -> io.TextIOWrapper[Any]:
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return open(handle, "a", encoding="utf-8", errors="backslashreplace")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Lose the line: a log on a full disk must not turn into tracebacks on standard error (F05)."""


def start_log(state: Path) -> logging.Handler:
    """Send what the daemon has to say to ``daemon.log`` in the state folder.

    Only our own messages go there: those of libraries name absolute paths and sometimes content.

    Args:
        state: The state folder.

    Returns:
        The handler, for ``stop_log``.
    """
    handler = PrivateRotatingHandler(state / LOG_NAME, maxBytes=MAX_BYTES, backupCount=KEPT)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logger = logging.getLogger("clawvault")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    # With no handler at all watchdog tells of an overflow on standard error, with absolute paths.
    watchdog = logging.getLogger("watchdog")
    if not watchdog.handlers:
        watchdog.addHandler(logging.NullHandler())
    return handler


def describe_bug(error: BaseException) -> str:
    """Return the kind and place of an unforeseen error, without its message, which may hold a note's text (T08)."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def stop_log(handler: logging.Handler) -> None:
    """Close a log begun by ``start_log``."""
    logger = logging.getLogger("clawvault")
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)
    handler.close()
