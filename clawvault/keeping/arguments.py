"""What a program gives to an operation: a wrong kind of value is said as any other mistake is."""

from __future__ import annotations

from collections.abc import Sequence

from clawvault.errors import UsageError


def insist_on_texts(**given: object) -> None:
    """Refuse what is no text.

    Args:
        given: Each value by the name of its argument.

    Raises:
        UsageError: One is none.
    """
    for name, value in given.items():
        if not isinstance(value, str):
            raise _wrong(name, "a text", "str", value)


def insist_on_numbers(**given: object) -> None:
    """Refuse what is no whole number; see ``insist_on_texts``."""
    for name, value in given.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise _wrong(name, "a whole number", "int", value)


def insist_on_lists(**given: object) -> None:
    """Refuse what is no list; see ``insist_on_texts``."""
    for name, value in given.items():
        if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
            raise _wrong(name, "a list", "list", value)


def _wrong(name: str, meant: str, kind: str, value: object) -> UsageError:
    return UsageError(f'"{name}" must be {meant}, and is {type(value).__name__}.', f"Give {name} as {kind}.")
