"""The one tree of errors a caller can act on.

Every error says what failed (naming the object), why, and what to do next; the command line prints
``message`` and ``hint`` and ends with ``exit_code`` (design, section 4).
"""

from __future__ import annotations

from typing import ClassVar


class ClawvaultError(Exception):
    """Say that an operation failed for a reason its caller can act on.

    Args:
        message: One sentence: what failed, with the object in quotes, and why.
        hint: The next step to take, one sentence; empty when there is none.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(ClawvaultError):
    """Say that a request makes no sense as it was asked (exit 2)."""

    exit_code = 2


class NotFoundError(ClawvaultError):
    """Say that there is no such vault or note (exit 3)."""

    exit_code = 3


class ConflictError(ClawvaultError):
    """Say that the note changed since it was read (exit 4, I03)."""

    exit_code = 4


class ConfigError(ClawvaultError):
    """Say that a setting has no usable value (exit 5)."""

    exit_code = 5


class IndexFaultError(ClawvaultError):
    """Say that the index cannot be opened, read or written (exit 6)."""

    exit_code = 6


class EmbedderError(ClawvaultError):
    """Say that the embedder cannot load or answer (exit 7)."""

    exit_code = 7


class LockedError(ClawvaultError):
    """Say that another process is the writer of this vault (exit 8, I18)."""

    exit_code = 8


ERRORS_BY_EXIT_CODE: dict[int, type[ClawvaultError]] = {
    error.exit_code: error
    for error in (
        ClawvaultError,
        UsageError,
        NotFoundError,
        ConflictError,
        ConfigError,
        IndexFaultError,
        EmbedderError,
        LockedError,
    )
}
