"""Keep standard output for the protocol alone: all else that this process writes goes to standard error (I33, F38)."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from clawvault.errors import ClawvaultError

FIRST_PRIVATE = 3


def claim_streams() -> tuple[int, int]:
    """Take standard input and output for the protocol, before anything is imported that may write.

    From then on descriptor 1 is standard error, for prints and for what libraries written in C say; descriptor 0 is
    empty, so that no child reads from the protocol.

    Returns:
        The descriptors of the client's messages and of the answers to it.

    Raises:
        ClawvaultError: The process was started without one of them.
    """
    try:
        incoming, outgoing = _duplicate(0), _duplicate(1)
    except OSError as error:
        raise ClawvaultError(
            "There is no standard input or output to speak the protocol on.",
            "Let the agent start it, or use clawvault mcp --http.",
        ) from error
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nothing, 1)
    if nothing >= FIRST_PRIVATE:
        os.close(nothing)
    if sys.platform == "win32":
        import msvcrt

        from mcp.os.win32.utilities import rebind_std_handle_to_fd

        for descriptor in (incoming, outgoing):
            msvcrt.setmode(descriptor, os.O_BINARY)
        for descriptor in (0, 1):
            with suppress(OSError):
                rebind_std_handle_to_fd(descriptor)
    return incoming, outgoing


def _duplicate(descriptor: int) -> int:
    """Return a copy of a descriptor that is none of the standard ones, and that no child inherits."""
    kept: list[int] = []
    try:
        while True:
            copy = os.dup(descriptor)
            if copy >= FIRST_PRIVATE:
                return copy
            kept.append(copy)
    finally:
        for copy in kept:
            os.close(copy)
